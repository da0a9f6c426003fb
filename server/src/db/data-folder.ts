import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { codeOf, StartError, sayError, settingNames } from '../lib/start/start-error.ts';

/** Called with a sentence about what was done to a folder. */
export type OnNotice = (message: string) => void;

/** The parts of the data folder that only its owner may access, with their modes. */
const parts = { '.': 0o700, postgres: 0o700, files: 0o700, secret: 0o600 };
/** An account that runs the database passes through the data folder, and can list nothing on the way. */
const passage = 0o011;

/**
 * Creates the data folder if it is missing, and restricts its contents to its owner. `onNotice` is called for what was changed or cannot be
 * changed.
 *
 * @throws StartError if there cannot be such a folder.
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
