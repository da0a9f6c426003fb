import { open, opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileError } from './files.ts';

const unlinksAtOnce = 16;
const entriesPerBatch = 1_000;
/** Rounds in which a folder shows nothing to remove, and still is not empty. */
const idleRoundsMax = 5;

/**
 * Removes a folder and everything in it, and reads long listings in parts. A missing folder is not an error. It calls `meanwhile` before
 * every 1,000 entries of a folder.
 */
export async function removeTree(
  folder: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  for (let idleRounds = 0; ; ) {
    const removed = await removeEntries(folder, meanwhile);
    if (removed === null) return;
    idleRounds = removed === 0 ? idleRounds + 1 : 0;
    try {
      await rmdir(folder);
      return;
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return;
      // Some file systems skip names while others are being removed, and a late `put` may have added one.
      if (idleRounds === idleRoundsMax || !isFileError(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

/** Returns how many entries were removed; null if there is no such folder. */
async function removeEntries(folder: string, meanwhile: () => Promise<void>): Promise<number | null> {
  const listing = await opendir(folder, { bufferSize: 256 }).catch((error: unknown) => {
    if (isFileError(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  });
  if (listing === null) return null;
  let removed = 0;
  const files: string[] = [];
  for await (const entry of listing) {
    if (removed % entriesPerBatch === 0) await meanwhile();
    removed += 1;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(path, meanwhile);
    else files.push(path);
    if (files.length === unlinksAtOnce) await Promise.all(files.splice(0).map(removeFile));
  }
  await Promise.all(files.map(removeFile));
  return removed;
}

/** Removes a file. A missing file is not an error. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isFileError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) throw error;
  }
}

interface FolderSync {
  running: Promise<void> | null;
  waiting: Promise<void> | null;
}

const syncs = new Map<string, FolderSync>();

/**
 * Makes the names in a folder durable. Callers that arrive while an fsync of the folder runs share the next one. It must begin after their
 * own renames, but one is enough for all of them.
 */
export function syncFolder(folder: string): Promise<void> {
  const sync = syncs.get(folder) ?? { running: null, waiting: null };
  syncs.set(folder, sync);
  if (sync.waiting !== null) return sync.waiting;
  if (sync.running === null) return start(folder, sync);
  const next = () => start(folder, sync);
  sync.waiting = sync.running.then(next, next);
  return sync.waiting;
}

function start(folder: string, sync: FolderSync): Promise<void> {
  sync.waiting = null;
  const running = fsyncOnce(folder).finally(() => {
    // A waiting caller has scheduled its own turn on this promise, and then replaces `running`.
    if (sync.waiting === null) syncs.delete(folder);
    sync.running = null;
  });
  sync.running = running;
  return running;
}

async function fsyncOnce(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
