import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError, settingNames } from '../lib/start/start-error.ts';

/** How far apart two processes may take over the same stale lock; the later one gets it. */
const takeOverSettleMs = 100;

const renewIntervalMs = 2_000;

/** How long a lock from elsewhere counts without a renewal. */
const unrenewedMsMax = 20_000;

const watchIntervalMs = 200;

/**
 * Takes the lock file `<name>.lock` of a folder and returns a function that releases it. A lock whose process is gone, as after a `kill
 * -9`, is taken over: at once if the process can be looked up. In another container or machine its id means nothing, so such a lock is
 * taken over once it has not been renewed for 20 s.
 *
 * @throws StartError that names the process that holds the lock.
 */
export async function lockFolder(folder: string, name: string): Promise<() => Promise<void>> {
  const path = join(folder, `${name}.lock`);
  const own = [process.pid, startOf(process.pid), namespace()].join(' ').trim();
  const draft = `${path}.${randomUUID()}`;
  // The lock is written to another file first, so that nobody ever reads half of it.
  writeFileSync(draft, `${own}\n`, { mode: 0o600 });
  try {
    if (isLinked(draft, path)) return keep(path, own);
    if (await isHeld(path)) throw inUse(folder, path);
    renameSync(draft, path);
    await sleep(takeOverSettleMs);
    if (readHolder(path) !== own) throw inUse(folder, path);
    return keep(path, own);
  } finally {
    rmSync(draft, { force: true });
  }
}

function isLinked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function inUse(folder: string, path: string): StartError {
  const holder = readHolder(path);
  const [pid] = holder.split(' ');
  const where = isFromElsewhere(holder) ? ' of another container or machine' : '';
  return new StartError(
    `${folder} is in use by process ${pid}${where}. Stop it first, or give this one another data folder by ${settingNames.dataDir}.`,
  );
}

/** Renews a lock until the returned function releases it. */
function keep(path: string, own: string): () => Promise<void> {
  const timer = setInterval(() => renew(path, own), renewIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if (readHolder(path) === own) rmSync(path, { force: true });
  };
}

function renew(path: string, own: string): void {
  const now = new Date();
  try {
    if (readHolder(path) === own) utimesSync(path, now, now);
  } catch {
    // The file was removed, or the disk is missing. The next renewal tries again.
  }
}

function isHeld(path: string): Promise<boolean> | boolean {
  const holder = readHolder(path);
  return isFromElsewhere(holder) ? isRenewed(path) : isRunning(holder);
}

function isFromElsewhere(holder: string): boolean {
  const from = holder.split(' ')[2] ?? '';
  return from !== '' && from !== namespace();
}

/** Watches a lock until it is renewed, as a live process does, or has not been renewed for too long. Returns whether it was renewed. */
async function isRenewed(path: string): Promise<boolean> {
  const renewedAt = renewalOf(path);
  const until = Math.min(renewedAt ?? 0, Date.now()) + unrenewedMsMax;
  while (Date.now() < until) {
    await sleep(watchIntervalMs);
    const latest = renewalOf(path);
    if (latest !== renewedAt) return latest !== undefined;
  }
  return false;
}

/** Returns the time of the last renewal in ms since the epoch, or undefined if the lock was released. */
function renewalOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Returns whether the process of a lock runs. Process ids are reused, so a lock also has the start time of its process, if the system
 * reports it.
 */
function isRunning(holder: string): boolean {
  const [pid = '', start = ''] = holder.split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startOf(Number(pid)) === start;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold spaces; the 20th after it is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Returns the scope of process ids: this boot of this machine, and this container on it; empty if the system does not report it. */
function namespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
