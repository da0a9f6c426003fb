import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUsage } from './usage.ts';

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore(1);
});
afterAll(() => store.close());

/** Rows that were read by looking through a whole table; the one connection tells at once what it has counted. */
const readThrough = async (): Promise<number> => {
  await store.rows('select pg_stat_force_next_flush()');
  const [row] = await store.rows<{ read: number }>(
    "select sum(seq_tup_read)::int as read from pg_stat_user_tables where relname in ('usage_ledger', 'usage_totals')",
  );
  return row?.read ?? -1;
};

const fill = async (from: number, to: number): Promise<void> => {
  await store.rows(
    `insert into usage_ledger (workspace_id, kind, amount, at)
      select 'wsp_' || n, unnest(array['emails', 'storage_bytes']), 1, now() from generate_series($1::int, $2::int) n`,
    [from, to],
  );
  await store.rows(
    `insert into usage_totals select 'wsp_' || n, unnest(array['emails', 'storage_bytes']), date '2026-01-01', 1
      from generate_series($1::int, $2::int) n`,
    [from, to],
  );
};

// Plans of a function are made when it is first called, here on tables that are known to be small, and kept.
test('usage is read from the entries of the workspace alone, however long the ledger is', async () => {
  const ctx = { ...store.deps, workspaceId: store.workspaceId };
  const at = new Date();
  const read = async (times: number) => {
    for (let time = 0; time < times; time += 1) await readUsage(ctx, at);
  };
  await fill(1, 5);
  await store.rows('analyze usage_ledger, usage_totals');
  await read(10);
  await fill(6, 5_000);
  const before = await readThrough();
  await read(10);
  expect(await readThrough()).toBe(before);
});
