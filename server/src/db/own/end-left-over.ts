import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long each way of stopping has, the gentle one first. */
const ways: [NodeJS.Signals, number][] = [
  ['SIGINT', 30_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
];
const lookMs = 50;

/**
 * Ends a Postgres that was left in a folder, as after a `kill -9` of its guard, and removes its mark. Whoever calls it has the folder
 * locked, so that no live server can have it. A mark whose process is another one by now would keep Postgres from starting.
 */
export async function endLeftOver(data: string): Promise<void> {
  const mark = join(data, 'postmaster.pid');
  if (!existsSync(mark)) return;
  const pid = Number.parseInt(readFileSync(mark, 'utf8'), 10);
  for (const [signal, waitMs] of ways) {
    if (!isPostgresOf(pid, data)) break;
    process.kill(pid, signal);
    const until = performance.now() + waitMs;
    while (isPostgresOf(pid, data) && performance.now() < until) await sleep(lookMs);
  }
  rmSync(mark, { force: true });
}

/**
 * Returns whether the process works in the folder, as Postgres does. Where the system does not say, only whether there is such a process.
 */
function isPostgresOf(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid < 2) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && process.platform !== 'linux';
  }
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch {
    return false;
  }
}
