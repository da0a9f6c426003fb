import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';
import { storeCall } from '../../messages/store/store-message.ts';

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

interface Settled {
  outcome: string;
  message_id: string;
  thread_id: string;
  returned: boolean;
}
type Mail = Omit<StoredMail, 'inboxId'> & { inboxId?: string };
type Batch = [messageIds: string[], threadIds: (string | null)[]];

const call = 'select settle_message($1, $2, $3) as settled';
const callValues = (mail: Mail, batch: Batch = [[], []]) => [
  storeCall(store.record({ inboxId, ...mail }), null).payload,
  ...batch,
];
const settle = async (mail: Mail, batch?: Batch) =>
  (await store.rows<{ settled: Settled }>(call, callValues(mail, batch)))[0]!.settled;
const storeIn = (mail: Mail = {}) => store.keep({ inboxId, ...mail });
const noon = Date.UTC(2026, 2, 1, 12);
const minute = (count: number) => new Date(noon + count * 60_000);
const threads = () =>
  store.rows(
    'select id, message_count, unread_count, last_message_at, participants from threads where inbox_id = $1',
    [inboxId],
  );
const count = async (table: string) =>
  (await store.rows(`select from ${table} where inbox_id = $1`, [inboxId])).length;

test('settle_message begins a thread for a mail that is related to none, and remembers what it waits for', async () => {
  const id = newId('msg');
  const settled = await settle({ message: { id }, named: ['<a@x>', '<b@x>'], at: minute(0) });
  expect(settled).toMatchObject({ outcome: 'stored', message_id: id, returned: false });
  expect(await threads()).toEqual([
    {
      id: settled.thread_id,
      message_count: 1,
      unread_count: 1,
      last_message_at: minute(0),
      participants: ['ada@example.com'],
    },
  ]);
  expect([await count('message_ids'), await count('awaited_ids')]).toEqual([1, 2]);
  // The message itself is stored by the caller.
  expect(await count('messages')).toBe(0);
});

test('settle_message writes nothing for an inbox that is deleted, unknown, or of another workspace', async () => {
  const gone = await store.inbox();
  await store.rows('update inboxes set deleted_at = now() where id = $1', [gone]);
  const client = { clientId: 'kept free', expiresAt: minute(60) };
  for (const mail of [
    { inboxId: gone },
    { inboxId: newId('inb') },
    { message: { workspace_id: newId('wsp') } },
  ])
    expect(await settle({ ...mail, record: { client } })).toEqual({ outcome: 'inbox_gone' });
  expect(await store.rows('select from client_ids where client_id = $1', [client.clientId])).toEqual([]);
  expect([await count('threads'), await count('message_ids')]).toEqual([0, 0]);
});

describe.each([
  ['client_id', (name: string) => ({ client: { clientId: `${inboxId} ${name}`, expiresAt: minute(60) } })],
  ['fingerprint', (name: string) => ({ fingerprint: { hash: sha256(name), expiresAt: minute(60) } })],
])('settle_message of mails with one %s', (_, recordOf) => {
  const mail = (name: string, at = minute(0)) => ({
    message: { id: newId('msg') },
    at,
    record: recordOf(name),
  });

  test('tells all but the first which message was first, until that has expired', async () => {
    const first = mail('same');
    expect(await settle(first)).toMatchObject({ outcome: 'stored' });
    for (const at of [0, 1, 59])
      expect(await settle(mail('same', minute(at)))).toEqual({
        outcome: 'repeated',
        message_id: first.message.id,
      });
    expect(await settle(mail('other'))).toMatchObject({ outcome: 'stored' });
    const next = mail('same', minute(60));
    expect(await settle(next)).toMatchObject({ outcome: 'stored', message_id: next.message.id });
    expect(await count('threads')).toBe(3);
  });

  test('lets the second wait for the first that is not committed yet', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const [one, two] = [mail('at once'), mail('at once')];
      await first.rows(call, callValues(one));
      const waiting = second.rows<{ settled: Settled }>(call, callValues(two));
      await first.blocks(second);
      await first.commit();
      expect(await waiting).toEqual([{ settled: { outcome: 'repeated', message_id: one.message.id } }]);
    }));
});

describe('settle_message puts a mail', () => {
  test('into the thread that it is told, also by an id from before a merge', async () => {
    const [kept, merged] = [await storeIn(), await storeIn()];
    const told = (threadId: string) => settle({ record: { threadId } });
    expect((await told(kept.threadId)).thread_id).toBe(kept.threadId);
    await store.rows('select merge_threads($1, $2, $3)', [
      store.workspaceId,
      kept.threadId,
      [merged.threadId],
    ]);
    expect((await told(merged.threadId)).thread_id).toBe(kept.threadId);
    // A thread that is gone is begun anew.
    const gone = newId('thr');
    const begun = await told(gone);
    expect(begun.thread_id).not.toBe(gone);
    expect(await threads()).toHaveLength(2);
  });

  test('into the thread of the first id that is known, also of its batch', async () => {
    const begun = await storeIn({ own: '<begun@x>' });
    expect(await settle({ named: ['<none@x>', '<begun@x>'] })).toMatchObject({ thread_id: begun.threadId });
    const id = newId('msg');
    const { thread_id } = await settle({ own: '<batch@x>', message: { id } });
    const named = ['<batch@x>', '<begun@x>'];
    expect(
      await settle({ named }, [
        [newId('msg'), id],
        [null, thread_id],
      ]),
    ).toMatchObject({ thread_id });
    // Without its batch the message is nowhere.
    expect(await settle({ named })).toMatchObject({ thread_id: begun.threadId });
  });

  test('into the oldest thread that waits for it, and merges the others', async () => {
    const young = await storeIn({ named: ['<late@x>', '<more@x>'], at: minute(1) });
    const old = await storeIn({ named: ['<also@x>'], at: minute(0) });
    const other = await storeIn({ named: ['<late@x>'], inboxId: await store.inbox() });
    expect(young.threadId).not.toBe(old.threadId);
    const record = { ownIds: ['<late@x>', '<also@x>'] };
    expect(await settle({ record, at: minute(2) })).toMatchObject({ thread_id: old.threadId });
    expect(await threads()).toMatchObject([
      { id: old.threadId, message_count: 3, last_message_at: minute(2) },
    ]);
    expect(await store.rows('select from threads where id = $1', [other.threadId])).toHaveLength(1);
    expect(await count('awaited_ids')).toBe(1);
  });

  test('with the thread of another that waits for the same id, and is not committed yet', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const [one] = await first.rows<{ settled: Settled }>(call, callValues({ named: ['<late@x>'] }));
      const waiting = second.rows<{ settled: Settled }>(call, callValues({ named: ['<late@x>'] }));
      await first.blocks(second);
      await first.commit();
      expect((await waiting)[0]?.settled.thread_id).toBe(one?.settled.thread_id);
      await second.commit();
      expect(await threads()).toMatchObject([{ message_count: 2 }]);
    }));
});

test('settle_message tells of a sent mail that comes back, unless it was sent to the inbox, too', async () => {
  const own = '<sent@x>';
  const sent = await storeIn({ own, recipients: ['list@remote.example', 'agent@postrider.test'] });
  const back = (envelope_to: string[]) => settle({ own, message: { envelope_to } });
  expect(await back(['other@postrider.test'])).toMatchObject({ returned: true, thread_id: sent.threadId });
  expect(await back(['AGENT@postrider.test'])).toMatchObject({ returned: false });
  await storeIn({ own: '<received@x>' });
  expect(await settle({ own: '<received@x>' })).toMatchObject({ returned: false });
});
