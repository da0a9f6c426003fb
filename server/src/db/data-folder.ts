import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
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
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { codeOf, StartError, sayError, settingNames } from '../lib/start/start-error.ts';

/** Called with a sentence about a change to a folder. */
export type OnNotice = (message: string) => void;

/** The parts of the data folder that only its owner may access, with their modes. */
const parts = { '.': 0o700, postgres: 0o700, files: 0o700, secret: 0o600 };
/** An account that runs the database passes through the data folder, and can list nothing on the way. */
const passage = 0o011;

/**
 * Creates the data folder if it is missing, and restricts its contents to its owner. `onNotice` is called for each change, and for anything
 * that cannot be changed.
 *
 * @throws StartError if the folder cannot be created.
 */
export function prepareDataFolder(dataDir: string, onNotice: OnNotice = () => {}): void {
  try {
    makeOwnFolder(dataDir);
  } catch (error) {
    throw new StartError(whyNoFolder(dataDir, codeOf(error)), error);
  }
  for (const [name, mode] of Object.entries(parts))
    keepToOwner(join(dataDir, name), mode, name === '.' ? passage : 0, onNotice);
}

function whyNoFolder(dataDir: string, code: string): string {
  const named = `The data folder ${dataDir} (${settingNames.dataDir})`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${named} is a file or lies below one: name a folder, or one that can be made.`;
  if (code === 'ENOSPC') return `${named} cannot be made because its disk is full: free some space.`;
  return `${named} cannot be made by this user: make it and give it to the user that runs this program, or name another one.`;
}

function keepToOwner(path: string, mode: number, allowed: number, onNotice: OnNotice): void {
  if (!existsSync(path)) return;
  const found = statSync(path).mode & 0o777;
  if ((found & 0o077 & ~allowed) === 0) return;
  const octal = (bits: number) => `0${bits.toString(8)}`;
  try {
    chmodSync(path, mode);
    onNotice(
      `${path} could be read by others (mode ${octal(found)}): it is for its owner only now (${octal(mode)})`,
    );
  } catch (error) {
    onNotice(
      `${path} can be read by others (mode ${octal(found)}) and that cannot be changed: ${sayError(error)}`,
    );
  }
}

/** How far apart two processes may take over the same stale lock; the later one gets it. */
const takeOverSettleMs = 100;

const renewIntervalMs = 2_000;

/** The time for which a lock from elsewhere counts without a renewal. */
const unrenewedMsMax = 20_000;

const watchIntervalMs = 200;

/**
 * Takes the lock file `<name>.lock` of a folder and returns a function that releases it. A lock whose process has ended, for example after
 * a `kill -9`, is taken over: at once if the process can be looked up. The process id means nothing in another container or machine, so
 * such a lock is taken over once it has not been renewed for 20 s.
 *
 * @throws StartError that names the process that holds the lock.
 */
export async function lockFolder(folder: string, name: string): Promise<() => Promise<void>> {
  const path = join(folder, `${name}.lock`);
  const own = [process.pid, processStart(process.pid), namespace()].join(' ').trim();
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
  const renewedAt = lastRenewal(path);
  const until = Math.min(renewedAt ?? 0, Date.now()) + unrenewedMsMax;
  while (Date.now() < until) {
    await sleep(watchIntervalMs);
    const latest = lastRenewal(path);
    if (latest !== renewedAt) return latest !== undefined;
  }
  return false;
}

/** Returns the time of the last renewal in ms since the epoch, or undefined if the lock was released. */
function lastRenewal(path: string): number | undefined {
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
  return processStart(Number(pid)) === start;
}

function processStart(pid: number): string {
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
