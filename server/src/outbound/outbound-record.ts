import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { recipientLease } from '../delivery/recipient-state.ts';
import { leaseEnd } from '../lib/clock.ts';
import { parseMailbox } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import { makeSnippet } from '../lib/texts.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import { isThreadId } from '../mail/parse/message-ids.ts';
import type { ParsedAttachment } from '../mail/parse/parsed-mail.ts';
import { contentHash } from '../messages/originals.ts';
import { createAttachmentRow, type NewMessage, type NewRecipient } from '../messages/store/message-record.ts';
import { mailsToCount, nearCaps } from '../policies/caps.ts';
import type { OutgoingRecipient } from './allow-recipients.ts';
import { clientIdClaims } from './idempotency.ts';
import type { Sending, ThreadingHeaders } from './sending.ts';
import type { SendRecord } from './store-send.ts';

/** A composed mail. */
interface ComposedMail {
  mail: OutgoingMail;
  /** The files in the order of the composed mail, by which they are found again. */
  files: ParsedAttachment[];
  at: Date;
  messageId: string;
  sizeBytes: number;
}

/** Returns the stored form of an outbound message, and the settings that decided it. */
export function outboundRecord(ctx: Context, sending: Sending, composed: ComposedMail): SendRecord {
  const { request, controls, outgoing, recipients } = sending;
  const { at } = composed;
  const message = messageRow(ctx, sending, composed);
  const attachments = composed.files.map((file, position) => createAttachmentRow(file, position, message));
  const storageBytes = attachments.reduce((sum, file) => sum + file.size_bytes, 0);
  const addresses = recipients.map(({ address }) => address);
  const draftId = request.draft?.id;
  return {
    message,
    ownIds: [message.message_id_header],
    namedIds: namedIds(outgoing),
    threadId: outgoing.threadId,
    newThreadId: newId('thr', at),
    participants: visibleParticipants(message, recipients),
    recipients: recipients.map((recipient, position) => recipientRow(ctx, recipient, position, message)),
    attachments,
    usage: [
      { kind: 'emails', amount: 1 },
      ...(storageBytes > 0 ? [{ kind: 'storage_bytes' as const, amount: storageBytes }] : []),
    ],
    events: draftId ? [{ id: newId('evt', at), event: 'draft.sent', extra: { draft_id: draftId } }] : [],
    ...(request.clientId !== null && {
      client: {
        clientId: clientIdClaims(ctx, message.inbox_id, request.clientId).own,
        requestHash: request.requestHash ?? null,
        expiresAt: ctx.timeScale.after(at, limits.idempotencyWindowMs),
      },
    }),
    sendingVersion: controls.version,
    counted: mailsToCount(ctx, controls, addresses, at),
    nearCaps: nearCaps(ctx, controls, addresses, at, ctx.sendLimiter.takesTurns(outgoing)),
  };
}

/** Makes a record wait for the approval of people. No worker looks at its recipients until then. */
export function hold(ctx: Context, { record, raw }: { record: SendRecord; raw: Buffer }): void {
  const { created_at } = record.message;
  for (const recipient of record.recipients)
    Object.assign(recipient, { status: 'held', attempts: 0, due_at: null } satisfies Partial<NewRecipient>);
  record.events.push({ id: newId('evt', created_at), event: 'message.held', extra: {} });
  record.approval = {
    hash: contentHash(raw, record.recipients),
    expiresAt: ctx.timeScale.after(created_at, limits.approvalMs),
  };
}

/** Returns the Message-IDs that a message names, best first, by which its thread is found. */
export function namedIds({ inReplyTo, references }: Omit<ThreadingHeaders, 'threadIndex'>): string[] {
  const named = [...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()];
  return named.filter((id) => isThreadId(id));
}

/** Returns the visible participants: the sender and the addresses of To and Cc. */
function visibleParticipants(message: NewMessage, recipients: OutgoingRecipient[]): string[] {
  const seen = recipients.filter(({ kind }) => kind !== 'bcc').map(({ address }) => address);
  return [...new Set([message.from_addr, ...seen])];
}

function messageRow(
  ctx: Context,
  { request, inbox, outgoing, recipients, dropped }: Sending,
  { mail, files, at, messageId, sizeBytes }: ComposedMail,
): NewMessage {
  const named = (kind: OutgoingRecipient['kind']) =>
    recipients.filter((recipient) => recipient.kind === kind).map((recipient) => recipient.address);
  const replyTo = outgoing.replyTo === null ? null : parseMailbox(outgoing.replyTo);
  const writerId = request.writtenBy ?? null;
  const traceparent = ctx.tracing.current();
  return {
    workspace_id: ctx.workspaceId,
    id: messageId,
    inbox_id: inbox.id,
    direction: 'outbound',
    from_addr: inbox.address,
    from_name: inbox.display_name,
    to_addrs: named('to'),
    cc_addrs: named('cc'),
    bcc_addrs: named('bcc'),
    reply_to_addrs: replyTo ? [replyTo.address] : [],
    envelope_from: null,
    envelope_to: [],
    subject: outgoing.subject,
    body_text: outgoing.text,
    body_html: outgoing.html,
    extracted_text: null,
    snippet: makeSnippet(outgoing.text),
    delivery_status: 'queued',
    message_id_header: mail.messageId,
    in_reply_to: outgoing.inReplyTo,
    reference_ids: outgoing.references,
    thread_index: outgoing.threadIndex,
    provider_message_id: null,
    client_id: request.clientId,
    dropped,
    authentication: null,
    auto_submitted: false,
    hidden_text: false,
    has_attachments: files.length > 0,
    size_bytes: sizeBytes,
    created_at: at,
    actor_id: ctx.actor.id,
    writer_id: writerId === ctx.actor.id ? null : writerId,
    request_id: ctx.requestId,
    cut_fields: [],
    metadata: outgoing.metadata,
    is_read: true,
    ...(traceparent !== null && { traceparent }),
  };
}

function recipientRow(
  ctx: Context,
  { address, kind }: OutgoingRecipient,
  position: number,
  message: NewMessage,
): NewRecipient {
  return {
    workspace_id: message.workspace_id,
    message_id: message.id,
    address,
    inbox_id: message.inbox_id,
    kind,
    position,
    status: 'queued',
    detail: null,
    sandboxed: false,
    provider_message_id: null,
    attempts: 1,
    due_at: leaseEnd(ctx, recipientLease, message.created_at),
    resume_at: null,
    expires_at: ctx.timeScale.after(message.created_at, expiryMs(ctx)),
    updated_at: message.created_at,
  };
}

/**
 * Returns how long a message is tried. A relay has its own queue, and for direct mail this server is the queue (RFC 5321, section
 * 4.5.4.1).
 */
export function expiryMs({ config, isTest }: Pick<Context, 'config' | 'isTest'>): number {
  return config.transport === 'direct' && !isTest ? limits.directDeliveryExpiryMs : limits.deliveryExpiryMs;
}
