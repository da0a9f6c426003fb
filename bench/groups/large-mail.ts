import { judge, ratio } from '../measure/goal.ts';
import { type Group, inRounds } from '../run/group.ts';
import { sendLoad } from '../run/send-load.ts';
import { startInsert } from '../run/start-insert.ts';
import { startServer } from '../run/start-server.ts';

const goals = {
  rate: {
    id: 'P5a',
    what: '10 MB mails, 20 at once, against bare smtp-server and one INSERT',
    unit: '×',
    better: 'higher',
    floor: 0.4,
    target: 0.65,
  },
  memory: {
    id: 'P5b',
    what: 'most memory of the server meanwhile',
    unit: 'MB',
    better: 'lower',
    floor: 700,
    target: 450,
  },
} as const;

const atOnce = 20;

/** P5: how fast mail of 10 MB is accepted if 20 come at once, and how much memory that takes. */
export const largeMail: Group = async (bench) => {
  const server = await startServer(bench, await bench.postgres.createDatabase());
  const insert = await startInsert(bench);
  const mails = Math.max(atOnce, 2 * bench.seconds);
  const fixed = {
    to: server.inbox.address,
    size: 'large',
    sessions: atOnce,
    reuse: true,
    seed: bench.seed,
  } as const;
  bench.progress('warming up');
  await sendLoad({ ...fixed, port: server.smtpPort, mails: atOnce });
  await sendLoad({ ...fixed, port: insert.ready.port, mails: atOnce });
  const rounds = await inRounds(bench, async () => {
    server.resetPeakMemory();
    insert.resetPeakMemory();
    const subject = await sendLoad({ ...fixed, port: server.smtpPort, mails });
    const least = await sendLoad({ ...fixed, port: insert.ready.port, mails });
    const peak = server.memory().peak;
    const megabytesPerSecond = (load: typeof subject) => (load.perSecond * load.bytesEach) / 2 ** 20;
    bench.progress(
      `${megabytesPerSecond(subject).toFixed(0)} MB/s, peak ${peak.toFixed(0)} MB; baseline ${megabytesPerSecond(least).toFixed(0)} MB/s, peak ${insert.memory().peak.toFixed(0)} MB`,
    );
    return { rate: ratio(megabytesPerSecond(subject), megabytesPerSecond(least)), memory: { value: peak } };
  });
  return [
    judge(
      goals.rate,
      rounds.map(({ rate }) => rate),
    ),
    judge(
      goals.memory,
      rounds.map(({ memory }) => memory),
    ),
  ];
};
