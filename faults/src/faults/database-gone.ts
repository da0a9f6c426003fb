import type { Fault } from '../fault.ts';
import { invariants } from '../invariants.ts';
import { runOutage } from '../outage.ts';
import { openSubject } from '../subject.ts';

export const databaseGone: Fault = {
  name: 'database-gone',
  about: 'Postgres is stopped, 200 mails and some requests come, and it is started again',
  times: { postgres: 3 },
  control: {
    about: 'a proxy that turns 4xx into 5xx',
    breaks: [invariants.permanentRefusals],
    times: 1,
  },
  run: async (trial) => {
    const { home, postgres, close } = await openSubject(trial);
    try {
      const server = await home.start();
      for (let time = 1; time <= trial.times; time++)
        await runOutage(trial, home, server, {
          name: 'Postgres stopped',
          total: true,
          leftover: 0,
          mailBytes: 0,
          begin: async () => postgres?.stop({ mode: time % 2 ? 'immediate' : 'fast', keepData: true }),
          end: async () => postgres?.start(),
        });
      await server.stop();
    } finally {
      await close();
    }
  },
};
