/** SQLSTATE classes of a database that is away, starting, stopping, full, short of something, or too busy with others. */
const unavailableClasses = ['08', '40', '53', '57', '58'];
/** A server that only reads, as after a failover. */
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

/** Whether an error says that the database or the disk cannot work now, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean => {
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
};

const isUnavailableCode = (code: unknown): boolean => {
  if (typeof code !== 'string') return false;
  if (systemCodes.includes(code) || code === readOnlyTransaction) return true;
  return /^[0-9A-Z]{5}$/.test(code) && unavailableClasses.includes(code.slice(0, 2));
};

/** Whether an error is the database's answer that it undid the statement, and not a connection that broke over it. */
export const isRolledBack = (error: unknown): boolean => {
  const code = sqlstateOf(error);
  // The severity would say so, in the language of the server.
  return code !== null && !/^(?:08|57P|58|XX)/.test(code);
};

const serializationFailure = '40001';
const deadlock = '40P01';
const outOfMemory = '53200';
const programLimit = '54000';
const queryCanceled = '57014';

/** Whether a smaller transaction may succeed where this one failed, because it was too much at once or in another's way. */
export const isTooMuchAtOnce = (error: unknown): boolean =>
  [serializationFailure, deadlock, outOfMemory, programLimit, queryCanceled].includes(
    sqlstateOf(error) ?? '',
  );

const sqlstateOf = (error: unknown): string | null => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !systemCodes.includes(code) ? code : null;
};
