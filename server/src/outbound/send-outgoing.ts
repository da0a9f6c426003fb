import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import type { DeliveryJob, Written } from '../delivery/dispatch.ts';
import { FirstAttempts } from '../delivery/first-attempts.ts';
import { signerOf } from '../domains/choose-signer.ts';
import { ApiError, invalidField, notFound } from '../lib/api-error.ts';
import { waitFor } from '../lib/concurrency/wait.ts';
import { answerToStopped } from '../lib/concurrency/work-thread.ts';
import { newId } from '../lib/ids.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import { UnsafeHeader } from '../mail/compose/header-fields.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import { parseFiles } from '../messages/raw-source.ts';
import type { MessageRecord, MessageRow, NewRecipient } from '../messages/store/message-record.ts';
import { storeMessage, storeWithOriginal } from '../messages/store/store-message.ts';
import { countedOf, nearCapsOf, requireWithinCaps } from '../policies/caps.ts';
import { requireRoomToHold } from '../policies/room-to-hold.ts';
import { requireWithinPlan } from '../workspaces/usage.ts';
import { sendModeOf } from './decide-sending.ts';
import { disclose } from './disclose.ts';
import { type Allowed, beginSend, type SendingInbox } from './find-sender.ts';
import { heldRecord } from './held-record.ts';
import { replay, requireNotRejected } from './idempotency.ts';
import { requireNoLoop } from './limit-answers.ts';
import { type Outgoing, outboundRecord, outgoingMail } from './outbound-record.ts';
import { type Deliverable, requireDeliverable } from './recipients.ts';
import type { Sent } from './sent-message.view.ts';
import { type ClaimedOutcome, ClaimLost, storeClaimed } from './store-claimed.ts';

/** How long a request waits for the provider. A slower delivery is settled in the background. */
export const sendWaits = { settleMs: 10_000 };

/** How often a send is decided again while people change what may be sent. */
const decisionsMax = 100;

/**
 * Sends a message for the first time: checks the plan, leaves out recipients, checks for a loop and the caps of policies, composes,
 * stores and hands over. A stored message is sent even after a crash, because recipients without an outcome have a lease from the first
 * transaction on. A message that people have to approve is stored with the status `held`, and not handed over.
 *
 * The message is stored only if what people had set when it was decided still holds. Otherwise it is decided again.
 */
export async function sendOutgoing(ctx: Context, allowed: Allowed, outgoing: Outgoing): Promise<Sent> {
  let sender = allowed;
  for (let decisions = 1; decisions <= decisionsMax; decisions++) {
    const deliverable = await decide(ctx, sender, outgoing);
    const sent = await sendDecided(ctx, sender, outgoing, deliverable);
    if (sent) return sent;
    const begun = await beginSend(ctx, allowed.request);
    if ('sent' in begun) return begun.sent;
    sender = begun.sender;
  }
  throw new ApiError('unavailable');
}

/** Returns the recipients of a message that nothing holds back. */
async function decide(ctx: Context, sender: Allowed, outgoing: Outgoing): Promise<Deliverable> {
  requireWithinPlan(ctx, sender.usage, outgoing.attachments !== null);
  const deliverable = requireDeliverable(outgoing.recipients, sender);
  const addresses = deliverable.recipients.map(({ address }) => address);
  requireNoLoop(ctx, sender.full, addresses);
  await requireWithinCaps(ctx, sender.controls, addresses);
  if (sendModeOf(sender.controls) === 'approve') await requireRoomToHold(ctx);
  return deliverable;
}

/** Returns what was sent, or null if people have changed what may be sent since it was decided. */
async function sendDecided(
  ctx: Context,
  sender: Allowed,
  outgoing: Outgoing,
  deliverable: Deliverable,
): Promise<Sent | null> {
  const disclosed = disclose(outgoing, sender.controls.disclosure, ctx.actor);
  const { record, attempts, stored } = await ctx.sendLimiter.run(ctx.workspaceId, outgoing, () =>
    composeAndStore(ctx, sender, disclosed, deliverable),
  );
  if (stored.outcome === 'undecided') return null;
  if (stored.outcome === 'claim_lost') throw new ClaimLost();
  if (stored.outcome === 'repeated') return replay(ctx, stored.messageId, sender.request);
  if (stored.outcome === 'inbox_gone') throw notFound('inbox_id');
  const outcomes = attempts
    ? await waitFor(attempts.ended(), ctx.timeScale.scaleMs(sendWaits.settleMs), ctx.stopping)
    : [];
  const message = await messageNow(ctx, stored.threadId, record, outcomes ?? []);
  requireNotRejected(message);
  return { message, idempotent: false, differs: false, dropped: deliverable.dropped };
}

