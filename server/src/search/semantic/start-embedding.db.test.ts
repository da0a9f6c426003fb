import { createHashedEmbedding, type HashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Context } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { createTimeScale } from '../../lib/clock.ts';
import { searchStatus } from '../search-status.ts';
import { turnOnEmbedding } from './embedding-progress.ts';
import { nearestMessages } from './nearest-messages.ts';
import { readMeaning } from './read-meaning.ts';
import { startEmbedding } from './start-embedding.ts';
import { vectorSpace } from './vectors.ts';

let indexed: IndexedStore;
let provider: HashedEmbedding;
let inboxId: string;
let stops: (() => Promise<void>)[];

const makeDeps = (embedding: HashedEmbedding | null, kind = embedding ? 'words' : 'off') =>
  ({
    ...indexed.deps,
    embedding,
    config: { embeddings: { kind } },
    timeScale: createTimeScale(100),
  }) as unknown as Deps;

const start = (embedding: HashedEmbedding | null = provider) => {
  stops.push(startEmbedding(makeDeps(embedding)));
};
const ask = () => turnOnEmbedding(indexed.ctx, vectorSpace(provider));
const stopAll = async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
};

const find = async (text: string, embedding = provider) => {
  const ctx = { ...indexed.ctx, embedding } as Context;
  const limits = { messages: 10, compared: 1_000 };
  const { near } = await nearestMessages(ctx, {}, await readMeaning(ctx, text), limits);
  return near.map(({ id }) => id);
};

const add = (text: string) => indexed.add({ inboxId, message: { subject: 'a subject', body_text: text } });
const status = async (embedding: HashedEmbedding | null = provider) =>
  (await searchStatus(makeDeps(embedding))).embedding;
const settles = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 300_000, interval: 20 });

beforeEach(async () => {
  indexed = await openIndexedStore();
  provider = createHashedEmbedding();
  inboxId = await indexed.store.inbox();
  stops = [];
});

afterEach(async () => {
  await stopAll();
  await indexed.close();
});

describe('the process that embeds', () => {
  test('embeds mail as it arrives, once, however many processes run', async () => {
    await ask();
    start();
    start();
    const ids = [await add('apples and pears'), await add('trains and planes')];
    await settles(async () => expect(await find('pears')).toEqual(expect.arrayContaining(ids)));
    expect((await find('trains planes'))[0]).toBe(ids[1]);
    expect(provider.calls.flat().toSorted()).toEqual([
      'a subject\napples and pears',
      'a subject\ntrains and planes',
    ]);
    expect(await status()).toEqual({
      provider: 'words',
      workspaces: 1,
      embedded: 2,
      pending: 0,
      backfill: { workspaces: 0, messages: 0 },
    });
  });

  test('goes on with mail that came while no process ran, and after a failing provider', async () => {
    await ask();
    provider.isDown = true;
    start();
    const first = await add('the first');
    await settles(async () => expect(provider.calls.length).toBeGreaterThan(1));
    await stopAll();
    const second = await add('the second');
    await indexed.settled();
    expect((await status()).pending).toBe(2);
    provider.isDown = false;
    start();
    await settles(async () => expect((await find('first')).toSorted()).toEqual([first, second].toSorted()));
  });

  test('keeps what waits for a service that could not be reached at the start', async () => {
    await ask();
    const unreachable = startEmbedding(makeDeps(null, 'openai'));
    const id = await add('while away');
    await indexed.settled();
    await unreachable();
    expect(await status(null)).toMatchObject({ workspaces: 1, pending: 1 });
    start();
    await settles(async () => expect(await find('away')).toEqual([id]));
  });

  test('embeds what came while embeddings were off', async () => {
    await ask();
    start(null);
    await settles(async () => expect((await status(null)).workspaces).toBe(0));
    const id = await add('while off');
    await indexed.settled();
    await stopAll();
    expect((await status(null)).pending).toBe(0);
    start();
    await ask();
    await settles(async () => expect(await find('off')).toEqual([id]));
  });
});
