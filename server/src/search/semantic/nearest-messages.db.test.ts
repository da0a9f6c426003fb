import { createHashedEmbedding, type HashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { firstIdAt, newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { messageFilters } from '../../messages/message-filters.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import { embedPending } from './embed-pending.ts';
import { refillPending, switchSpace, turnOnEmbedding } from './embedding-progress.ts';
import { nearestMessages } from './nearest-messages.ts';
import { readMeaning } from './read-meaning.ts';
import type { SemanticScope } from './semantic-scope.ts';
import { vectorSpace } from './vectors.ts';

const messageCount = 2_000;
const vocabulary = Array.from({ length: 200 }, (_, index) => `word${index}`);
const stopping = new AbortController().signal;
const log = { warn: () => {} } as unknown as Context['log'];

interface Stored {
  id: string;
  inboxId: string;
  text: string;
  at: Date;
  isRead: boolean;
}

let store: MailStore;
let provider: HashedEmbedding;
let stored: Stored[];
let inboxes: string[];

const makeContext = (workspaceId = store.workspaceId, embedding = provider) =>
  ({
    ...store.deps,
    workspaceId,
    scope: wholeWorkspace,
    embedding,
    stopping,
    log,
    clock: { now: () => new Date() },
  }) as unknown as Context;

const findCandidates = async (ctx: Context, scope: SemanticScope, text: string, limit: number) => {
  const meaning = await readMeaning(ctx, text);
  const { near } = await nearestMessages(ctx, scope, meaning, { messages: limit, compared: 10_000 });
  return { near, comparedFrom: meaning.comparedFrom };
};

const embedAll = async (embedding = provider) => {
  const ctx = makeContext(store.workspaceId, embedding);
  await turnOnEmbedding(ctx, vectorSpace(embedding));
  await switchSpace(ctx, vectorSpace(embedding));
  do while ((await embedPending(ctx, embedding, false, stopping)) > 0);
  while (await refillPending(ctx, vectorSpace(embedding)));
};

/** The 20 nearest of these messages, by their whole vectors. */
const exact = async (text: string, among: Stored[]) => {
  const wanted = await provider.embedQuery(text, stopping);
  const vectors = await provider.embedMany(
    among.map((message) => `a subject\n${message.text}`),
    stopping,
  );
  return among
    .map(({ id }, index) => ({
      id,
      cosine: wanted.reduce((sum, value, at) => sum + value * vectors[index]![at]!, 0),
    }))
    .sort((a, b) => b.cosine - a.cosine)
    .slice(0, 20);
};

/** The share of the nearest messages that a search finds, if it finds nothing but messages of the scope. */
const recall = async (text: string, scope: SemanticScope, among: Stored[]) => {
  const { near: candidates } = await findCandidates(makeContext(), scope, text, 20);
  const ids = new Set(among.map(({ id }) => id));
  expect(candidates.filter(({ id }) => !ids.has(id))).toEqual([]);
  const expected = await exact(text, among);
  const found = new Set(candidates.map(({ id }) => id));
  return expected.filter(({ id }) => found.has(id)).length / expected.length;
};

const queries = ['word1 word2', 'word17', 'word40 word41 word42', 'word5 word77', 'word123 word9'];
const meanRecall = async (scope: SemanticScope, among: Stored[]) => {
  const each = await Promise.all(queries.map((text) => recall(text, scope, among)));
  return each.reduce((sum, one) => sum + one, 0) / each.length;
};

beforeAll(async () => {
  store = await openMailStore();
  provider = createHashedEmbedding();
  inboxes = [await store.inbox(), await store.inbox(), await store.inbox()];
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  stored = Array.from({ length: messageCount }, (_, index) => {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 60_000);
    const text = Array.from({ length: 3 + random(9) }, () => vocabulary[random(vocabulary.length)]).join(' ');
    return {
      id: newId('msg', at),
      inboxId: inboxes[index % 10 === 0 ? 0 : 1]!,
      text,
      at,
      isRead: index % 7 === 0,
    };
  });
  for (let from = 0; from < messageCount; from += 100)
    await store.storeBatch(
      stored.slice(from, from + 100).map(({ id, inboxId, text, at }) => ({
        inboxId,
        at,
        message: { id, subject: 'a subject', body_text: text, extracted_text: null },
      })),
    );
  await store.rows('update messages set is_read = true where id = any($1)', [
    stored.filter(({ isRead }) => isRead).map(({ id }) => id),
  ]);
  await embedAll();
});

afterAll(() => store.close());

describe('nearestMessages', () => {
  test('finds the nearest messages of a workspace, with their cosines, nearest first', async () => {
    expect(await meanRecall({}, stored)).toBeGreaterThan(0.95);
    const { near: candidates, comparedFrom } = await findCandidates(makeContext(), {}, 'word1 word2', 20);
    expect(comparedFrom).toBeNull();
    const [best] = await exact('word1 word2', stored);
    expect(candidates[0]!.id).toBe(best!.id);
    expect(candidates[0]!.cosine).toBeCloseTo(best!.cosine, 1);
    const cosines = candidates.map(({ cosine }) => cosine);
    expect(cosines).toEqual(cosines.toSorted((a, b) => b - a));
  });

  test('finds all of a label that one message in a hundred has', async () => {
    const labelled = stored.filter((_, index) => index % 100 === 50);
    const label = newId('lbl');
    await store.rows(
      "insert into labels (workspace_id, id, name, name_key, created_at) values ($1, $2, 'rare', 'rare', now())",
      [store.workspaceId, label],
    );
    await store.rows(
      `insert into message_labels (workspace_id, message_id, label_id, inbox_id)
       select $1, id, $2, inbox_id from messages where id = any($3)`,
      [store.workspaceId, label, labelled.map(({ id }) => id)],
    );
    const filters = (await messageFilters(makeContext(), { label_id: label, limit: 20 } as never))!;
    expect(await meanRecall({ filters }, labelled)).toBeGreaterThan(0.98);
  });

  test('compares only the messages of an inbox, of a time and of both', async () => {
    const [inboxId] = inboxes;
    const own = stored.filter((message) => message.inboxId === inboxId);
    expect(await meanRecall({ inboxId }, own)).toBeGreaterThan(0.95);
    const [from, to] = [stored[500]!, stored[1_500]!];
    const scope = { range: { from: firstIdAt('msg', from.at), before: firstIdAt('msg', to.at) } };
    const between = stored.filter(({ at }) => at >= from.at && at < to.at);
    expect(await meanRecall(scope, between)).toBeGreaterThan(0.95);
    const both = between.filter((message) => message.inboxId === inboxId);
    expect(await meanRecall({ ...scope, inboxId }, both)).toBeGreaterThan(0.95);
  });

  test('combines filters with a time', async () => {
    const filters = (await messageFilters(makeContext(), {
      read: true,
      direction: 'inbound',
      limit: 20,
    } as never))!;
    const from = stored[1_000]!;
    const among = stored.filter(({ isRead, at }) => isRead && at >= from.at);
    expect(
      await meanRecall({ filters, range: { from: firstIdAt('msg', from.at), before: null } }, among),
    ).toBeGreaterThan(0.95);
    const none = (await messageFilters(makeContext(), { direction: 'outbound', limit: 20 } as never))!;
    expect((await findCandidates(makeContext(), { filters: none }, 'word1', 20)).near).toEqual([]);
  });

  test('never finds messages of another workspace', async () => {
    const other = newId('wsp');
    await store.rows(
      'insert into embedding_progress (workspace_id, space, asked_at) values ($1, $2, now())',
      [other, vectorSpace(provider)],
    );
    expect(await findCandidates(makeContext(other), {}, stored[0]!.text, 20)).toEqual({
      near: [],
      comparedFrom: null,
    });
  });

  test('hides messages of a deleted inbox at once', async () => {
    const [inboxId] = inboxes;
    await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
    const left = stored.filter((message) => message.inboxId !== inboxId);
    expect(await meanRecall({}, left)).toBeGreaterThan(0.95);
    await store.rows('update inboxes set deleted_at = null where id = $1', [inboxId]);
  });

  describe('of more messages than may be compared', () => {
    const compared = 1_024;
    const findNearest = async (scope: SemanticScope) =>
      nearestMessages(makeContext(), scope, await readMeaning(makeContext(), 'word1 word2'), {
        messages: 400,
        compared,
      });
    /** As the indexer would: 800 messages in the oldest bucket, and the others in as many as `compared` messages fill. */
    const bound = 799;
    beforeAll(() => {
      const newer = compared / bucketMessages;
      const each = Math.ceil((stored.length - bound - 1) / newer);
      const firsts = [0, ...Array.from({ length: newer }, (_, at) => bound + 1 + at * each)];
      const lasts = [...firsts.slice(1).map((first) => first - 1), stored.length - 1];
      const storedIds = (places: number[]) => places.map((place) => stored[place]!.id);
      return store.rows(
        `insert into search_buckets (workspace_id, bucket, number, block, oldest, newest)
         select $1, n - 1, n, 1, ($2::text[])[n], ($3::text[])[n] from generate_series(1, cardinality($2::text[])) n`,
        [store.workspaceId, storedIds(firsts), storedIds(lasts)],
      );
    });
    afterAll(() => store.rows('delete from search_buckets'));

    test('compares the newest part, and says from where on', async () => {
      const { near, comparedFrom } = await findNearest({});
      expect(comparedFrom).toBe(stored[bound]!.id);
      expect(near).toHaveLength(400);
      expect(near.filter(({ id }) => id < comparedFrom!)).toEqual([]);
      const expected = (await exact('word1 word2', stored.slice(bound))).map(({ id }) => id);
      const found = new Set(near.map(({ id }) => id));
      expect(expected.filter((id) => found.has(id)).length).toBeGreaterThan(18);
    });

    test('compares a whole inbox, time or filter that is not too large', async () => {
      const [inboxId, large] = inboxes;
      expect((await findNearest({ inboxId })).comparedFrom).toBeNull();
      expect((await findNearest({ inboxId: large })).comparedFrom).toBe(stored[bound]!.id);
      const oldest = await findNearest({ range: { from: null, before: stored[500]!.id } });
      expect(oldest.comparedFrom).toBeNull();
      expect(oldest.near).toHaveLength(400);
      const filters = (await messageFilters(makeContext(), { read: true, limit: 20 } as never))!;
      const filtered = await findNearest({ filters });
      expect(filtered.comparedFrom).toBeNull();
      expect(filtered.near.some(({ id }) => id < stored[bound]!.id)).toBe(true);
    });
  });

  test('fails as a provider that is down or off, so that the caller can fall back', async () => {
    provider.isDown = true;
    await expect(findCandidates(makeContext(), {}, 'never asked before', 20)).rejects.toThrow(EmbeddingError);
    provider.isDown = false;
    const off = { ...makeContext(), embedding: null };
    await expect(findCandidates(off, {}, 'word1', 20)).rejects.toThrow(EmbeddingError);
  });
});
