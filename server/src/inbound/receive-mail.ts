import type { Deps } from '../deps.ts';
import { FilesFull } from '../files/file-errors.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { settleLimited } from '../lib/concurrency/settle-limited.ts';
import { newId } from '../lib/ids.ts';
import { bodyBytes } from '../messages/store/message-record.ts';
import { storeWithOriginal } from '../messages/store/store-message.ts';
import { type InboundMail, inboundRecord } from '../parsing/inbound-record.ts';
import { type ReceivedMail, readInbound } from '../parsing/read-inbound.ts';
import { noteMail } from './mail-shares.ts';
import { type Recipient, type ScreenedRecipient, senderBlocked, settleVerdicts } from './screen-mail.ts';
import { storeInbound } from './store-inbound.ts';

/** How many inboxes of a mail are stored at once, since each has a copy of the mail in memory. */
const storedAtOnceMax = 2;

/** A received mail with the inboxes that take it. */
export interface Arrival extends ReceivedMail {
  recipients: ScreenedRecipient[];
}

/** The outcome of a mail in one inbox. */
export interface Receipt {
  inbox: Pick<InboxAddress, 'workspaceId' | 'inboxId'>;
  messageId: string | null;
  outcome: 'stored' | 'repeated' | 'inbox_gone' | 'blocked' | 'unauthentic';
}

/** An SMTP reply, with the outcome in each inbox. */
export interface ReceiveAnswer {
  code: number;
  enhanced: string;
  text: string;
  receipts: Receipt[];
}

/**
 * Stores a mail in every inbox that it is for. The reply is 250 only once all of them have its original and rows durably. Failures of
 * this server are 4xx, so that the sender tries again; an inbox that has the mail already recognises it then. The receipts cover
 * every inbox that stored it, even if another inbox failed. If `dmarcReject` is on, a mail that its author's domain asks to reject is not
 * stored anywhere.
 */
export async function receiveMail(deps: Deps, arrival: Arrival): Promise<ReceiveAnswer> {
  const at = deps.clock.now();
  try {
    const owner = arrival.recipients[0]?.inbox.inboxId ?? '';
    const mail = await readInbound(deps, { ...arrival, owner }, at);
    if (deps.config.dmarcReject && mail.rejectedBy !== null)
      return rejectUnauthentic(mail.rejectedBy, arrival);
    const { taken, blocked } = settleVerdicts(arrival.recipients, mail.authentication);
    const results = await settleLimited(byInbox(taken), storedAtOnceMax, (target) =>
      storeIn(deps, mail, target, arrival.remoteAddress),
    );
    const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const receipts = [...stored, ...byInbox(blocked).map(blockedReceipt)];
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) logFailure(deps, arrival.remoteAddress, reason);
    return failures[0] ? failure(failures[0].reason, receipts) : answerFor(receipts);
  } catch (error) {
    logFailure(deps, arrival.remoteAddress, error);
    return failure(error, []);
  }
}

/** Logs why a mail was not taken. */
export function logFailure(deps: Deps, remoteAddress: string | null, error: unknown): void {
  deps.log.error({ err: error, remoteAddress }, 'a mail was not taken');
}

/** Returns the reply to a failure of this server: the sender keeps the mail and tries again. */
export function failure(error: unknown, receipts: Receipt[]): ReceiveAnswer {
  const full = error instanceof FilesFull || (error as { code?: string }).code === '53100';
  return full
    ? { code: 452, enhanced: '4.3.1', text: 'Insufficient system storage, try again later', receipts }
    : { code: 451, enhanced: '4.3.0', text: 'Local error in processing, try again later', receipts };
}

/** The reply if every inbox of a mail was deleted while it arrived. */
export const inboxGone: ReceiveAnswer = {
  code: 550,
  enhanced: '5.1.1',
  text: 'No such user here',
  receipts: [],
};

/** Returns the refusal that the author's domain asks for, for all recipients. */
function rejectUnauthentic(domain: string, { recipients }: Arrival): ReceiveAnswer {
  const text = `Mail fails DMARC, and the DMARC policy of ${domain} is reject`;
  const receipts = byInbox(recipients).map(({ inbox }) => refusedReceipt(inbox, 'unauthentic'));
  return { code: 550, enhanced: '5.7.1', text, receipts };
}

/** Returns the reply: a refusal if no inbox took the mail, because the sender is blocked or the inbox was deleted meanwhile. */
function answerFor(receipts: Receipt[]): ReceiveAnswer {
  const taken = receipts.find((receipt) => receipt.messageId !== null);
  if (taken) return { code: 250, enhanced: '2.0.0', text: `Ok: ${taken.messageId}`, receipts };
  const isBlocked = receipts.some(({ outcome }) => outcome === 'blocked');
  return { ...(isBlocked ? senderBlocked : inboxGone), receipts };
}

/** Returns the receipt of an inbox that blocks the sender. */
export function blockedReceipt({ inbox }: Target): Receipt {
  return refusedReceipt(inbox, 'blocked');
}

function refusedReceipt(inbox: Receipt['inbox'], outcome: Receipt['outcome']): Receipt {
  return { inbox, messageId: null, outcome };
}

interface Target {
  inbox: InboxAddress;
  given: string[];
}

/** Returns the inboxes of a mail, each with its recipients. An inbox named twice, by two plus tags, gets one copy. */
export function byInbox(recipients: Recipient[]): Target[] {
  const targets = new Map<string, Target>();
  for (const { inbox, given } of recipients) {
    const target = targets.get(inbox.inboxId) ?? { inbox, given: [] };
    target.given.push(given);
    targets.set(inbox.inboxId, target);
  }
  return [...targets.values()];
}

async function storeIn(
  deps: Deps,
  mail: InboundMail,
  target: Target,
  remoteAddress: string | null,
): Promise<Receipt> {
  const { inbox } = target;
  const messageId = newId('msg', mail.at);
  const ctx = { ...deps, workspaceId: inbox.workspaceId };
  const record = inboundRecord(deps, mail, { ...target, messageId });
  const stored = await storeWithOriginal(deps, mail.raw, record, (original) =>
    storeInbound(ctx, record, original),
  );
  const { outcome } = stored;
  const sender = { envelopeFrom: mail.envelopeFrom, remoteAddress };
  if (outcome === 'stored' && record.unparsed) deps.wakeups.wake(inbox.workspaceId, 'unparsed');
  if (outcome === 'stored')
    noteMail(deps, inbox.inboxId, sender, mail.raw.length + bodyBytes(record.message));
  return { inbox, messageId: outcome === 'inbox_gone' ? null : stored.messageId, outcome };
}
