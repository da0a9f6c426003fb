import type { Context } from '../context.ts';
import type { DeliveryJob, Written } from '../delivery/dispatch.ts';
import { FirstAttempts } from '../delivery/first-attempts.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { waitFor } from '../lib/concurrency/wait.ts';
import type { Sent } from '../messages/message.view.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import type { MessageRecord, MessageRow } from '../messages/store/message-record.ts';
import { sendMode } from '../policies/controls.ts';
import { requireRoomToHold, requireWithinCaps } from '../policies/require-room.ts';
import { requireWithinPlan } from '../workspaces/usage.ts';
import { requireDeliverable, requireNoLoop } from './allow-recipients.ts';
import { type Composed, compose, disclose } from './compose.ts';
import { findSender, requireMaySend } from './find-sender.ts';
import { replay, requireNotRejected } from './idempotency.ts';
import { hold } from './outbound-record.ts';
import type { Sending, SendRequest } from './sending.ts';
import { ClaimLost, storeSend } from './store-send.ts';

/** How long a request waits for the provider. A slower delivery is settled in the background. */
export const sendWaits = { settleMs: 10_000 };

/** The number of times that a send is decided again while people change what can be sent. */
const decisionsMax = 100;

/**
 * Sends a message once. A message that people must approve is stored with the status `held`, and not handed over. A stored message is sent
 * even after a crash, because recipients without an outcome have a lease from the first transaction on.
 *
 * The message is stored only if the settings by which it was decided still apply. Otherwise all steps are repeated.
 *
 * @throws ApiError as the steps do, and `message_rejected` if the provider refuses the message permanently.
 */
export async function send(ctx: Context, request: SendRequest): Promise<Sent> {
  for (let decisions = 1; decisions <= decisionsMax; decisions++) {
    const sent = await trySend(ctx, request);
    if (sent) return sent;
  }
  throw new ApiError('unavailable');
}

/** Returns what was sent, or null if people have since changed what can be sent. */
async function trySend(ctx: Context, request: SendRequest): Promise<Sent | null> {
  const sender = await findSender(ctx, request);
  if (sender.sentBefore !== null) return replay(ctx, sender.sentBefore, request);
  const { controls } = sender;
  const inbox = requireMaySend(ctx, sender, request);
  const written = await request.write(inbox);
  requireWithinPlan(ctx, sender.usage, written.attachments !== null);
  const { recipients, dropped } = requireDeliverable(written.recipients, sender);
  requireNoLoop(ctx, sender.full, recipients);
  await requireWithinCaps(ctx, controls, recipients);
  await requireRoomToHold(ctx, controls);
  const outgoing = disclose(written, controls.disclosure, ctx.actor, request.writtenBy);
  const sending = { request, inbox, controls, outgoing, recipients, dropped };

  const endTurn = await ctx.sendLimiter.takeTurn(ctx.workspaceId, outgoing);
  const { record, attempts, stored } = await submit(ctx, sending).finally(endTurn);
  if (stored.outcome === 'undecided') return null;
  if (stored.outcome === 'claim_lost') throw new ClaimLost();
  if (stored.outcome === 'repeated') return replay(ctx, stored.messageId, request);
  if (stored.outcome === 'inbox_gone') throw notFound('inbox_id');

  const outcomes = await waitForOutcomes(ctx, attempts);
  const message = await readSent(ctx, stored.threadId, record, outcomes);
  requireNotRejected(message);
  return { message, idempotent: false, differs: false, dropped };
}

/** Composes and signs a message, holds it or begins its first attempts, and stores it. After that, the attempts continue. */
async function submit(ctx: Context, sending: Sending) {
  const mail = await compose(ctx, sending);
  const isHeld = sendMode(sending.controls) === 'approve';
  if (isHeld) hold(ctx, mail);
  const attempts = isHeld ? null : await beginAttempts(ctx, sending, mail);
  const storing = storeSend(ctx, mail, sending.request.draft);
  const stored = await (attempts ? attempts.goOnAfter(storing) : storing);
  return { record: mail.record, attempts, stored };
}

/** Begins the first attempts, and notes the recipients for which the message is handed over as soon as it is stored. */
async function beginAttempts(
  ctx: Context,
  { inbox, outgoing }: Sending,
  mail: Composed,
): Promise<FirstAttempts> {
  const jobs = mail.record.recipients.map(
    (recipient): DeliveryJob => ({
      workspaceId: recipient.workspace_id,
      messageId: recipient.message_id,
      address: recipient.address,
      attempts: recipient.attempts,
      expiresAt: recipient.expires_at,
      envelopeFrom: inbox.address,
      hasOwnDomain: inbox.domain_id !== null,
      position: recipient.position,
      isTest: ctx.isTest,
    }),
  );
  const isStoredFirst = ctx.sendLimiter.takesTurns(outgoing);
  const attempts = await FirstAttempts.begin(ctx, jobs, mail.raw, { isStoredFirst });
  for (const recipient of mail.record.recipients)
    if (attempts.agreed.has(recipient.address)) recipient.status = 'sending';
  return attempts;
}

async function waitForOutcomes(ctx: Context, attempts: FirstAttempts | null): Promise<(Written | null)[]> {
  if (!attempts) return [];
  const ms = ctx.timeScale.scaleMs(sendWaits.settleMs);
  return (await waitFor(attempts.ended(), ms, ctx.stopping)) ?? [];
}

/** Returns the message as it is now. It is read again unless the outcome of every recipient is known. */
async function readSent(
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
