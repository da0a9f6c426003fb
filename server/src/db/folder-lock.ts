import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long two that take over the same stale lock may be apart; the later one has it. */
const takeOverSettleMs = 100;

/**
 * Takes the lock file `<name>.lock` of a folder and answers what gives it back. A lock whose process is gone, as after a
 * `kill -9`, is taken over.
 *
 * @throws Error that names the process that holds the lock.
 */
export const lockFolder = async (folder: string, name: string): Promise<() => Promise<void>> => {
  const path = join(folder, `${name}.lock`);
  const own = `${process.pid} ${startOf(process.pid)}`;
  const draft = `${path}.${randomUUID()}`;
  // Written aside, so that nobody ever reads half a lock.
  writeFileSync(draft, `${own}\n`, { mode: 0o600 });
  try {
    if (isLinked(draft, path)) return () => release(path, own);
    if (isHeld(readHolder(path))) throw inUse(folder, path);
    renameSync(draft, path);
    await sleep(takeOverSettleMs);
    if (readHolder(path) !== own) throw inUse(folder, path);
    return () => release(path, own);
  } finally {
    rmSync(draft, { force: true });
  }
};

const isLinked = (draft: string, path: string): boolean => {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const readHolder = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

const inUse = (folder: string, path: string): Error => {
  const [pid] = readHolder(path).split(' ');
  return new Error(
    `${folder} is in use by process ${pid}. Stop it first, or give this one another data folder.`,
  );
};

const release = async (path: string, own: string): Promise<void> => {
  if (readHolder(path) === own) rmSync(path, { force: true });
};

/** A process id is used again in time, so a lock also notes when its process started, where the system tells. */
const isHeld = (holder: string): boolean => {
  const [pid = '', start = ''] = holder.split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(Number(pid)) === start;
};

const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold spaces; the 20th after it is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};
