import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from '@postrider/testkit/servers/server-process.ts';
import type { Fault } from '../fault.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const killsEach = 5;
const failedStarts = 'databases on which the next start failed';

export const killMigration: Fault = {
  name: 'kill-migration',
  about: `kill -9 at random moments of a migration, ${killsEach} times for each new database, and then a start`,
  times: { postgres: 15, own: 10 },
  control: {
    about: 'a start that is killed like the migrations before it',
    breaks: [failedStarts],
    times: killsEach,
  },
  run: async (trial) => {
    const wholeMs = await timeMigration(trial);
    trial.figure('an undisturbed migration in ms', Math.round(wholeMs));
    const failed: string[] = [];
    for (let killed = 0; killed < trial.times; killed += killsEach) {
      const subject = await openSubject(trial);
      try {
        for (let kill = 0; kill < killsEach; kill++) await killOnce(trial, subject, wholeMs);
        await startAfter(trial, subject);
        trial.progress(`${killed + killsEach} kills, and the next start succeeded`);
      } catch (error) {
        failed.push(String(error).slice(0, 300));
      } finally {
        await subject.close();
      }
    }
    trial.invariant('kills in the middle', trial.figures['killed in the middle'] ?? 0, { least: 1 });
    trial.invariant(failedStarts, failed.length, { exactly: 0 }, failed);
  },
};

async function timeMigration(trial: Trial): Promise<number> {
  const { home, close } = await openSubject(trial);
  const from = performance.now();
  const { code, output } = await home.run(['migrate']);
  const tookMs = performance.now() - from;
  await close();
  if (code !== 0) throw new Error(`An undisturbed migration ended with ${code}:\n${output}`);
  return tookMs;
}

/** Kills a migration at a random moment, unless it has already ended by itself. */
async function killOnce(trial: Trial, { home }: Subject, wholeMs: number): Promise<void> {
  const child = home.spawn(['migrate']);
  const { ended } = watch(child);
  await Promise.race([sleep(trial.random() * wholeMs), ended]);
  child.kill('SIGKILL');
  const { signal } = await ended;
  trial.count(signal === 'SIGKILL' ? 'killed in the middle' : 'ended before the kill');
}

async function startAfter(trial: Trial, { home }: Subject): Promise<void> {
  const child = trial.control ? home.spawn(['start']) : null;
  if (child) {
    const { ended } = watch(child);
    child.kill('SIGKILL');
    throw new Error(`The start ended by ${(await ended).signal}.`);
  }
  const server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: 'after' });
  await server.client.messages.list({ inbox_id: inbox.id });
  const { code } = await server.stop();
  if (code !== 0) throw new Error(`The server ended with ${code}.`);
}
