import { isRefusedData } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import { Slots } from '../lib/admission/slots.ts';
import { newId } from '../lib/ids.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { bodyBytes, type MessageRecord, type StoreOutcome } from '../messages/store/message-record.ts';
import { storeMessage, storeWithOriginal } from '../messages/store/store-message.ts';
import { type InboundMail, inboundRecord, readInbound, withoutTexts } from '../parsing/inbound-mail.ts';
import {
  type Arrival,
  type ArrivedInbox,
  failureReply,
  groupByInbox,
  inboxGone,
  logFailure,
  type Receipt,
  senderBlocked,
  settle,
} from './arrival.ts';
import { inboxesAtOnceMax } from './limits.ts';
import { noteMail } from './mail-shares.ts';
import { verdictOn } from './verdicts.ts';

/** Parses and authenticates a mail in the turn of its first inbox. */
export function readMail(
  deps: Deps,
  { raw, envelopeFrom, client, recipients }: Arrival,
): Promise<InboundMail> {
  const { remoteAddress, helo } = client ?? { remoteAddress: null, helo: null };
  const owner = recipients[0]?.inbox.inboxId ?? '';
  return readInbound(deps, { raw, envelopeFrom, remoteAddress, helo, owner }, deps.clock.now());
}

/** Refuses a mail that its author's domain asks to reject, if the server is set up to honour that. */
export function refuseUnauthentic({ config }: Deps, arrival: Arrival, { rejectedBy }: InboundMail): void {
  if (!config.dmarcReject || rejectedBy === null) return;
  const text = `Mail fails DMARC, and the DMARC policy of ${rejectedBy} is reject`;
  settle(arrival, arrival.recipients, { code: 550, enhanced: '5.7.1', text });
}

/** Refuses a mail that fails DMARC for the recipients whose rules take it only from its true author. */
export function refuseForged(arrival: Arrival, { authentication }: InboundMail): void {
  if (authentication?.dmarc !== 'fail') return;
  const forged = arrival.recipients.filter(({ verdict }) => verdict === 'unverified');
  settle(arrival, forged, senderBlocked);
}

/**
 * Stores a mail in every inbox that it is for. The reply is 250 only once all of them have its original and rows durably. An inbox that
 * has the mail already recognises it when its sender tries again. The verdicts say so of every inbox that stored it, even if another
 * inbox failed.
 */
export async function storeInInboxes(deps: Deps, arrival: Arrival, mail: InboundMail): Promise<void> {
  const inboxes = groupByInbox(arrival.recipients);
  const slots = new Slots({ slots: inboxesAtOnceMax, ofOwner: inboxesAtOnceMax });
  const results = await Promise.allSettled(
    inboxes.map((inbox) => slots.run('', () => storeInInbox(deps, mail, inbox))),
  );
  const receipts = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) logFailure(deps, arrival, reason);
  const reply = failures[0] ? failureReply(failures[0].reason) : replyFor(receipts);
  settle(arrival, arrival.recipients, reply, ({ inbox }) => verdictOn(receipts, inbox));
}

/** Returns the reply: a refusal if all inboxes were deleted meanwhile. */
function replyFor(receipts: Receipt[]): SmtpReply {
  const taken = receipts.find(({ messageId }) => messageId !== null);
  return taken ? { code: 250, enhanced: '2.0.0', text: `Ok: ${taken.messageId}` } : inboxGone;
}

async function storeInInbox(deps: Deps, mail: InboundMail, target: ArrivedInbox): Promise<Receipt> {
  const { inbox } = target;
  const messageId = newId('msg', mail.at);
  const ctx = { ...deps, workspaceId: inbox.workspaceId };
  const record = inboundRecord(deps, mail, { ...target, messageId, traceparent: deps.tracing.current() });
  const stored = await storeWithOriginal(deps, mail.raw, record, (original) =>
    storeInbound(ctx, record, original),
  );
  const { outcome } = stored;
  if (outcome === 'stored' && record.unparsed) deps.wakeups.wake(inbox.workspaceId, 'unparsed');
  if (outcome === 'stored') noteMail(deps, inbox.inboxId, mail, mail.raw.length + bodyBytes(record.message));
  return { inbox, messageId: outcome === 'inbox_gone' ? null : stored.messageId, outcome };
}

/** Stores a received mail. Texts that the database refuses are left out, because the original has them. */
export async function storeInbound(
  ctx: Pick<Deps, 'db' | 'memory' | 'wakeups' | 'log'> & { workspaceId: string },
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> {
  try {
    return await storeMessage(ctx, record, original);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    ctx.log.warn(
      { err: error, messageId: record.message.id },
      'the database refused the texts of an email, so it was stored without them',
    );
    return storeMessage(ctx, withoutTexts(record), original);
  }
}
