import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { createReadLimiter } from '../../lib/admission/message-slots.ts';
import { newId, timeOfId } from '../../lib/ids.ts';
import { findSearchPage } from './search-messages.ts';

let index: IndexedStore;
const ids: string[] = [];
const anHourMs = 3_600_000;

beforeAll(async () => {
  index = await openIndexedStore();
  const inboxId = await index.store.inbox();
  const at = Date.now() - anHourMs;
  for (let n = 0; n < 3; n += 1) {
    const id = newId('msg', new Date(at + n));
    ids.push(await index.add({ inboxId, at: new Date(at + n), message: { id, subject: `Pelican ${n}` } }));
  }
  await index.settled();
  await index.stop();
});
afterAll(() => index.close());

const goOnBefore = (id: string | null) =>
  index.store.rows('update search_workspaces set backfill_before = $1', [id]);

const search = (query: string) => {
  const ctx = { ...index.ctx, readLimiter: createReadLimiter() } as Context;
  return findSearchPage(ctx, { query, mode: 'keyword', limit: 10, filters: {} });
};

test('a search says since when messages are indexed while older ones still are to be', async () => {
  await goOnBefore(ids[1] ?? '');
  const since = timeOfId(ids[1] ?? '');
  expect((await search('pelican')).rankedWithin).toEqual(since);
  expect((await search('cormorant')).rankedWithin).toEqual(since);
  const later = new Date(since.getTime() + 1).toISOString();
  expect((await search(`pelican after:${later}`)).rankedWithin).toBeNull();
});

test('a search in a workspace of which nothing is indexed yet says so', async () => {
  await goOnBefore(`${ids[2]}~`);
  await index.store.rows('update search_buckets set oldest = null, newest = null');
  const page = await search('pelican');
  expect(page.hits).toEqual([]);
  expect(page.rankedWithin).toEqual(timeOfId(ids[2] ?? ''));
});

test('a search leaves that out if there are no messages that are still to be indexed', async () => {
  await goOnBefore(ids[0] ?? '');
  expect((await search('pelican')).rankedWithin).toBeNull();
  await goOnBefore(null);
  expect((await search('pelican')).rankedWithin).toBeNull();
});
