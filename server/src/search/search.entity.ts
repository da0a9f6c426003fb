import { defineEntity, p } from '@mikro-orm/core';

/** A message that is stored and not indexed yet, or to be indexed again. `revision` grows with each request for that. */
export const SearchPending = defineEntity({
  name: 'SearchPending',
  tableName: 'search_pending',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    revision: p.integer(),
  },
});

/**
 * The buckets of a workspace that are being filled. Mail that arrives fills buckets from 0 upwards, and mail that was there before the
 * index from -1 downwards. Messages with ids below `backfill_before` are still to be indexed; null once all are. `known_words` is the
 * size of the vocabulary, roughly.
 */
export const SearchWorkspace = defineEntity({
  name: 'SearchWorkspace',
  tableName: 'search_workspaces',
  properties: {
    workspaceId: p.text().primary(),
    newestBucket: p.integer(),
    inNewest: p.integer(),
    oldestBucket: p.integer(),
    inOldest: p.integer(),
    backfillBefore: p.text().nullable(),
    knownWords: p.integer(),
  },
});

/**
 * About a thousand messages that were indexed one after another. `number` and `block` are unique in the database; 32 buckets share a block.
 * The ids of its messages are at least `oldest` and at most `newest`, which are null while it is empty. They name a time and no message.
 */
export const SearchBucket = defineEntity({
  name: 'SearchBucket',
  tableName: 'search_buckets',
  properties: {
    workspaceId: p.text().primary(),
    bucket: p.integer().primary(),
    number: p.bigint('number'),
    block: p.bigint('number'),
    oldest: p.text().nullable(),
    newest: p.text().nullable(),
  },
});

/** The words of a message, as lexemes with places and weights. */
export const SearchedMessage = defineEntity({
  name: 'SearchedMessage',
  tableName: 'search_messages',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    bucket: p.integer(),
    words: p.text().columnType('tsvector'),
  },
});

/** A word of the vocabulary, with roughly the number of messages that have it, and the hashes that it shares with misspellings of it. */
export const SearchWord = defineEntity({
  name: 'SearchWord',
  tableName: 'search_words',
  properties: {
    workspaceId: p.text().primary(),
    word: p.text().primary(),
    n: p.integer(),
    variants: p.array(Number).columnType('integer[]'),
  },
});

/** The words of a message that was removed, until the vocabulary has been corrected. */
export const WordsGone = defineEntity({
  name: 'WordsGone',
  tableName: 'search_gone',
  properties: {
    workspaceId: p.text().primary(),
    number: p.bigint('number').primary(),
    words: p.text().columnType('tsvector'),
  },
});

/** The code of a message, which a search by meaning looks through, and the vector space that it belongs to. */
export const SearchCode = defineEntity({
  name: 'SearchCode',
  tableName: 'search_codes',
  properties: {
    code: p.text().columnType('bit(768)'),
    space: p.integer(),
    workspaceId: p.text().primary(),
    inboxId: p.text(),
    messageId: p.text().primary(),
  },
});

/** The vector of a message, which has a code too. */
export const SearchVector = defineEntity({
  name: 'SearchVector',
  tableName: 'search_vectors',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    vector: p.blob(),
  },
});

/** A message that is to be embedded, for the first time or again. Live ones have just been stored. */
export const EmbeddingPending = defineEntity({
  name: 'EmbeddingPending',
  tableName: 'embedding_pending',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    isLive: p.boolean(),
  },
});

/**
 * A workspace that searches by meaning, and last did so at `askedAt`, give or take a day. Its older messages below `before` are still to be
 * embedded in this vector space; null once all are.
 */
export const EmbeddingProgress = defineEntity({
  name: 'EmbeddingProgress',
  tableName: 'embedding_progress',
  properties: {
    workspaceId: p.text().primary(),
    space: p.integer(),
    before: p.text().nullable(),
    askedAt: p.datetime(3),
  },
});

/**
 * The text of an attachment that search can find it by. `status` is `pending` until the file has been read; after that it is one of
 * `readStatuses`. `text` is null unless that is `done`. Files in formats that are not read have no row.
 */
export const AttachmentText = defineEntity({
  name: 'AttachmentText',
  tableName: 'attachment_texts',
  properties: {
    workspaceId: p.text().primary(),
    messageId: p.text().primary(),
    attachmentId: p.text().primary(),
    status: p.text(),
    text: p.text().nullable(),
    dueAt: p.datetime(3).nullable(),
    tries: p.integer(),
  },
});
