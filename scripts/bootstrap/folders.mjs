import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

const notesFolder = join(rootFolder, 'node_modules', '.postrider');

/**
 * Reads a JSON note that an earlier run left; null when there is none or it is damaged.
 * @param {string} name
 * @returns {Record<string, unknown> | null}
 */
export function readNote(name) {
  try {
    const note = JSON.parse(readFileSync(join(notesFolder, name), 'utf8'));
    return typeof note === 'object' ? note : null;
  } catch {
    return null;
  }
}

/**
 * Leaves a JSON note for later runs. A note only saves time, so a folder that cannot be written to is no error.
 * @param {string} name
 * @param {Record<string, unknown>} note
 */
export function writeNote(name, note) {
  try {
    mkdirSync(notesFolder, { recursive: true });
    writeFileSync(join(notesFolder, name), `${JSON.stringify(note, null, 2)}\n`);
  } catch {}
}
