import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { nextSlice } from './slices.ts';

const [oldest, newest] = [-40, 90];
const range = { from: null, before: null };
let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
  await store.rows(
    `insert into search_buckets (workspace_id, bucket, number, block, oldest, newest)
      select $1, n, 1000 + n, 5000 + floor(n / 32.0), 'msg_0', 'msg_1~' from generate_series($2::int, $3::int) n`,
    [store.workspaceId, oldest, newest],
  );
});

afterAll(() => store.close());

const ctx = () =>
  ({ ...store.deps, workspaceId: store.workspaceId, scope: wholeWorkspace }) as unknown as Context;

test('a slice matches the messages of its buckets and no others, wherever it begins and however long it is', async () => {
  for (const top of [null, 91, 90, 65, 64, 63, 33, 32, 3, 0, -20])
    for (const size of [1, 4, 5, 20, 31, 32, 33, 64, 100, 400])
      for (const perBucket of [1, 20, 1_000]) {
        const slice = await nextSlice(ctx(), { top, bottom: null }, range, { size, perBucket });
        const end = (top ?? newest + 1) - 1;
        const start = slice!.bottom ?? oldest;
        expect(slice!.size).toBe(end - start + 1);
        expect(slice!.size).toBeGreaterThanOrEqual(Math.min(Math.ceil(0.75 * size), end - oldest + 1));
        expect(slice!.size).toBeLessThan(size + 32);
        expect(slice!.match[0]!.split('|').length).toBeLessThan(40);
        const matching = await matchingBuckets(slice!.match[0]!);
        expect(matching).toEqual(Array.from({ length: slice!.size }, (_, at) => start + at));
      }
});

test('a slice ends with a block unless that has it rank many more messages', async () => {
  const findBottom = async (size: number, perBucket: number) =>
    (await nextSlice(ctx(), { top: 91, bottom: null }, range, { size, perBucket }))!.bottom;
  expect(await findBottom(20, 2)).toBe(64);
  expect(await findBottom(20, 1_000)).toBe(71);
  expect(await findBottom(30, 1_000)).toBe(64);
  expect(await findBottom(50, 2)).toBe(32);
  expect(await findBottom(50, 1_000)).toBe(41);
});

/** Returns the buckets whose messages a tsquery matches, in their order. */
async function matchingBuckets(match: string): Promise<number[]> {
  const buckets = Array.from({ length: newest - oldest + 1 }, (_, at) => oldest + at);
  const vectors = buckets.map(
    (bucket) => `'@b${(1_000 + bucket).toString(36)}' '@k${(5_000 + Math.floor(bucket / 32)).toString(36)}'`,
  );
  const rows = await store.rows<{ bucket: number }>(
    `select bucket from unnest($1::int[], $2::text[]) documents (bucket, words) where words::tsvector @@ $3::tsquery order by bucket`,
    [buckets, vectors, match],
  );
  return rows.map(({ bucket }) => bucket);
}
