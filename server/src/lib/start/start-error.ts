/** The server cannot start: `message` is one paragraph for its operator, with the remedy and the cause. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** `text` names the problem and the remedy; behind it stands what the cause says, or `said` in its place. */
  constructor(text: string, cause?: unknown, said?: string) {
    super(cause === undefined ? text : `${text} Cause: ${said ?? sayError(cause)}`, { cause });
  }
}

/** What an error says, and its causes say beside that, in one line and without the stack. */
export const sayError = (error: unknown): string => {
  if (error instanceof StartError) return error.message;
  const said: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = causeOf(at), depth += 1) {
    const text = at.message.trim() || codeOf(at);
    if (text !== '' && !said.some((before) => before.includes(text))) said.push(text);
  }
  return said.length > 0 ? said.join(' Cause: ') : String(error);
};

/** The `code` of an error or of its causes, `''` where there is none. */
export const codeOf = (error: unknown): string => {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = causeOf(at), depth += 1)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
};

/** An attempt at several addresses fails with an error for each, and says nothing itself. */
const causeOf = (error: Error): unknown =>
  error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause;
