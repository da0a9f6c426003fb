import type { DeliveryStatus, Message } from 'postrider';
import { messageText } from '#strings/message.ts';
import type { Tone } from '../../parts/status-badge.tsx';

type Recipient = Message['recipients'][number];
type Progress = Pick<Message, 'delivery_status' | 'recipients'>;

/** A step on the way of a message to one recipient. */
export interface StoryStep {
  at: string;
  sentence: string;
  /** The words of the other server. */
  said: string | null;
}

const { proof: proofText, story: text } = messageText;
/** The beginning of the detail of a message that was refused, or that nobody approved in time. */
const notApproved = 'not_approved: ';

/** Returns the way of a message to one recipient, as far as it is known. */
export function tellStory(
  { created_at }: Pick<Message, 'created_at'>,
  { status, detail, sandboxed, updated_at }: Recipient,
): StoryStep[] {
  const wasHeld = status === 'held' || isNotApproved({ status, detail });
  const first = { at: created_at, sentence: wasHeld ? text.held : text.sent, said: null };
  if (sandboxed) return [first, { at: updated_at, sentence: text.sandboxed, said: null }];
  const [reason, said] = readDetail(status, detail);
  return [first, { at: updated_at, sentence: reason ?? text.states[status], said }];
}

/** Returns whether a message waits for approval, or was not sent because nobody approved it. */
export function isOfApproval({ delivery_status, recipients }: Progress): boolean {
  return delivery_status === 'held' || recipients.some(isNotApproved);
}

/** Returns the words for the status of a message that was sent. */
export function statusText({ delivery_status, recipients }: Progress): string {
  return recipients.some(isNotApproved) ? text.shortNotApproved : text.short[delivery_status];
}

/** Returns the word for the state of a recipient. */
export function recipientWord(recipient: Pick<Recipient, 'status' | 'detail' | 'sandboxed'>): string {
  if (recipient.sandboxed) return text.kept;
  return isNotApproved(recipient) ? text.shortNotApproved : text.short[recipient.status];
}

function isNotApproved({ status, detail }: Pick<Recipient, 'status' | 'detail'>): boolean {
  return status === 'rejected' && detail?.startsWith(notApproved) === true;
}

/** Returns the reason of a failure, whose detail begins with its word, and what the other server said. */
function readDetail(status: DeliveryStatus, detail: string | null): [string | null, string | null] {
  if (isNotApproved({ status, detail })) return [text.notApproved, null];
  if (detail === null || status !== 'failed') return [null, detail];
  const { reason, rest } = /^(?<reason>expired|unconfirmed)(?:: (?<rest>.*))?$/s.exec(detail)?.groups ?? {};
  if (reason === 'expired') return [text.expired, rest ?? null];
  if (reason === 'unconfirmed') return [text.unconfirmed, rest ?? null];
  return [null, detail];
}

/** How good the news of a status is. */
export const statusTones: Record<DeliveryStatus, Tone> = {
  received: 'quiet',
  queued: 'waiting',
  held: 'waiting',
  sending: 'waiting',
  sent: 'good',
  delivered: 'good',
  deferred: 'waiting',
  bounced: 'bad',
  complained: 'bad',
  rejected: 'bad',
  failed: 'bad',
};

/** The proof about the sender of a message, in plain words. */
export interface Proof {
  level: 'proven' | 'unproven' | 'forged';
  sentence: string;
  help: string;
}

/** Returns what is proven about the sender of an inbound message; null for an outbound one. */
export function proveSender({
  authentication,
  from_addr,
}: Pick<Message, 'authentication' | 'from_addr'>): Proof | null {
  if (authentication === null) return null;
  const { verified_domain, dmarc } = authentication;
  if (verified_domain !== null) {
    const [sentence, help] = [proofText.proven(verified_domain), proofText.provenHelp(verified_domain)];
    return { level: 'proven', sentence, help };
  }
  if (dmarc !== 'fail')
    return { level: 'unproven', sentence: proofText.unproven, help: proofText.unprovenHelp };
  const domain = from_addr.slice(from_addr.lastIndexOf('@') + 1);
  return { level: 'forged', sentence: proofText.forged, help: proofText.forgedHelp(domain) };
}
