import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, each for its owner only. Node's own way never ends below /proc, where no folder can be created
 * and the system reports that the parent is missing.
 *
 * @throws Error of the system, such as EACCES, or ENOTDIR if a file is in the way.
 */
export function makeOwnFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !isFolder(at); at = dirname(at)) missing.unshift(at);
  for (const at of missing) mkdirUnlessThere(at);
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' });
  return found !== undefined;
}

function mkdirUnlessThere(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}
