import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
  await store.rows(`insert into instance (one, secret_id) values (true, 'secret')`);
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

interface Answer {
  outcome: string;
  message_id?: string;
  thread_id?: string;
}
const noon = new Date('2026-03-01T12:00:00.000Z');
const after = new Date('2026-03-01T13:00:00.000Z');
const storeAll = async (...mails: StoredMail[]) =>
  (await store.rows<{ answer: Answer }>(...store.storeSql(mails))).map(({ answer }) => answer);
const subjects = async () =>
  (
    await store.rows<{ subject: string }>(
      'select subject from messages where inbox_id = $1 order by subject',
      [inboxId],
    )
  ).map(({ subject }) => subject);

test('store_messages of an empty list stores nothing, and returns nothing', async () => {
  const call = 'select * from store_messages($1, $2, $3, $4, $5)';
  expect(await store.rows(call, ['[]', [], [], [], []])).toEqual([]);
  expect(await storeAll()).toEqual([]);
});

test('store_messages answers for each mail in its order, whatever becomes of the others', async () => {
  const gone = await store.inbox();
  await store.rows('update inboxes set deleted_at = now() where id = $1', [gone]);
  const fingerprint = { hash: sha256(inboxId), expiresAt: after };
  const ids = [newId('msg'), newId('msg')];
  const answers = await storeAll(
    { inboxId: gone },
    { inboxId, at: noon, record: { fingerprint }, message: { id: ids[0]!, subject: '1' } },
    { inboxId, at: noon, record: { fingerprint }, message: { subject: '2' } },
    { inboxId, message: { workspace_id: newId('wsp'), subject: '3' } },
    { inboxId, message: { id: ids[1]!, subject: '5' }, named: ['<x@x>'] },
  );
  expect(answers).toEqual([
    { outcome: 'inbox_gone' },
    { outcome: 'stored', message_id: ids[0], thread_id: expect.stringMatching(/^thr_/) },
    { outcome: 'repeated', message_id: ids[0] },
    { outcome: 'inbox_gone' },
    { outcome: 'stored', message_id: ids[1], thread_id: expect.stringMatching(/^thr_/) },
  ]);
  expect(await subjects()).toEqual(['1', '5']);
});

test('store_messages writes everything that belongs to a mail, each row once', async () => {
  const id = newId('msg', noon);
  await store.rows('delete from usage_ledger');
  const file = {
    workspace_id: workspaceId,
    inbox_id: inboxId,
    message_id: id,
    filename: 'f',
    mime_type: 'a/b',
  };
  const [answer] = await storeAll({
    inboxId,
    at: noon,
    recipients: ['a@x.example', 'b@x.example'],
    original: Buffer.from('bytes'),
    message: {
      id,
      subject: 'Under way',
      size_bytes: 100,
      body_text: 'é',
      body_html: 'h',
      extracted_text: null,
    },
    record: {
      attachments: [0, 1].map((position) => ({
        ...file,
        id: newId('att'),
        position,
        size_bytes: 7,
        content_id: null,
        inline: false,
      })),
      usage: [{ kind: 'emails', amount: 2 }],
      events: [{ id: newId('evt'), event: 'message.received' as const, extra: { n: 1 } }],
      unparsed: { remoteAddress: '192.0.2.1', helo: null },
    },
  });
  const thread = answer?.thread_id;
  const rows = (columns: string, table: string, key = 'message_id') =>
    store.rows(`select ${columns} from ${table} where workspace_id = $1 and ${key} = $2 order by 1`, [
      workspaceId,
      key === 'workspace_id' ? workspaceId : id,
    ]);
  const row = [{ thread_id: thread, inbox_id: inboxId, is_read: true, direction: 'outbound' }];
  expect(await rows('thread_id, inbox_id, is_read, direction', 'messages', 'id')).toEqual(row);
  expect(await rows('address, status', 'message_recipients')).toEqual([
    { address: 'a@x.example', status: 'queued' },
    { address: 'b@x.example', status: 'queued' },
  ]);
  expect(await rows('position, size_bytes', 'attachments')).toEqual(
    [0, 1].map((position) => ({ position, size_bytes: 7 })),
  );
  expect(await rows('raw', 'originals')).toEqual([{ raw: Buffer.from('bytes') }]);
  expect(await rows('event, thread_id, extra', 'events')).toEqual([
    { event: 'message.received', thread_id: thread, extra: { n: 1 } },
  ]);
  expect(await rows('remote_address, due_at', 'unparsed_messages')).toEqual([
    { remote_address: '192.0.2.1', due_at: noon },
  ]);
  expect(await rows('revision', 'search_pending')).toEqual([{ revision: 1 }]);
  expect(await rows('term', 'message_terms')).toEqual(
    expect.arrayContaining([
      { term: 'subject:way' },
      { term: 'subject:under' },
      { term: 'to:agent@postrider.test' },
    ]),
  );
  const used = await store.rows(`select kind, amount, at from usage_ledger order by kind`);
  // The bodies count by their bytes.
  expect(used).toEqual([
    { kind: 'emails', amount: 2, at: noon },
    { kind: 'mail_bytes', amount: 103, at: noon },
  ]);
});
