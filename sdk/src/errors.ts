import type { Message } from './generated/types.ts';

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

/** What came while a message was waited for that did not. */
export interface OtherMessages {
  count: number;
  last: Message | null;
}

/** No message that was waited for came in time; `cause` is the failure that kept the log from being read, if one did. */
export class WaitTimeoutError extends TimeoutError {
  override readonly name = 'WaitTimeoutError';
  /** How long it was waited. */
  readonly timeoutMs: number;
  /** How many inbound messages came that were not the one. */
  readonly otherMessages: number;

  constructor(waitedFor: string, timeoutMs: number, others: OtherMessages, failure: unknown) {
    const reason = failure === null ? '' : `; the last request failed: ${String(failure).replace(/\.$/, '')}`;
    super(
      `No ${waitedFor} came within ${timeoutMs / 1000} s${othersText(others)}${reason}.`,
      failure === null ? undefined : { cause: failure },
    );
    this.timeoutMs = timeoutMs;
    this.otherMessages = others.count;
  }
}

function othersText({ count, last }: OtherMessages): string {
  if (last === null) return '';
  const text = `${JSON.stringify(last.subject)} from ${last.from_addr}`;
  return count === 1 ? `, but ${text} did` : `, but ${count} others did, the last ${text}`;
}
