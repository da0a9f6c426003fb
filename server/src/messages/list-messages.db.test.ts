import { ListMessages, limits } from '@postrider/contract';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { listMessages } from './list-messages.ts';

const messages = 12_000;
const idOf = (number: number): string => `msg_01a${number.toString(16).padStart(23, '0')}`;
let store: MailStore;

/** Every message has one of two words in its subject, and the second has both. */
beforeAll(async () => {
  store = await openMailStore();
  const inboxId = await store.inbox();
  const id = "'msg_01a' || lpad(to_hex(n), 23, '0')";
  await store.rows(
    `insert into messages (workspace_id, id, inbox_id, thread_id, direction, from_addr, to_addrs, cc_addrs, bcc_addrs, reply_to_addrs,
       envelope_to, subject, snippet, delivery_status, message_id_header, reference_ids, auto_submitted, has_attachments, size_bytes,
       created_at)
     select $1, ${id}, $2, 'thr', 'inbound', 'ada@example.com', '{}', '{}', '{}', '{}', '{}', '', '', 'received', '<' || n || '@x>', '{}',
       false, false, 1, now() from generate_series(1, ${messages}) n`,
    [store.workspaceId, inboxId],
  );
  await store.rows(
    `insert into message_terms select $1, 'subject:' || (array['even', 'odd'])[1 + n % 2], ${id} from generate_series(1, ${messages}) n
     union all select $1, 'subject:odd', '${idOf(2)}'`,
    [store.workspaceId],
  );
});

afterAll(() => store.close());

const list = (query: Record<string, string>) => {
  const { workspaceId, deps } = store;
  const { signal } = new AbortController();
  const ctx = { ...deps, workspaceId, scope: wholeWorkspace, stopping: signal } as unknown as Context;
  return listMessages(ctx, ListMessages.parse(query), signal);
};

test('a page of several filters ends early after looking at so many messages, and its cursor goes on there', async () => {
  const first = await list({ subject: 'even odd' });
  expect(first.rows).toEqual([]);
  const [last = ''] = decodeCursor(first.nextCursor ?? '', 1);
  expect([
    idOf(messages - 2 * limits.listCandidatesMax + 2),
    idOf(messages - 2 * limits.listCandidatesMax + 1),
  ]).toContain(last);
  const second = await list({ subject: 'even odd', cursor: first.nextCursor! });
  expect(second.rows.map(({ row }) => row.id)).toEqual([idOf(2)]);
  expect(second.nextCursor).toBeNull();
});

test('one filter never ends a page early, and its pages have every message once', async () => {
  const page = await list({ subject: 'odd', limit: '100' });
  expect(page.rows).toHaveLength(100);
  const next = await list({ subject: 'odd', limit: '100', cursor: page.nextCursor! });
  expect(next.rows[0]?.row.id).toBe(idOf(messages - 201));
});

test('messages of a deleted inbox that are still there are passed over, however many they are', async () => {
  const inboxId = await store.inbox();
  await store.rows('update messages set inbox_id = $1 where id > $2', [inboxId, idOf(messages - 200)]);
  await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
  const page = await list({});
  expect(page.rows).toHaveLength(25);
  expect(page.rows[0]?.row.id).toBe(idOf(messages - 200));
});
