import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from './folders.mjs';

/**
 * Hashes the names and contents of files, and of all files in folders. Paths are relative to the repository; what does not exist is left
 * out.
 * @param {string[]} sources
 * @returns {string}
 */
export function hashSources(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(rootFolder, file)));
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]} the file, or the files of the folder
 */
function filesIn(path) {
  const full = join(rootFolder, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(rootFolder.length));
}
