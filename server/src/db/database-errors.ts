/** SQLSTATE classes of a database that is away, starting, stopping, full or short of something. */
const unavailableClasses = ['08', '53', '57', '58'];
const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOSPC'];
/** `pg` has no codes for these. */
const messages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** Whether an error says that the database or the disk cannot work now, so that the same request may succeed later. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (
    typeof code === 'string' &&
    (networkCodes.includes(code) || unavailableClasses.includes(code.slice(0, 2)))
  ) {
    return /^[0-9A-Z]{5}$/.test(code) || networkCodes.includes(code);
  }
  return messages.test(error.message) || error.name === 'FilesFull' || isUnavailable(error.cause);
};
