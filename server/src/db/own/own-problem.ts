import { statfsSync } from 'node:fs';
import { codeOf, StartError, settingNames } from '../../lib/start/start-error.ts';

/** The major version of the Postgres that this program includes. */
export const ownMajor = '18';

/** The release of the Postgres that this program includes. A minor release appears about every three months. */
export const ownRelease = { version: '18.4', releasedOn: '2026-05-14' };

const restore =
  'Restore the whole data folder from a copy that was made while the server was stopped; to start again, move this one away.';
const otherWays = `Set DATABASE_URL to a Postgres of your own, or ${settingNames.postgresBin} to a folder with the programs of Postgres ${ownMajor}.`;

/** Returns the error for a platform without programs of Postgres. */
export function noBinaries(): StartError {
  return new StartError(
    `The Postgres that comes with this program does not run on this system (${process.platform}, ${process.arch}). ${otherWays}`,
  );
}

/** Returns the error for a configured folder whose programs are missing or of another major version. */
export function otherBinaries(folder: string, version: string | null): StartError {
  const found = version === null ? 'has no Postgres programs that run here' : `has Postgres ${version}`;
  return new StartError(
    `${folder} (${settingNames.postgresBin}) ${found}, and Postgres ${ownMajor} is needed.`,
  );
}

/** Returns the error for root on a system where Postgres can run as nobody else. */
export function noOtherUser(): StartError {
  return new StartError(
    `Postgres refuses to run as this user, and this system allows neither a user namespace nor another account. Run this program as a separate user, or set DATABASE_URL.`,
  );
}

/** Returns the error for a data folder that the account of Postgres cannot reach, as below the closed home of root. */
export function unreachable(dataDir: string): StartError {
  return new StartError(
    `Postgres does not run as root, this system allows no user namespace, and the account that can run it may not enter ${dataDir}. Run this program as a separate user, name another ${settingNames.dataDir}, or set DATABASE_URL.`,
  );
}

/** Returns the error for a data folder whose database is missing while the rest of it is there. */
export function databaseGone(dataDir: string, others: string[]): StartError {
  return new StartError(
    `The data folder ${dataDir} holds what a server keeps beside its database (${others.join(', ')}), and its postgres folder is missing or empty. Nothing was changed. Restore the whole data folder from a copy, or set DATABASE_URL where the database is elsewhere; to start again, move this folder away.`,
  );
}

/** Returns the error for the data of an unreleased version, which kept it in another form. */
export function earlierForm(folder: string): StartError {
  return new StartError(
    `${folder} has the database of a version from before the first release, which this one does not read. Nothing was changed. To start again, move the data folder away.`,
  );
}

/** Returns the error for files of another major version of Postgres. */
export function anotherMajor(folder: string, major: string): StartError {
  return new StartError(
    `${folder} has files of Postgres ${major}, and this program has Postgres ${ownMajor}. Start the version of this program that made it, or restore a copy that this one made.`,
  );
}

/** Returns the error for a folder whose files are not a database. */
export function foreignFiles(folder: string, names: string[]): StartError {
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  const isCluster = names.includes('global') || names.includes('pg_wal') || names.includes('base');
  const what = isCluster
    ? 'are those of a database, but PG_VERSION, which every one has, is missing, as after a copy that was not finished'
    : 'are not those of a database';
  return new StartError(`${folder} holds files (${shown}) that ${what}. Nothing was changed. ${restore}`);
}

/** Returns an error that says why the folder cannot be locked. The lock is the first file that is written there. */
export function lockProblem(dataDir: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  const remedy =
    codeOf(error) === 'ENOSPC'
      ? 'its disk is full. Free some space and start again; nothing of it is lost.'
      : 'this user cannot write there, or the file system has no hard links. Give it to the user that runs this program, or name another folder.';
  return new StartError(`The data folder ${dataDir} cannot be locked: ${remedy}`, error);
}

/** Returns an error that says why Postgres did not start or could not create its files. `said` is its output. */
export function startProblem(dataDir: string, said: string, error?: unknown): StartError {
  if (error instanceof StartError) return error;
  const problem = (what: string) =>
    new StartError(
      `The database in ${dataDir} does not start: ${what}`,
      error ?? new Error(lastWords(said)),
      said === '' ? undefined : lastWords(said),
    );
  if (/No space left on device/.test(said) || /^(ENOSPC|53100)$/.test(codeOf(error)) || isFull(dataDir))
    return problem('its disk is full. Free some space and start again; nothing of it is lost.');
  if (
    /Permission denied|Read-only file system|Operation not permitted/.test(said) ||
    /^(EACCES|EPERM|EROFS)$/.test(codeOf(error))
  )
    return problem('this user cannot read or write all of it. Give it to the user that runs this program.');
  return problem(`its files are damaged, or the system refuses what it needs. ${restore}`);
}

/** The SQLSTATEs of files that are missing or cannot be read or written, of damaged rows and indexes, and of a full disk. */
const ofFiles = /^(?:58...|XX00[12]|53100)$/;

/** Returns an error that explains an error of a query about the files of the database. Any other error is returned unchanged. */
export function explainDamage(dataDir: string, error: unknown): unknown {
  return ofFiles.test(codeOf(error)) ? startProblem(dataDir, '', error) : error;
}

/** Returns the last error that Postgres wrote, with its detail but without the time and the process. */
function lastWords(said: string): string {
  const lines = said.split('\n').map((line) => line.replace(/^.*?\[\d+\] /, '').trim());
  const last = lines.findLastIndex((line) => /(?:PANIC|FATAL|ERROR):|^(?:postgres|initdb):/i.test(line));
  if (last < 0) return lines.findLast((line) => line !== '') ?? 'it said nothing';
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
