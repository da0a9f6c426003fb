import { defineEntity, p } from '@mikro-orm/core';
import type { Authentication, DeliveryStatus, DroppedRecipient, Metadata } from '@postrider/contract';

/** A mail of either direction. `message_id_header` is its RFC 5322 Message-ID, `id` is ours. */
export const Message = defineEntity({
  name: 'Message',
  tableName: 'messages',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    inboxId: p.text(),
    threadId: p.text(),
    direction: p.text().$type<'inbound' | 'outbound'>(),
    fromAddr: p.text(),
    fromName: p.text().nullable(),
    toAddrs: p.array<string>(),
    ccAddrs: p.array<string>(),
    bccAddrs: p.array<string>(),
    replyToAddrs: p.array<string>(),
    envelopeFrom: p.text().nullable(),
    envelopeTo: p.array<string>(),
    subject: p.text(),
    bodyText: p.text().nullable(),
    bodyHtml: p.text().nullable(),
    extractedText: p.text().nullable(),
    snippet: p.text(),
    /** The status when it was stored. The outcomes of an outbound message are in its recipients. */
    deliveryStatus: p.text().$type<DeliveryStatus>(),
    messageIdHeader: p.text(),
    inReplyTo: p.text().nullable(),
    referenceIds: p.array<string>(),
    /** Outlook's `Thread-Index` in base64. */
    threadIndex: p.text().nullable(),
    providerMessageId: p.text().nullable(),
    clientId: p.text().nullable(),
    dropped: p.json<DroppedRecipient[]>().nullable(),
    authentication: p.json<Authentication>().nullable(),
    autoSubmitted: p.boolean(),
    hiddenText: p.boolean().default(false),
    hasAttachments: p.boolean(),
    sizeBytes: p.integer(),
    createdAt: p.datetime(3),
    actorId: p.text().nullable(),
    /** The writer of the draft that it was; null if that is its sender. */
    writerId: p.text().nullable(),
    requestId: p.text().nullable(),
    /** The fields that hold less than the mail had. */
    cutFields: p.array<string>(),
    metadata: p.json<Metadata>(),
    isRead: p.boolean(),
    /** Its rows of `message_terms`. */
    terms: p.array<string>(),
    /** The span that stored it, if there are traces. It is the cause of later work on the message. */
    traceparent: p.text().nullable(),
  },
});

/** The columns that lists of messages read whole, because their size has a small bound. */
export const smallColumns = [
  'messages.workspace_id',
  'messages.id',
  'messages.inbox_id',
  'messages.thread_id',
  'direction',
  'from_addr',
  'from_name',
  'envelope_from',
  'subject',
  'snippet',
  'delivery_status',
  'message_id_header',
  'in_reply_to',
  'thread_index',
  'provider_message_id',
  'client_id',
  'dropped',
  'authentication',
  'auto_submitted',
  'hidden_text',
  'has_attachments',
  'size_bytes',
  'messages.created_at',
  'messages.actor_id',
  'messages.writer_id',
  'messages.request_id',
  'cut_fields',
  'messages.metadata',
  'is_read',
] as const;

/** The texts of a mail. */
export const bodyColumns = ['body_text', 'body_html', 'extracted_text'] as const;
const addressColumns = ['to_addrs', 'cc_addrs', 'bcc_addrs', 'reply_to_addrs', 'envelope_to'] as const;
/** The lists of addresses and ids. */
export const listColumns = [...addressColumns, 'reference_ids'] as const;

/** The columns that lists of messages cut. */
export const largeColumns = [...bodyColumns, ...listColumns] as const;
/** A term by which lists find a message: an address or domain that it comes from or goes to, or a word of its subject. */
export const MessageTerm = defineEntity({
  name: 'MessageTerm',
  tableName: 'message_terms',
  properties: {
    workspaceId: p.text().primary(),
    term: p.text().primary(),
    messageId: p.text().primary(),
  },
});

/** The messages of an inbox by their Message-ID, as its SHA-256, since an id may be too long to index. */
export const MessageIdEntry = defineEntity({
  name: 'MessageIdEntry',
  tableName: 'message_ids',
  properties: {
    workspaceId: p.text().primary(),
    inboxId: p.text().primary(),
    hash: p.blob().primary(),
    messageId: p.text().primary(),
  },
});

/** A Message-ID that a thread names and no message has yet. */
export const AwaitedId = defineEntity({
  name: 'AwaitedId',
  tableName: 'awaited_ids',
  properties: {
    workspaceId: p.text().primary(),
    inboxId: p.text().primary(),
    hash: p.blob().primary(),
    threadId: p.text().primary(),
  },
});

/** A `client_id` in its window, with its message. */
export const ClientId = defineEntity({
  name: 'ClientId',
  tableName: 'client_ids',
  properties: {
    workspaceId: p.text().primary(),
    clientId: p.text().primary(),
    messageId: p.text(),
    /** The SHA-256 of the content of the first request. */
    requestHash: p.blob().nullable(),
    expiresAt: p.datetime(3),
  },
});

/** A mail that an inbox has taken, so that nothing is stored if it is delivered again after a lost reply. */
export const InboundFingerprint = defineEntity({
  name: 'InboundFingerprint',
  tableName: 'inbound_fingerprints',
  properties: {
    workspaceId: p.text().primary(),
    inboxId: p.text().primary(),
    fingerprint: p.blob().primary(),
    messageId: p.text(),
    expiresAt: p.datetime(3),
  },
});

/**
 * One recipient of an outbound message, the unit of delivery. `due_at` is when a worker must look at it again: at the next attempt, or
 * when the lease of the process that delivers now expires. It is null once nothing is left to do. `attempts` is the fence: a process
 * whose lease expired finds another number and may not hand the message over. `resume_at` is when a recipient was due that waits for the
 * end of a pause.
 */
export const MessageRecipient = defineEntity({
  name: 'MessageRecipient',
  tableName: 'message_recipients',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    address: p.text().primary(),
    inboxId: p.text(),
    kind: p.text().$type<'to' | 'cc' | 'bcc'>(),
    position: p.integer(),
    status: p.text().$type<DeliveryStatus>(),
    detail: p.text().nullable(),
    /** Whether the sandbox kept the mail instead of sending it. */
    sandboxed: p.boolean(),
    providerMessageId: p.text().nullable(),
    attempts: p.integer(),
    dueAt: p.datetime(3).nullable(),
    resumeAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

/** The bytes of a small message as they were received or composed. Those of a large one are a file. */
export const Original = defineEntity({
  name: 'Original',
  tableName: 'originals',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    raw: p.blob(),
  },
});
