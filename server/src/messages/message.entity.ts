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
    /** As it was stored: the outcomes of an outbound message stand with its recipients. */
    deliveryStatus: p.text().$type<DeliveryStatus>(),
    messageIdHeader: p.text(),
    inReplyTo: p.text().nullable(),
    referenceIds: p.array<string>(),
    providerMessageId: p.text().nullable(),
    clientId: p.text().nullable(),
    dropped: p.json<DroppedRecipient[]>().nullable(),
    authentication: p.json<Authentication>().nullable(),
    autoSubmitted: p.boolean(),
    hasAttachments: p.boolean(),
    sizeBytes: p.integer(),
    createdAt: p.datetime(3),
    search: p.text().columnType('tsvector'),
    apiKeyId: p.text().nullable(),
    requestId: p.text().nullable(),
    /** Fields that hold less than the mail had. */
    cutFields: p.array<string>(),
    metadata: p.json<Metadata>(),
    isRead: p.boolean(),
    /** Its rows of `message_terms`. */
    terms: p.array<string>(),
  },
});

/** What lists find a message by: an address or a domain that it comes from or goes to, a word of its subject. */
export const MessageTerm = defineEntity({
  name: 'MessageTerm',
  tableName: 'message_terms',
  properties: {
    workspaceId: p.text().primary(),
    term: p.text().primary(),
    messageId: p.text().primary(),
  },
});

/** Global within an inbox: which messages bear a Message-ID, by its SHA-256, since an id may be too long to index. */
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

/** An id that a thread names and no message bears yet. */
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

/** A `client_id` in its window, with the message that it stands for. */
export const ClientId = defineEntity({
  name: 'ClientId',
  tableName: 'client_ids',
  properties: {
    workspaceId: p.text().primary(),
    clientId: p.text().primary(),
    messageId: p.text(),
    expiresAt: p.datetime(3),
  },
});

/** A mail that an inbox has taken, so that its redelivery after a lost answer stores nothing. */
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
