/*
 * Files on a disk. A file is written to `.incoming`, flushed, renamed to its place and made durable there by an fsync of its folder, so
 * that a crash at any moment leaves the whole file or nothing. Files whose names begin with a TypeID are kept in folders of about nine
 * hours each (`~01jd3`), because one folder would otherwise grow for as long as its inbox exists.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { removeFile, removeTree, syncFolder } from './disk-folders.ts';
import {
  type ByteRange,
  checkRange,
  type Files,
  FilesFull,
  isFileError,
  type OpenedFile,
  type StoredFile,
  splitKey,
} from './files.ts';
import { discard, expectErrors, readSource } from './read-source.ts';

const foldersBeingMade = new Map<string, Promise<void>>();

const leftoverAgeMsMin = 3_600_000;
const renameTriesMax = 50;
const deletesAtOnce = 16;

/** Creates file storage in a folder of this machine. The folder is created with the first file. */
export function createDiskFiles(root: string): Files {
  const incoming = join(root, '.incoming');
  const filePath = (key: string) => locate(root, key);
  return {
    async put(key, source, { bytesMax } = {}) {
      const target = filePath(key);
      expectErrors(source);
      try {
        return await putDurably(incoming, target, source, bytesMax);
      } catch (error) {
        discard(source);
        throw isFileError(error, 'ENOSPC', 'EDQUOT') ? new FilesFull(error) : error;
      }
    },
    open: (key, range) => openPath(filePath(key), range),
    read: (key) => unlessMissing(readFile(filePath(key))),
    async delete(keys) {
      const paths = keys.map(filePath);
      for (let start = 0; start < paths.length; start += deletesAtOnce) {
        await Promise.all(paths.slice(start, start + deletesAtOnce).map(removeFile));
      }
    },
    deletePrefix: (prefix, meanwhile) => removeTree(join(root, ...splitKey(prefix)), meanwhile),
    async check() {
      await makeFolder(incoming);
      await removeLeftovers(incoming);
      const probe = join(incoming, `check-${randomUUID()}`);
      await writeFile(probe, 'ok', { flag: 'wx', mode: 0o600 }).finally(() => removeFile(probe));
    },
    async close() {},
  };
}

/** The first five characters of a TypeID's suffix change every 2^25 ms. */
function locate(root: string, key: string): string {
  const segments = splitKey(key);
  const name = segments.pop() ?? '';
  const span = /^[a-z]{3}_([0-7][0-9a-z]{4})[0-9a-z]{21}(?![0-9a-z])/.exec(name)?.[1];
  return join(root, ...segments, ...(span === undefined ? [] : [`~${span}`]), name);
}

async function putDurably(
  incoming: string,
  target: string,
  source: Readable | Uint8Array,
  bytesMax: number | undefined,
): Promise<StoredFile> {
  const temp = join(incoming, randomUUID());
  try {
    const stored = await writeFlushed(await openNew(temp), source, bytesMax);
    await moveTo(target, temp);
    return stored;
  } catch (error) {
    await removeFile(temp);
    throw error;
  }
}

async function openNew(temp: string): Promise<FileHandle> {
  try {
    return await open(temp, 'wx', 0o600);
  } catch (error) {
    if (!isFileError(error, 'ENOENT')) throw error;
    await makeFolder(dirname(temp));
    return open(temp, 'wx', 0o600);
  }
}

async function writeFlushed(
  handle: FileHandle,
  source: Readable | Uint8Array,
  bytesMax: number | undefined,
): Promise<StoredFile> {
  try {
    const stored = await readSource(source, bytesMax, (chunk) => handle.writeFile(chunk));
    // fdatasync flushes the size. The modification time, which it may leave out, is not needed here.
    await handle.datasync();
    return stored;
  } finally {
    await handle.close();
  }
}

async function moveTo(target: string, temp: string): Promise<void> {
  const folder = dirname(target);
  for (let tries = 1; ; tries += 1) {
    try {
      if (tries > 1) await makeFolder(folder);
      await rename(temp, target);
      break;
    } catch (error) {
      // The folder is new, or a `deletePrefix` has just removed it.
      if (tries === renameTriesMax || !isFileError(error, 'ENOENT')) throw error;
    }
  }
  try {
    await Promise.all([syncFolder(folder), folderMade(folder)]);
  } catch (error) {
    // A `deletePrefix` after the rename removed the file with its folder, as it would have a moment later.
    if (!isFileError(error, 'ENOENT') || (await unlessMissing(stat(target))) !== null) throw error;
  }
}

async function openPath(path: string, range: ByteRange | undefined): Promise<OpenedFile | null> {
  const handle = await unlessMissing(open(path, 'r'));
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      await handle.close();
      return null;
    }
    if (range !== undefined) checkRange(range, stats.size);
    return { stream: handle.createReadStream(range ?? {}), sizeBytes: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (isFileError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return null;
    throw error;
  }
}

/** Removes files that an interrupted `put` left. Files that another process is still writing are too young to be removed. */
async function removeLeftovers(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const stats = await unlessMissing(stat(path));
    if (stats !== null && Date.now() - stats.mtimeMs > leftoverAgeMsMin) await removeFile(path);
  }
}

/** Creates a folder and its parents, each readable by its owner only and durable in its parent. */
function makeFolder(folder: string): Promise<void> {
  const pending = foldersBeingMade.get(folder);
  if (pending !== undefined) return pending;
  const made = makeDurably(folder).finally(() => foldersBeingMade.delete(folder));
  foldersBeingMade.set(folder, made);
  return made;
}

/** Resolves once a folder that is being created is durable; at once if it is not being created. */
function folderMade(folder: string): Promise<void> {
  return foldersBeingMade.get(folder) ?? Promise.resolve();
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
