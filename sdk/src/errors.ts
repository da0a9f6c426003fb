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

/** Why a delivery was not taken for one. The last three are mistakes of the receiver and not of the sender. */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'malformed_body'
  | 'body_too_large'
  | 'body_incomplete'
  | 'missing_secret'
  | 'malformed_secret'
  | 'parsed_body';

/** A request that is not a delivery that was signed with the webhook's secret; `reason` says why. */
export class WebhookVerificationError extends PostriderError {
  override readonly name = 'WebhookVerificationError';
  /** Why, as a code. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string = reason) {
    super(message);
    this.reason = reason;
  }
}
