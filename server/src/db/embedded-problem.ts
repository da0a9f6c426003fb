import { statfsSync } from 'node:fs';
import { codeOf, StartError } from '../lib/start/start-error.ts';

/** The numbers of file errors within WebAssembly, where errors have no text. */
const wasmErrors: Record<number, string> = { 2: 'EACCES', 51: 'ENOSPC', 63: 'EPERM', 69: 'EROFS' };

const restore =
  'Restore the whole data folder from a copy that was made while the server was stopped; to begin anew, move this one away.';

/** Returns an error that says why the embedded database in a folder does not open. `said` has the lines that Postgres itself wrote. */
export function embeddedProblem(dataDir: string, error: unknown, said: string[]): StartError {
  if (error instanceof StartError) return error;
  const wasmError = wasmErrors[Number((error as { errno?: number })?.errno)];
  const text = said.join('\n');
  const code = wasmError ?? codeOf(error);
  const problem = (what: string) =>
    new StartError(
      `The embedded database in ${dataDir} does not open: ${what}`,
      error,
      lastWords(said) ?? wasmError,
    );
  if (/^(?:ENOSPC|53100)$/.test(code) || /No space left on device/.test(text) || isFull(dataDir))
    return problem('its disk is full. Free some space and start again; nothing of it is lost.');
  if (/^(EACCES|EPERM|EROFS)$/.test(code) || /Permission denied|Read-only file system/.test(text))
    return problem('this user may not read or write all of it. Give it to the user that runs this program.');
  if (/initialized by PostgreSQL version/.test(text)) return problem(anotherVersion);
  return problem(`it is damaged. ${restore}`);
}

/** The SQLSTATEs of files that are missing or cannot be read or written, of damaged rows and indexes, and of a full disk. */
const ofFiles = /^(?:58...|XX00[12]|53100)$/;

/** Returns an error that explains an error of a query about the files of the database. Any other error is returned unchanged. */
export function damageOf(dataDir: string, error: unknown): unknown {
  return ofFiles.test(codeOf(error)) ? embeddedProblem(dataDir, error, []) : error;
}

/** Returns an error that says why the folder of an embedded database cannot be locked. The lock is the first file that is written there. */
export function lockProblem(dataDir: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const remedy =
    codeOf(error) === 'ENOSPC'
      ? 'its disk is full. Free some space and start again; nothing of it is lost.'
      : 'this user may not write there, or its file system has no hard links. Give it to the user that runs this program, or name another folder.';
  return new StartError(`The data folder ${dataDir} cannot be locked: ${remedy}`, error);
}

/** Returns the error for a data folder whose database is missing while the rest of it is there. */
export function databaseGone(dataDir: string, others: string[]): StartError {
  return new StartError(
    `The data folder ${dataDir} holds what a server keeps beside its database (${others.join(', ')}), and its database folder is missing or empty. Nothing was changed. Restore the whole data folder from a copy, or set DATABASE_URL where the database is in Postgres; to begin anew, move this folder away.`,
  );
}

/** The problem and the remedy for files of another version of Postgres. */
export const anotherVersion =
  'it was made by another version of Postgres than the one in this program. Start the version of this program that made it, or restore a copy that this one made.';

/** Returns the error for a database folder whose files are not a database. */
export function foreignFiles(folder: string, names: string[]): StartError {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  const isCluster = names.includes('global') || names.includes('pg_wal') || names.includes('base');
  const what = isCluster
    ? 'are those of a database, but PG_VERSION, which every one has, is missing, as after a copy that was not finished'
    : 'are not those of a database';
  return new StartError(`${folder} holds files (${shown}) that ${what}. Nothing was changed. ${restore}`);
}

/** Returns the last error that Postgres wrote, with its detail but without the time and the process. */
function lastWords(said: string[]): string | undefined {
  const lines = said.map((line) => line.replace(/^.*?\[\d+\] /, '').trim());
  const last = lines.findLastIndex((line) => /^(?:PANIC|FATAL|ERROR):|^postgres:/.test(line));
  if (last < 0) return undefined;
  const detail = lines[last + 1]?.startsWith('DETAIL:') ? ` ${lines[last + 1]}` : '';
  return `${lines[last]}${detail}`.replaceAll(/ {2,}/g, ' ');
}

function isFull(dataDir: string): boolean {
  try {
    return statfsSync(dataDir).bavail === 0;
  } catch {
    return false;
  }
}
