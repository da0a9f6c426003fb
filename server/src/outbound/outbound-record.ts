import { type DroppedRecipient, limits, type Metadata } from '@postrider/contract';
import type { Context } from '../context.ts';
import { recipientLease } from '../delivery/lease.ts';
import { mailDomainOf } from '../domains/mail-domain.ts';
import { type NamedAddress, parseMailbox } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import { leaseEnd } from '../lib/lease.ts';
import { makeSnippet } from '../lib/snippet.ts';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import { isThreadId } from '../mail/parse/message-ids.ts';
import type { ParsedAttachment } from '../mail/parse/parsed-mail.ts';
import { attachmentRow } from '../messages/store/attachment-row.ts';
import type { MessageRecord, NewMessage, NewRecipient } from '../messages/store/message-record.ts';
import type { SendingInbox } from './find-sender.ts';
import { claimsOf } from './idempotency.ts';
import type { OutgoingRecipient } from './recipients.ts';
import type { Claim } from './store-claimed.ts';

/** A message to be sent: new, a reply or a forward. */
export interface Outgoing {
  recipients: OutgoingRecipient[];
  replyTo: string | null;
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  metadata: Metadata;
  inReplyTo: string | null;
  references: string[];
  threadIndex: string | null;
  /** The thread of the message; null to find it by the ids that the message names. */
  threadId: string | null;
  clientId: string | null;
  /** What the request with this `client_id` asks for; null without one. */
  requestHash?: Buffer | null;
  /** Returns the files, and is called once the message will be sent. Null if it has none. */
  attachments: (() => Promise<OutgoingAttachment[]>) | null;
  /** Who wrote it, if that may be somebody else than its sender, as of a draft. */
  writerId?: string | null;
  /** The source of the message, if it can become one message only, such as a draft. */
  claim?: Claim;
  /** The draft that it is made of. */
  draftId?: string;
}

/** The fields by which a message names those before it. */
export type ThreadingHeaders = Pick<Outgoing, 'inReplyTo' | 'references' | 'threadIndex'>;

/** Returns the mail of a message, as `composeMail` takes it. */
export async function outgoingMail(
  inbox: SendingInbox,
  outgoing: Outgoing,
  recipients: OutgoingRecipient[],
  { at, messageId }: { at: Date; messageId: string },
): Promise<OutgoingMail> {
  const of = (kind: OutgoingRecipient['kind']) => recipients.filter((recipient) => recipient.kind === kind);
  return {
    from: { name: inbox.display_name, address: inbox.address },
    to: of('to'),
    cc: of('cc'),
    replyTo: replyToOf(outgoing),
    subject: outgoing.subject,
    text: outgoing.text,
    html: outgoing.html,
    messageId: `<${messageId}@${mailDomainOf(inbox.address).name}>`,
    inReplyTo: outgoing.inReplyTo,
    references: outgoing.references,
    threadIndex: outgoing.threadIndex,
    headers: outgoing.headers,
    date: at,
    attachments: (await outgoing.attachments?.()) ?? [],
  };
}

function replyToOf(outgoing: Outgoing): NamedAddress[] {
  const mailbox = outgoing.replyTo === null ? null : parseMailbox(outgoing.replyTo);
  return mailbox ? [mailbox] : [];
}

interface Composed {
  inbox: SendingInbox;
  outgoing: Outgoing;
  mail: OutgoingMail;
  /** The files in the order of the composed mail, by which they are found again. */
  files: ParsedAttachment[];
  recipients: OutgoingRecipient[];
  dropped: DroppedRecipient[];
  at: Date;
  messageId: string;
  sizeBytes: number;
}

/** Returns what is stored of an outbound message. */
export function outboundRecord(ctx: Context, composed: Composed): MessageRecord {
  const { outgoing, files, recipients, at } = composed;
  const message = messageOf(ctx, composed);
  const attachments = files.map((file, position) => attachmentRow(file, position, message));
  const storageBytes = attachments.reduce((sum, file) => sum + file.size_bytes, 0);
  const { clientId, requestHash = null, draftId } = outgoing;
  return {
    message,
    ownIds: [message.message_id_header],
    namedIds: namedIdsOf(outgoing),
    threadId: outgoing.threadId,
    newThreadId: newId('thr', at),
    participants: participantsOf(message, recipients),
    recipients: recipients.map((recipient, position) => recipientOf(ctx, recipient, position, message)),
    attachments,
    usage: [
      { kind: 'emails', amount: 1 },
      ...(storageBytes > 0 ? [{ kind: 'storage_bytes' as const, amount: storageBytes }] : []),
    ],
    events:
      draftId === undefined
        ? []
        : [{ id: newId('evt', at), event: 'draft.sent', extra: { draft_id: draftId } }],
    ...(clientId !== null && {
      client: {
        clientId: claimsOf(ctx, message.inbox_id, clientId).own,
        requestHash,
        expiresAt: ctx.timeScale.after(at, limits.idempotencyWindowMs),
      },
    }),
  };
}

/** Returns the Message-IDs that a message names, best first, by which its thread is found. */
export function namedIdsOf({ inReplyTo, references }: Pick<Outgoing, 'inReplyTo' | 'references'>): string[] {
  const named = [...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()];
  return named.filter((id) => isThreadId(id));
}

/** Returns the visible participants: the sender and the addresses of To and Cc. */
function participantsOf(message: NewMessage, recipients: OutgoingRecipient[]): string[] {
  const seen = recipients.filter(({ kind }) => kind !== 'bcc').map(({ address }) => address);
  return [...new Set([message.from_addr, ...seen])];
}

function messageOf(
  ctx: Context,
  { inbox, outgoing, mail, files, recipients, dropped, ...made }: Composed,
): NewMessage {
  const of = (kind: OutgoingRecipient['kind']) =>
    recipients.filter((recipient) => recipient.kind === kind).map((recipient) => recipient.address);
  return {
    workspace_id: ctx.workspaceId,
    id: made.messageId,
    inbox_id: inbox.id,
    direction: 'outbound',
    from_addr: inbox.address,
    from_name: inbox.display_name,
    to_addrs: of('to'),
    cc_addrs: of('cc'),
    bcc_addrs: of('bcc'),
    reply_to_addrs: replyToOf(outgoing).map((mailbox) => mailbox.address),
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
    client_id: outgoing.clientId,
    dropped,
    authentication: null,
    auto_submitted: false,
    hidden_text: false,
    has_attachments: files.length > 0,
    size_bytes: made.sizeBytes,
    created_at: made.at,
    actor_id: ctx.actor.id,
    writer_id: outgoing.writerId === ctx.actor.id ? null : (outgoing.writerId ?? null),
    request_id: ctx.requestId,
    cut_fields: [],
    metadata: outgoing.metadata,
    is_read: true,
  };
}

function recipientOf(
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
