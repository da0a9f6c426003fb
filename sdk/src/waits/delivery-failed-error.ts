import { PostriderError } from '../errors.ts';
import type { DeliveryStatus, Message, MessageRecipient } from '../generated/types.ts';

/** Why a message failed. */
export type DeliveryFailureReason =
  /** The recipient's server refused it. The address is now suppressed. */
  | 'bounced'
  /** The recipient marked it as spam. The address is now suppressed. */
  | 'complained'
  /** The mail provider refused it, or its recipients are no longer allowed to get mail. */
  | 'rejected'
  /** People refused it, or nobody approved it in time. It was not sent. */
  | 'not_approved'
  /** It expired before it could be handed over, because no server accepted it or sending was paused. */
  | 'expired'
  /** The connection broke during delivery, so it may have arrived. */
  | 'unconfirmed';

/** The statuses of recipients that the message failed for, from worst to best. */
const failures: DeliveryStatus[] = ['complained', 'bounced', 'rejected', 'failed'];

const explanations: Record<DeliveryFailureReason, { happened: string; next: string }> = {
  bounced: {
    happened: 'bounced, so no reply will come',
    next: 'Do not send it again: the address is now suppressed. Check the address, or write to another one.',
  },
  complained: {
    happened: 'was marked as spam',
    next: 'Do not write to this recipient again: the address is now suppressed.',
  },
  rejected: {
    happened: 'was refused, so no reply will come',
    next: 'Do not send it again unchanged.',
  },
  not_approved: {
    happened: 'was not approved by people, so it was not sent',
    next: 'Do not send it again unless they ask for it.',
  },
  expired: {
    happened: 'could not be delivered in time, so no reply will come',
    next: 'You can send it once more, as a new message. If that also expires, tell the people who run the server.',
  },
  unconfirmed: {
    happened: 'may or may not have arrived, because the connection broke during delivery',
    next: 'Do not send it again. Ask the recipient some other way, or tell the person who asked you.',
  },
};

const detailShown = 200;
const addressesShown = 3;

/**
 * The message whose reply was awaited failed for all of its recipients. The error's text is plain English for an
 * agent: what happened, what the other server or the people said, and what to do.
 */
export class DeliveryFailedError extends PostriderError {
  override readonly name = 'DeliveryFailedError';
  /** The message that failed. */
  readonly sent: Message;
  /** The thread of the message. */
  readonly threadId: string;
  /** The recipients that it failed for, the worst first. `detail` is what their servers, or the people, said. */
  readonly recipients: MessageRecipient[];
  /** Why it failed; the worst reason if recipients differ. */
  readonly reason: DeliveryFailureReason;
  /** Whether the same message may be sent again as it is, with a new `client_id`. */
  readonly isRetryable: boolean;

  constructor(sent: Message) {
    const recipients = sent.recipients
      .filter(hasFailed)
      .toSorted((one, other) => rankStatus(one) - rankStatus(other));
    const reason = findReason(recipients[0]);
    super(writeText(sent, recipients, reason));
    this.sent = sent;
    this.threadId = sent.thread_id;
    this.recipients = recipients;
    this.reason = reason;
    this.isRetryable = reason === 'expired';
    // This keeps the whole message out of the output for an uncaught error.
    Object.defineProperty(this, 'sent', { enumerable: false });
  }
}

/** Returns the error for a sent message that failed for all of its recipients; null while a reply may come. */
export function findDeliveryFailure(message: Message): DeliveryFailedError | null {
  const { recipients } = message;
  return recipients.length > 0 && recipients.every(hasFailed) ? new DeliveryFailedError(message) : null;
}

function hasFailed({ status }: MessageRecipient): boolean {
  return failures.includes(status);
}

function rankStatus({ status }: MessageRecipient): number {
  return failures.indexOf(status);
}

const notApproved = 'not_approved';

function findReason(worst: MessageRecipient | undefined): DeliveryFailureReason {
  const detail = worst?.detail ?? '';
  switch (worst?.status) {
    case 'bounced':
    case 'complained':
      return worst.status;
    case 'rejected':
      return detail.startsWith(`${notApproved}:`) ? notApproved : 'rejected';
    default:
      return detail.startsWith('unconfirmed') ? 'unconfirmed' : 'expired';
  }
}

function writeText(
  { subject }: Message,
  recipients: MessageRecipient[],
  reason: DeliveryFailureReason,
): string {
  const detail = recipients[0]?.detail;
  const addresses = recipients.slice(0, addressesShown).map(({ address }) => address);
  const more = recipients.length - addresses.length;
  const whom = more > 0 ? `${addresses.join(', ')} and ${more} more` : addresses.join(', ');
  const said = detail?.replace(/^(?:not_approved|expired|unconfirmed|feedback): /, '').slice(0, detailShown);
  const { happened, next } = explanations[reason];
  // The words of another server are quoted, because they are not those of this client.
  return `The message ${JSON.stringify(subject)} to ${whom} ${happened}${said ? `: ${JSON.stringify(said)}` : ''}. ${next}`;
}
