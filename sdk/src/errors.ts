import type { DeliveryStatus, Message } from './generated/types.ts';

/**
 * The base class of all errors of this client. A plain `PostriderError` means that the client was used
 * incorrectly.
 */
export class PostriderError extends Error {
  override readonly name: string = 'PostriderError';
}

/** No response: the server could not be reached, or the connection broke before the response was complete. */
export class ConnectionError extends PostriderError {
  override readonly name = 'ConnectionError';
}

/** No attempt got a response in time. */
export class TimeoutError extends PostriderError {
  override readonly name: string = 'TimeoutError';
}

/** The caller's `signal` ended the call; `cause` is the reason of the signal. */
export class AbortedError extends PostriderError {
  override readonly name = 'AbortedError';
}

/** The messages that arrived during a wait but were not the awaited one. */
export interface OtherMessages {
  count: number;
  last: Message | null;
}

/** The awaited message did not arrive in time. If the last request failed, `cause` is its error. */
export class WaitTimeoutError extends TimeoutError {
  override readonly name = 'WaitTimeoutError';
  /** The time limit of the wait, in milliseconds. */
  readonly timeoutMs: number;
  /** The number of inbound messages that arrived but were not the awaited one. */
  readonly otherMessages: number;
  /**
   * The status of the message whose reply or delivery was awaited, when it was last read, such as `held` while people have not
   * approved it; null if the wait was for other mail.
   */
  readonly sentStatus: DeliveryStatus | null;

  constructor(
    waitedFor: string,
    timeoutMs: number,
    others: OtherMessages,
    failure: unknown,
    sentStatus: DeliveryStatus | null = null,
  ) {
    const reason = failure === null ? '' : `; the last request failed: ${String(failure).replace(/\.$/, '')}`;
    super(
      `No ${waitedFor} arrived within ${timeoutMs / 1000} s${othersText(others)}${reason}.${statusText(sentStatus)}`,
      failure === null ? undefined : { cause: failure },
    );
    this.timeoutMs = timeoutMs;
    this.otherMessages = others.count;
    this.sentStatus = sentStatus;
  }
}

/** A message that has not been sent yet cannot have a reply. */
function statusText(status: DeliveryStatus | null): string {
  if (status === 'held') return ' The message was held: it will be sent once people approve it.';
  return status === 'deferred' ? ' The message was deferred: the server will try to deliver it again.' : '';
}

function othersText({ count, last }: OtherMessages): string {
  if (last === null) return '';
  const text = `${JSON.stringify(last.subject)} from ${last.from_addr}`;
  return count === 1 ? `, but ${text} did` : `, but ${count} others did, the last ${text}`;
}

/** The reason why a request was refused. The last three are mistakes of the receiver, not of the sender. */
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

/** The request is not a delivery that was signed with the webhook's secret; `reason` says why. */
export class WebhookVerificationError extends PostriderError {
  override readonly name = 'WebhookVerificationError';
  /** The reason, as a code. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string = reason) {
    super(message);
    this.reason = reason;
  }
}
