/** What every error of this client extends; thrown itself when the client is used wrongly. */
export class PostriderError extends Error {
  override readonly name: string = 'PostriderError';
}

/** No answer came: the server could not be reached, or the connection broke before the answer was whole. */
export class ConnectionError extends PostriderError {
  override readonly name = 'ConnectionError';
}

/** No answer came in time, in any of the attempts. */
export class TimeoutError extends PostriderError {
  override readonly name: string = 'TimeoutError';
}

/** The caller's `signal` ended the call; `cause` is its reason. */
export class AbortedError extends PostriderError {
  override readonly name = 'AbortedError';
}

/** No message that was waited for came in time. */
export class WaitTimeoutError extends TimeoutError {
  override readonly name = 'WaitTimeoutError';
  /** How long it was waited. */
  readonly timeoutMs: number;
  /** How many messages passed the filters, but not `match`. */
  readonly otherMessages: number;

  constructor(waitedFor: string, timeoutMs: number, otherMessages: number) {
    const others =
      otherMessages === 0 ? '' : ` (${otherMessages} other${otherMessages === 1 ? '' : 's'} did)`;
    super(`No ${waitedFor} came within ${timeoutMs / 1000} s${others}.`);
    this.timeoutMs = timeoutMs;
    this.otherMessages = otherMessages;
  }
}
