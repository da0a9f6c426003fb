import { createHashedEmbedding, type HashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { embedPending } from './embed-pending.ts';
import { endEmbedding, refillPending, switchSpace, turnOnEmbedding } from './embedding-progress.ts';
import { nearestMessages } from './nearest-messages.ts';
import { readMeaning } from './read-meaning.ts';
import type { SemanticScope } from './semantic-scope.ts';
import { vectorSpace } from './vectors.ts';

const stopping = new AbortController().signal;
const log = { warn: () => {} } as unknown as Context['log'];
const clock = { now: () => new Date() };

let store: MailStore;
let provider: HashedEmbedding;
let inboxId: string;

const makeContext = (embedding: HashedEmbedding) =>
  ({
    ...store.deps,
    workspaceId: store.workspaceId,
    scope: wholeWorkspace,
    embedding,
    stopping,
    log,
    clock,
  }) as unknown as Context;

const storeMails = async (texts: string[]) => {
  const mails = texts.map((text) => ({ id: newId('msg'), text }));
  await store.storeBatch(
    mails.map(({ id, text }) => ({ inboxId, message: { id, subject: 'a subject', body_text: text } })),
  );
  return mails.map(({ id }) => id);
};

const wait = (ids: string[], isLive = true) =>
  store.rows('insert into embedding_pending select $1, unnest($2::text[]), $3', [
    store.workspaceId,
    ids,
    isLive,
  ]);

const findCandidates = async (ctx: Context, scope: SemanticScope, text: string, limit: number) => {
  const meaning = await readMeaning(ctx, text);
  const { near } = await nearestMessages(ctx, scope, meaning, { messages: limit, compared: 10_000 });
  return { near, comparedFrom: meaning.comparedFrom };
};

/** Does what a search and the process that embeds do with a provider for the first time. */
const begin = async (ctx: Context, embedding: HashedEmbedding) => {
  await turnOnEmbedding(ctx, vectorSpace(embedding));
  await switchSpace(ctx, vectorSpace(embedding));
};

const embedAll = async (embedding = provider) => {
  const ctx = makeContext(embedding);
  await begin(ctx, embedding);
  do while ((await embedPending(ctx, embedding, false, stopping)) > 0);
  while (await refillPending(ctx, vectorSpace(embedding)));
};

const counts = async () => {
  const [row] = await store.rows<{ pending: number; codes: number; vectors: number }>(
    `select (select count(*) from embedding_pending) as pending, (select count(*) from search_codes) as codes,
       (select count(*) from search_vectors) as vectors`,
  );
  return row!;
};

beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
});

afterAll(() => store.close());

beforeEach(async () => {
  provider = createHashedEmbedding();
  await endEmbedding(makeContext(provider));
  const ids = await store.rows<{ id: string }>('select id from messages');
  if (ids.length > 0)
    await removeMessages(
      makeContext(provider),
      ids.map(({ id }) => id),
    );
});

