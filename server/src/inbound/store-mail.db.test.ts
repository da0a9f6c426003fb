import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { storeInbound } from './store-mail.ts';

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());

test.each([
  ['counts its attachments', { subject: 'A subject' }, 700],
  [
    'whose subject the database refuses is stored without attachments, and counts none',
    { subject: 'a\0b' },
    0,
  ],
  [
    'whose text the database refuses is stored without attachments, and counts none',
    { body_text: 'a\0b' },
    0,
  ],
])('a mail %s', async (_, texts, stored) => {
  const inboxId = await store.inbox();
  const id = newId('msg');
  const file = {
    workspace_id: store.workspaceId,
    id: newId('att'),
    inbox_id: inboxId,
    message_id: id,
    position: 0,
    filename: 'a.txt',
    mime_type: 'text/plain',
    size_bytes: 700,
    content_id: null,
    inline: false,
  };
  const record = store.record({
    inboxId,
    message: { id, ...texts },
    record: { attachments: [file], usage: [{ kind: 'storage_bytes', amount: 700 }] },
  });
  await store.rows('delete from usage_ledger');
  const ctx = { ...store.deps, workspaceId: store.workspaceId, log: pino({ level: 'silent' }) };
  expect(await storeInbound(ctx, record, null)).toMatchObject({ outcome: 'stored', messageId: id });
  const sumOf = (column: string, table: string, where: string) =>
    store.rows<{ sum: number }>(`select coalesce(sum(${column}), 0)::int as sum from ${table} ${where}`);
  expect(await sumOf('size_bytes', 'attachments', `where message_id = '${id}'`)).toEqual([{ sum: stored }]);
  expect(await sumOf('amount', 'usage_ledger', "where kind = 'storage_bytes'")).toEqual([{ sum: stored }]);
});
