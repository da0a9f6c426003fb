import { opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileError } from './file-errors.ts';

const unlinksAtOnce = 16;
const roundsMax = 5;

/** Removes a folder and everything in it, and reads long listings in parts. A missing folder is not an error. */
export async function removeTree(folder: string): Promise<void> {
  for (let round = 1; ; round += 1) {
    if (!(await removeEntries(folder))) return;
    try {
      await rmdir(folder);
      return;
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return;
      // Some file systems skip names while others are being removed, and a late `put` may have added one.
      if (round === roundsMax || !isFileError(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

/** Returns false if there is no such folder. */
async function removeEntries(folder: string): Promise<boolean> {
  const listing = await opendir(folder, { bufferSize: 256 }).catch((error: unknown) => {
    if (isFileError(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  });
  if (listing === null) return false;
  let batch: Promise<void>[] = [];
  for await (const entry of listing) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(path);
    else batch.push(removeFile(path));
    if (batch.length === unlinksAtOnce) {
      await Promise.all(batch);
      batch = [];
    }
  }
  await Promise.all(batch);
  return true;
}

/** Removes a file. A missing file is not an error. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isFileError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) throw error;
  }
}
