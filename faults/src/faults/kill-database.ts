import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPostgres } from '@postrider/testkit/database/postgres.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { type IntakeLoad, isAcknowledged, startLoad } from '../intake-load.ts';
import { checkStored, invariants } from '../invariants.ts';
import { isAlive } from '../is-alive.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 10;
const acknowledgedFirst = 50;
/** Besides as much time as the server takes to start, which tells how fast the machine is. */
const recoveryMsMax = 5_000;
const awayMsMax = 1_000;
/** Settings with which Postgres writes its log as late as it can. */
const withoutWaiting = { synchronous_commit: 'off', wal_writer_delay: '10s' };

export const killDatabase: Fault = {
  name: 'kill-database',
  about: 'an immediate stop of Postgres while 10 sessions hand mail in',
  times: { postgres: 20 },
  control: {
    about: 'a database with synchronous_commit=off',
    breaks: [invariants.acknowledgedMissing],
    times: 8,
  },
  run: async (trial) => {
    const settings = trial.control ? withoutWaiting : {};
    const subject = await openSubject(trial, { postgres: { settings } });
    try {
      if (subject.postgres) await stopWhileReceiving(trial, subject, subject.postgres);
    } finally {
      await subject.close();
    }
  },
};

async function stopWhileReceiving(trial: Trial, { home }: Subject, postgres: TestPostgres): Promise<void> {
  const startedMs = performance.now();
  const server = await home.start();
  const startMs = performance.now() - startedMs;
  const { id, address } = await server.client.inboxes.create({ local_part: 'intake' });
  const mails = madeUpMails('database', address);
  const load = startLoad({ port: () => server.smtpPort, to: address, sessions, mails });
  let slowestMs = 0;
  for (let stop = 1; stop <= trial.times; stop++) {
    const before = load.acknowledged();
    await eventually('some mail', async () => load.acknowledged() >= before + acknowledgedFirst, {
      pauseMs: 5,
    });
    await sleep(trial.random() * 300);
    await postgres.stop({ mode: 'immediate', keepData: true });
    await sleep(trial.random() * awayMsMax);
    await postgres.start();
    const tookMs = await recovery(server, load);
    slowestMs = Math.max(slowestMs, tookMs);
    trial.count('stops');
    trial.progress(`stop ${stop} of ${trial.times}, mail and requests again after ${Math.round(tookMs)} ms`);
  }
  await load.stop();
  const answers = Object.groupBy(load.mails, ({ code }) => String(code));
  for (const [code, each] of Object.entries(answers)) trial.figure(`answers ${code}`, each?.length ?? 0);
  const permanent = load.mails.filter(({ code }) => (code ?? 0) >= 500);
  trial.invariant(invariants.permanentRefusals, permanent.length, { exactly: 0 });
  trial.invariant('slowest recovery in ms', Math.round(slowestMs), {
    most: Math.round(recoveryMsMax + startMs),
  });
  trial.invariant(invariants.exits, isAlive(server.pid) ? 0 : 1, { exactly: 0 });
  await checkStored(trial, { client: server.client, inboxId: id, mails: load.mails, sample: 200 });
  await server.stop();
}

/** Returns the time in ms from now until a mail is acknowledged and a request succeeds again. */
async function recovery(server: ServerProcess, load: IntakeLoad): Promise<number> {
  const from = performance.now();
  const isTaken = async () => load.mails.findLast((mail) => isAcknowledged(mail) && mail.at > from);
  const isAnswered = async () => (await fetch(`${server.url}/readyz`)).status === 200;
  await Promise.all([
    eventually('a mail to be taken', isTaken, { pauseMs: 10 }),
    eventually('readiness', isAnswered, { pauseMs: 10 }),
  ]);
  return performance.now() - from;
}
