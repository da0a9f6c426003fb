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
import { settingNames } from '../lib/start/setting-names.ts';
import { StartError } from '../lib/start/start-error.ts';

/** How long two that take over the same stale lock may be apart; the later one has it. */
const takeOverSettleMs = 100;

const renewIntervalMs = 2_000;

/** How long a lock from elsewhere counts without being renewed: a long query of the embedded database holds up the timer too. */
const unrenewedMsMax = 20_000;

const watchIntervalMs = 200;

/**
 * Takes the lock file `<name>.lock` of a folder and answers what gives it back. A lock whose process is gone, as after a
 * `kill -9`, is taken over: at once where the process can be looked up, and from another container or machine, where its number
 * means nothing, once the lock has not been renewed for 20 s.
 *
 * @throws StartError that names the process that holds the lock.
 */
export const lockFolder = async (folder: string, name: string): Promise<() => Promise<void>> => {
  const path = join(folder, `${name}.lock`);
  const own = [process.pid, startOf(process.pid), namespace()].join(' ').trim();
  const draft = `${path}.${randomUUID()}`;
  // Written aside, so that nobody ever reads half a lock.
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

const inUse = (folder: string, path: string): StartError => {
  const holder = readHolder(path);
  const [pid] = holder.split(' ');
  const where = isFromElsewhere(holder) ? ' of another container or machine' : '';
  return new StartError(
    `${folder} is in use by process ${pid}${where}. Stop it first, or give this one another data folder by ${settingNames.dataDir}.`,
  );
};

/** Renews a lock until it is given back. */
const keep = (path: string, own: string): (() => Promise<void>) => {
  const timer = setInterval(() => renew(path, own), renewIntervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    if (readHolder(path) === own) rmSync(path, { force: true });
  };
};

const renew = (path: string, own: string): void => {
  const now = new Date();
  try {
    if (readHolder(path) === own) utimesSync(path, now, now);
  } catch {
    // Somebody removed the file, or the disk is away: the next round tries again.
  }
};

const isHeld = (path: string): Promise<boolean> | boolean => {
  const holder = readHolder(path);
  return isFromElsewhere(holder) ? isRenewed(path) : isRunning(holder);
};

const isFromElsewhere = (holder: string): boolean => {
  const from = holder.split(' ')[2] ?? '';
  return from !== '' && from !== namespace();
};

/** Watches a lock until it is renewed, which somebody who is alive does, or has not been for too long. */
const isRenewed = async (path: string): Promise<boolean> => {
  const renewedAt = renewalOf(path);
  const until = Math.min(renewedAt ?? 0, Date.now()) + unrenewedMsMax;
  while (Date.now() < until) {
    await sleep(watchIntervalMs);
    const latest = renewalOf(path);
    if (latest !== renewedAt) return latest !== undefined;
  }
  return false;
};

/** In ms since the epoch; undefined when the lock was given back. */
const renewalOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** A process id is used again in time, so a lock also notes when its process started, where the system tells. */
const isRunning = (holder: string): boolean => {
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

/** Where process ids mean the same: this boot of this machine, and this container on it; empty where the system does not tell. */
const namespace = (): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
};
