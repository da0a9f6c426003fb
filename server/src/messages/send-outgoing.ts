import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import type { InboxRow } from '../inboxes/find-inbox.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { wait } from '../lib/wait.ts';
import { composeMail } from '../mail/compose-mail.ts';
import { UnsafeHeader } from '../mail/header-fields.ts';
import { requireDeliverable } from './deliverable.ts';
import { type DeliveryJob, dispatch } from './dispatch.ts';
import { getMessage } from './find-message.ts';
import { replay, requireNotRejected } from './idempotency.ts';
import type { NewRecipient } from './message-record.ts';
import { type Outgoing, outboundRecord, outgoingMail } from './outbound-record.ts';
import { parseFiles } from './raw-source.ts';
import type { Sent } from './sent-message.view.ts';
import { storeMessage } from './store-message.ts';
import { storeWithOriginal } from './store-with-original.ts';

/** How long a request waits for the provider; a slower one is settled in the background. */
const settleWaitMs = 10_000;

/**
 * The path of everything that is sent for the first time: drop, compose, store, hand over. What is stored is sent, also after
 * a crash: the recipients carry a lease from the first transaction on.
 */
export const sendOutgoing = async (ctx: Context, inbox: InboxRow, outgoing: Outgoing): Promise<Sent> => {
  const { recipients, dropped } = await requireDeliverable(ctx, outgoing.recipients);
  const at = ctx.clock.now();
  const messageId = newId('msg', at);
  const mail = await outgoingMail(inbox, outgoing, recipients, { at, messageId });
  const raw = await compose(mail);
  // Files are found again by their order in the bytes, which is the composer's to choose.
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
  const stored = await storeWithOriginal(ctx, raw, record, (original) => storeMessage(ctx, record, original));
  if (stored.outcome === 'repeated') return replay(ctx, stored.messageId);
  if (stored.outcome === 'inbox_gone') throw new ApiError('not_found');
  const delivered = dispatch(ctx, jobsOf(ctx, inbox, record.recipients), raw);
  await Promise.race([delivered, wait(ctx.timeScale.scaleMs(settleWaitMs), ctx.stopping)]);
  const row = await getMessage(ctx, messageId);
  await requireNotRejected(ctx, row);
  return { row, idempotent: false, dropped };
};

/**
 * The bytes of a message.
 *
 * @throws ApiError `attachment_too_large` or `payload_too_large` when they are more than providers take, `invalid_request`
 * for a header that no mail can hold.
 */
const compose = async (mail: Parameters<typeof composeMail>[0]): Promise<Buffer> => {
  const raw = await composeMail(mail).catch((error: unknown) => {
    throw error instanceof UnsafeHeader ? invalidField('headers', error.message) : error;
  });
  if (raw.length <= limits.composedBytesMax) return raw;
  const code = mail.attachments?.length ? 'attachment_too_large' : 'payload_too_large';
  throw new ApiError(code, { limit_bytes: limits.composedBytesMax });
};

const jobsOf = (ctx: Context, inbox: InboxRow, recipients: NewRecipient[]): DeliveryJob[] =>
  recipients.map((recipient) => ({
    workspaceId: recipient.workspace_id,
    messageId: recipient.message_id,
    address: recipient.address,
    attempts: recipient.attempts,
    expiresAt: recipient.expires_at,
    envelopeFrom: inbox.address,
    isTest: ctx.isTest,
  }));
