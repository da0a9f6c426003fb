import { defineEntity, p } from '@mikro-orm/core';

/** What a search by meaning looks through: the code of a message, and the vector space that it belongs to. */
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
