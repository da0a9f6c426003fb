import { codeOf, StartError, sayError } from '../lib/start/start-error.ts';

/** SQLSTATE classes of a database that is unreachable, starting, stopping, full, short of a resource, or too busy with other work. */
const unavailableClasses = ['08', '40', '53', '57', '58'];
/** The SQLSTATE of a server that is read-only, as after a failover. */
const readOnlyTransaction = '25006';
const systemCodes = [
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOSPC',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];
/** `pg` has no codes for these. */
const messages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/;

/** Returns whether an error means that the database or the disk cannot work now, so that the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    isUnavailableCode(code) ||
    messages.test(error.message) ||
    error.name === 'FilesFull' ||
    // A host with several addresses, each of which was tried.
    (error instanceof AggregateError && error.errors.some(isUnavailable)) ||
    isUnavailable(error.cause)
  );
}

function isUnavailableCode(code: unknown): boolean {
  if (typeof code !== 'string') return false;
  if (systemCodes.includes(code) || code === readOnlyTransaction) return true;
  return /^[0-9A-Z]{5}$/.test(code) && unavailableClasses.includes(code.slice(0, 2));
}

/** Returns whether an error is the database's report that it undid the statement, and not a connection that broke meanwhile. */
export function isRolledBack(error: unknown): boolean {
  const code = readSqlstate(error);
  // The severity would show this, but in the language of the server.
  return code !== null && !/^(?:08|57P|58|XX)/.test(code);
}

/** Returns whether the database can never hold the data of a statement (classes 22 and 54 of SQLSTATE), such as the text of a mail. */
export function isRefusedData(error: unknown): boolean {
  return /^(22|54)/.test(readSqlstate(error) ?? '');
}

const serializationFailure = '40001';
const deadlock = '40P01';
const uniqueViolation = '23505';
const outOfMemory = '53200';
const programLimit = '54000';
const queryCanceled = '57014';

/** Returns whether a row was not written because another one has the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return readSqlstate(error) === uniqueViolation;
}

/** Returns whether a smaller transaction may succeed after this failure, because it was too much at once or conflicted with another one. */
export function isTooMuchAtOnce(error: unknown): boolean {
  return [serializationFailure, deadlock, outOfMemory, programLimit, queryCanceled].includes(
    readSqlstate(error) ?? '',
  );
}

/** Returns whether the database ended a statement because it took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return readSqlstate(error) === queryCanceled;
}

function readSqlstate(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !systemCodes.includes(code) ? code : null;
}

/** Returns an error that says why Postgres cannot be used, with the address that was tried and without its password. */
export function postgresProblem(url: string, error: unknown): Error {
  if (error instanceof StartError) return error;
  const code = codeOf(error);
  const named = `Postgres at ${withoutSecrets(url)} (DATABASE_URL)`;
  return new StartError(`${named} ${wayOut(code)}`, error, withoutText(sayError(error), readPassword(url)));
}

function wayOut(code: string): string {
  if (code === '28P01' || code === '28000')
    return 'refuses the user or the password. Check both in DATABASE_URL.';
  if (code === '3D000') return 'has no such database. Create it, or name another one in DATABASE_URL.';
  if (code === '53300') return 'has no connection left. Raise its max_connections, or start fewer processes.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found. Check the host in DATABASE_URL.';
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57')) return 'cannot be used.';
  return 'cannot be reached. Start it, or correct DATABASE_URL; the server does not wait for it.';
}

function withoutSecrets(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) return 'an address that is no URL';
  const user = parsed.username ? `${parsed.username}@` : '';
  const socket = parsed.searchParams.get('host');
  return `${parsed.protocol}//${user}${socket ?? parsed.host}${parsed.pathname}`;
}

function readPassword(url: string): string {
  if (!URL.canParse(url)) return '';
  const { password, searchParams } = new URL(url);
  return password || (searchParams.get('password') ?? '');
}

function withoutText(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '…').replaceAll(decodeURIComponent(secret), '…');
}
