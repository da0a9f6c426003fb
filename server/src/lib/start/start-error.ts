/** Thrown if the server cannot start. `message` is one paragraph for its operator, with the remedy and the cause. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** `text` names the problem and the remedy. The message of the cause follows, or `said` in its place. */
  constructor(text: string, cause?: unknown, said?: string) {
    super(cause === undefined ? text : `${text} Cause: ${said ?? sayError(cause)}`, { cause });
  }
}

/** Returns the messages of an error and its causes in one line, without repetitions and without the stack. */
export function sayError(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const said: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = causeOf(at), depth += 1) {
    const text = at.message.trim() || codeOf(at);
    if (text !== '' && !said.some((before) => before.includes(text))) said.push(text);
  }
  return said.length > 0 ? said.join(' Cause: ') : String(error);
}

/** Returns the `code` of an error or of its causes, `''` if there is none. */
export function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = causeOf(at), depth += 1)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}

/** Returns the cause of an error. An attempt at several addresses fails with one error for each, and has no message of its own. */
function causeOf(error: Error): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause;
}
