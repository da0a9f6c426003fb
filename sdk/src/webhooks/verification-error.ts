import { PostriderError } from '../errors.ts';

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
