import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, each for its owner only. Node's own way never ends below /proc, where no
 * folder can be made and the system says that the one above is missing.
 *
 * @throws Error of the system, such as EACCES, or ENOTDIR where a file stands in the way.
 */
export const makeOwnFolder = (folder: string): void => {
  const missing: string[] = [];
  for (let at = folder; !isFolder(at); at = dirname(at)) missing.unshift(at);
  for (const at of missing) mkdirUnlessThere(at);
};

const isFolder = (path: string): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: ${path} is not a folder`), { code: 'ENOTDIR' });
  return found !== undefined;
};

const mkdirUnlessThere = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
};
