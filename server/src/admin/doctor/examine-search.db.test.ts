import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineSearch } from './examine-search.ts';

let store: MailStore;
beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());

const examine = () => examineSearch(store.database);

test('an index that has all mail is fine', async () => {
  expect(await examine()).toEqual([{ part: 'search', state: 'ok', text: 'all mail is indexed' }]);
});

test('mail that has just come is no problem, and mail that waits for minutes is one', async () => {
  const inboxId = await store.inbox();
  await store.store({ inboxId });
  expect(await examine()).toMatchObject([{ state: 'ok' }]);
  await store.store({ inboxId, at: new Date(Date.now() - 300_000) });
  expect(await examine()).toEqual([
    {
      part: 'search',
      state: 'problem',
      text: expect.stringMatching(/^2 messages are waiting to be indexed, the oldest for 30\d s\./),
      remedy: 'Run a process with the role worker.',
    },
  ]);
  await store.rows('delete from search_pending');
});

test('mail from before the index is a note', async () => {
  await store.rows(
    `insert into search_workspaces (workspace_id, newest_bucket, in_newest, backfill_before) values ($1, 0, 0, 'msg_~')`,
    [store.workspaceId],
  );
  expect(await examine()).toMatchObject([
    { state: 'note', text: expect.stringMatching(/^2 messages are older than the index/) },
  ]);
});