async function composeAndStore(
  ctx: Context,
  { inbox, controls }: Allowed,
  outgoing: Outgoing,
  allowed: Deliverable,
) {
  const composed = await compose(ctx, inbox, outgoing, allowed);
  const { raw } = composed;
  const addresses = allowed.recipients.map(({ address }) => address);
  const { created_at } = composed.record.message;
  const decided = {
    ...composed.record,
    sendingVersion: controls.version,
    counted: countedOf(ctx, controls, addresses, created_at),
    nearCaps: nearCapsOf(ctx, controls, addresses, created_at, ctx.sendLimiter.takesTurns(outgoing)),
  };
  if (sendModeOf(controls) === 'approve') {
    const held = heldRecord(ctx, decided, raw);
    return { record: held, attempts: null, stored: await store(ctx, held, raw, outgoing) };
  }
  const record = decided;
  const attempts = await FirstAttempts.begin(ctx, jobsOf(ctx, inbox, record.recipients), raw, {
    isStoredFirst: ctx.sendLimiter.takesTurns(outgoing),
  });
  const stored = await attempts.goOnAfter(store(ctx, withHandovers(record, attempts.agreed), raw, outgoing));
  return { record, attempts, stored };
}

async function compose(
  ctx: Context,
  inbox: SendingInbox,
  outgoing: Outgoing,
  { recipients, dropped }: Deliverable,
) {
  const at = ctx.clock.now();
  const messageId = newId('msg', at);
  const { mail, raw } = await composeOutgoing(ctx, inbox, outgoing, recipients, { at, messageId });
  // Files are found again by their order in the composed mail, which the composer chooses.
  const files = mail.attachments?.length ? await parseFiles(ctx, raw) : [];
  const record = outboundRecord(ctx, {
    inbox,
    outgoing,
    mail,
    files,
    recipients,
    dropped,
    at,
    messageId,
    sizeBytes: raw.length,
  });
  return { record, raw };
}

/** Returns the record of a message that is handed over for some recipients as soon as it is stored. */
function withHandovers(record: MessageRecord, handedOver: ReadonlySet<string>): MessageRecord {
  const recipients = record.recipients.map((recipient) =>
    handedOver.has(recipient.address) ? { ...recipient, status: 'sending' as const } : recipient,
  );
  return { ...record, recipients };
}

function store(ctx: Context, record: MessageRecord, raw: Buffer, { claim }: Outgoing) {
  return storeWithOriginal(
    ctx,
    raw,
    record,
    (original): Promise<ClaimedOutcome> =>
      claim ? storeClaimed(ctx, record, original, claim) : storeMessage(ctx, record, original),
  );
}

/**
 * Returns a message with its bytes, signed if it leaves this server.
 *
 * @throws ApiError `attachment_too_large` or `payload_too_large` if the bytes are more than providers take, `invalid_request` for an
 * invalid header, `unavailable` if composing takes too long.
 */
export async function composeOutgoing(ctx: Context, ...message: Parameters<typeof outgoingMail>) {
  const [inbox] = message;
  const mail = await outgoingMail(...message);
  const raw = await ctx.composer.compose(mail, await signerOf(ctx, inbox.domain)).catch((error: unknown) => {
    if (error instanceof UnsafeHeader) throw invalidField('headers', error.message);
    throw answerToStopped(error, () => tooLarge(mail));
  });
  if (raw.length <= limits.composedBytesMax) return { mail, raw };
  throw tooLarge(mail);
}

function tooLarge({ attachments }: OutgoingMail): ApiError {
  const code = attachments?.length ? 'attachment_too_large' : 'payload_too_large';
  return new ApiError(code, { limit_bytes: limits.composedBytesMax });
}

/** Returns the current message, which is read again unless the outcome of every recipient is known. */
async function messageNow(
  ctx: Context,
  threadId: string,
  { message, attachments, recipients }: MessageRecord,
  outcomes: (Written | null)[],
): Promise<MessageDetails> {
  const settled = outcomes.filter((outcome) => outcome !== null);
  if (settled.length < recipients.length) return readMessage(ctx, message.id);
  return {
    row: { ...message, thread_id: threadId } as MessageRow,
    labels: [],
    attachments,
    recipients: recipients.map((recipient, position) => {
      const written = settled[position];
      if (!written) return recipient;
      const { at, status, detail, sandboxed, providerMessageId } = written;
      return {
        address: recipient.address,
        status,
        detail,
        sandboxed,
        provider_message_id: providerMessageId,
        updated_at: at,
      };
    }),
  };
}

function jobsOf(ctx: Context, inbox: SendingInbox, recipients: NewRecipient[]): DeliveryJob[] {
  return recipients.map((recipient) => ({
    workspaceId: recipient.workspace_id,
    messageId: recipient.message_id,
    address: recipient.address,
    attempts: recipient.attempts,
    expiresAt: recipient.expires_at,
    envelopeFrom: inbox.address,
    hasOwnDomain: inbox.domain_id !== null,
    position: recipient.position,
    isTest: ctx.isTest,
  }));
}
