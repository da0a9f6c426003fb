import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFileError } from './file-errors.ts';
import { syncFolder } from './sync-folder.ts';

const making = new Map<string, Promise<void>>();

/** Creates a folder and its parents, each readable by its owner only and durable in its parent. */
export function makeFolder(folder: string): Promise<void> {
  const pending = making.get(folder);
  if (pending !== undefined) return pending;
  const made = makeDurably(folder).finally(() => making.delete(folder));
  making.set(folder, made);
  return made;
}

/** Resolves once a folder that is being created is durable; at once if it is not being created. */
export function folderMade(folder: string): Promise<void> {
  return making.get(folder) ?? Promise.resolve();
}

async function makeDurably(folder: string): Promise<void> {
  const parent = dirname(folder);
  const above = await mkdirOnce(folder);
  if (above === 'missing') {
    await makeFolder(parent);
    await mkdirOnce(folder);
  }
  // The parent may exist only in memory so far, because the call that created it is still waiting for its fsync.
  await Promise.all([syncFolder(parent), folderMade(parent)]);
}

async function mkdirOnce(folder: string): Promise<'made' | 'missing'> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return 'made';
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return 'made';
    if (isFileError(error, 'ENOENT')) return 'missing';
    throw error;
  }
}
