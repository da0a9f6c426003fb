import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeMessage } from './store-message.ts';

const mails = 150;
const readsPerMailMax = 12;
let store: MailStore;

beforeAll(async () => {
  store = await openMailStore(1);
});

afterAll(() => store.close());

/** Entries that were read in the indexes of Message-IDs; the one connection tells at once what it has counted. */
const readEntries = async (): Promise<number> => {
  await store.rows('select pg_stat_force_next_flush()');
  const [row] = await store.rows<{ read: number }>(
    `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname in ('message_ids', 'awaited_ids')`,
  );
  return row?.read ?? -1;
};

// Plans of a function are made when it is first called, on tables that are empty, and kept.
test('a mail reads a few entries of the index of Message-IDs, however many its inbox has by then', async () => {
  const inboxId = await store.inbox();
  const ctx = { ...store.deps, workspaceId: store.workspaceId };
  const before = await readEntries();
  for (let mail = 0; mail < mails; mail++) {
    const named = [`<unknown-${mail}@x>`, `<mail-${mail - 1}@x>`];
    const record = store.record({ inboxId, own: `<mail-${mail}@x>`, named });
    expect((await storeMessage(ctx, record, null)).outcome).toBe('stored');
  }
  expect((await readEntries()) - before).toBeLessThan(mails * readsPerMailMax);
});
