import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { findWaiting, readPending } from './read-documents.ts';

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
});
beforeEach(() => store.rows('delete from search_pending'));
afterAll(() => store.close());

const storeTexts = (texts: string[]) =>
  store.storeBatch(texts.map((body_text) => ({ inboxId, message: { body_text } })));
const read = (workspaceIds: string[], messages: number, bytes: number) =>
  readPending(store.deps, workspaceIds, { messages, bytes });

test('a batch has as many messages as its size in bytes allows, and at least one', async () => {
  await storeTexts(['short', 'short', 'long '.repeat(10_000), 'short', 'short']);
  const { workspaceId } = store;
  expect(await read([workspaceId], 10, 1_000_000)).toHaveLength(5);
  expect(await read([workspaceId], 4, 1_000_000)).toHaveLength(4);
  // The message that exceeds the size is the last one.
  expect(await read([workspaceId], 10, 20_000)).toHaveLength(3);
  expect(await read([workspaceId], 10, 1)).toHaveLength(1);
});

test('workspaces share a batch, so that the mail of one does not wait for all the mail of another', async () => {
  await storeTexts(Array.from({ length: 20 }, () => 'short'));
  const others = [newId('wsp'), newId('wsp')].sort();
  for (const other of others)
    await store.rows('insert into search_pending (workspace_id, message_id) values ($1, $2)', [
      other,
      newId('msg'),
    ]);
  const waiting = await findWaiting(store.deps, '');
  expect(waiting).toEqual([store.workspaceId, ...others].sort());
  expect(await findWaiting(store.deps, waiting[0] ?? '')).toEqual(waiting.slice(1));
  const rows = await read(waiting, 6, 1_000_000);
  expect(rows.map((row) => row.workspace_id).sort()).toEqual(
    [store.workspaceId, store.workspaceId, ...others].sort(),
  );
  // A message that is gone is read as such.
  expect(rows.filter(({ inbox_id }) => inbox_id === null)).toHaveLength(2);
});