describe('messages that wait to be embedded', () => {
  test('are embedded by their subject and the start of their new text, and no longer wait', async () => {
    await wait(await storeMails(['the first text', `${'long '.repeat(1_000)}end`]));
    expect(await embedPending(makeContext(provider), provider, true, stopping)).toBe(2);
    const texts = provider.calls[0]!.toSorted();
    expect(texts[1]).toBe('a subject\nthe first text');
    expect(texts[0]!.length).toBe('a subject\n'.length + 2_000);
    expect(await counts()).toEqual({ pending: 0, codes: 2, vectors: 2 });
    expect(await embedPending(makeContext(provider), provider, true, stopping)).toBe(0);
  });

  test('are embedded without the history that a sent reply quotes', async () => {
    const id = newId('msg');
    const text =
      'The parcel left today.\n\nOn Mon, 2 Mar 2026 at 09:00, Ada <ada@engine.example> wrote:\n> Where is it?';
    const message = { id, direction: 'outbound' as const, subject: 'Re: parcel', body_text: text };
    await store.storeBatch([{ inboxId, message: { ...message, extracted_text: null } }]);
    await wait([id]);
    await embedPending(makeContext(provider), provider, true, stopping);
    expect(provider.calls).toEqual([['Re: parcel\nThe parcel left today.']]);
  });

  test('leave nothing if they are removed while the provider works, whichever commits first', async () => {
    const ids = await storeMails(['one', 'two', 'three']);
    await wait(ids);
    provider.meanwhile = () =>
      store.database.db
        .transaction()
        .execute((db) => removeMessages({ ...makeContext(provider), db } as Context, ids.slice(0, 2)));
    await embedPending(makeContext(provider), provider, true, stopping);
    expect(await counts()).toEqual({ pending: 0, codes: 1, vectors: 1 });
    await removeMessages(makeContext(provider), ids.slice(2));
    expect(await counts()).toEqual({ pending: 0, codes: 0, vectors: 0 });
  });

  test('and were removed before are forgotten', async () => {
    await wait([newId('msg')]);
    expect(await embedPending(makeContext(provider), provider, true, stopping)).toBe(1);
    expect(await counts()).toEqual({ pending: 0, codes: 0, vectors: 0 });
    expect(provider.calls).toEqual([]);
  });

  test('go on waiting while the provider fails', async () => {
    await wait(await storeMails(['one', 'two', 'three', 'four']));
    provider.isDown = true;
    await expect(embedPending(makeContext(provider), provider, true, stopping)).rejects.toThrow(
      EmbeddingError,
    );
    expect(await counts()).toEqual({ pending: 4, codes: 0, vectors: 0 });
    expect(provider.calls).toHaveLength(1 + 3);
    provider.isDown = false;
    await embedPending(makeContext(provider), provider, true, stopping);
    expect(await counts()).toEqual({ pending: 0, codes: 4, vectors: 4 });
  });

  test('are not held up by one that the provider refuses, or that has no words', async () => {
    await wait(await storeMails(['one', 'the refused text', 'three']));
    provider.refused = 'refused';
    await embedPending(makeContext(provider), provider, true, stopping);
    expect(await counts()).toEqual({ pending: 0, codes: 2, vectors: 2 });
    const [empty] = await storeMails(['']);
    await store.rows("update messages set subject = '', snippet = '' where id = $1", [empty]);
    await wait([empty!]);
    await embedPending(makeContext(provider), provider, true, stopping);
    expect(await counts()).toEqual({ pending: 0, codes: 2, vectors: 2 });
  });
});

describe('older messages', () => {
  test('are embedded, the newest first, after those that have just been stored', async () => {
    const ids = await storeMails(Array.from({ length: 600 }, (_, index) => `number ${index}`));
    const ctx = makeContext(provider);
    await begin(ctx, provider);
    expect(await refillPending(ctx, vectorSpace(provider))).toBe(true);
    expect((await counts()).pending).toBe(500);
    await embedPending(ctx, provider, false, stopping);
    expect(provider.calls[0]).toContain('a subject\nnumber 599');
    expect(provider.calls[0]).not.toContain('a subject\nnumber 500');
    const { near: candidates, comparedFrom } = await findCandidates(ctx, {}, 'number 599', 500);
    expect(candidates.length).toBe(64);
    expect(ids.indexOf(comparedFrom!)).toBe(600 - 64 - 1);
    await embedAll();
    expect(await counts()).toEqual({ pending: 0, codes: 600, vectors: 600 });
    expect((await findCandidates(ctx, {}, 'number 599', 1)).comparedFrom).toBeNull();
  });

  test('are embedded again by another provider, and only once, while searches go on', async () => {
    const ids = await storeMails(['one apple', 'two pears', 'three plums']);
    await embedAll();
    const other = createHashedEmbedding('other', 24);
    await expect(findCandidates(makeContext(other), {}, 'apple', 10)).rejects.toThrow(EmbeddingError);
    await begin(makeContext(other), other);
    await expect(findCandidates(makeContext(other), {}, 'apple', 10)).rejects.toThrow(EmbeddingError);
    await embedAll(other);
    const { near: candidates } = await findCandidates(makeContext(other), {}, 'one apple', 10);
    expect(candidates[0]!.id).toBe(ids[0]);
    expect(candidates).toHaveLength(3);
    await expect(findCandidates(makeContext(provider), {}, 'apple', 10)).rejects.toThrow(EmbeddingError);
    const calls = other.calls.length;
    await embedAll(other);
    expect(other.calls).toHaveLength(calls);
    expect(await counts()).toEqual({ pending: 0, codes: 3, vectors: 3 });
  });

  test('that are removed while they begin to wait leave nothing', async () => {
    const ids = await storeMails(Array.from({ length: 40 }, (_, index) => `number ${index}`));
    const ctx = makeContext(provider);
    await begin(ctx, provider);
    const removals = ids.map((id) =>
      store.database.db.transaction().execute((db) => removeMessages({ ...ctx, db } as Context, [id])),
    );
    const embedding = embedAll();
    await Promise.all([...removals, embedding]);
    await embedAll();
    expect(await counts()).toEqual({ pending: 0, codes: 0, vectors: 0 });
  });
});
