import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
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

const noon = new Date('2026-03-01T12:00:00.000Z');
const before = new Date('2026-03-01T11:00:00.000Z');
const later = new Date('2026-03-01T13:00:00.000Z');
interface Row {
  answer: { outcome: string };
}
const listOutcomes = (rows: Row[]) => rows.map(({ answer }) => answer.outcome);
const storeAll = async (...mails: StoredMail[]) =>
  listOutcomes(await store.rows<Row>(...store.sendSql(mails)));
const subjects = async () =>
  (
    await store.rows<{ subject: string }>(
      'select subject from messages where inbox_id = $1 order by subject',
      [inboxId],
    )
  ).map(({ subject }) => subject);
const version = async () =>
  (await store.rows<{ version: string }>('select sending_version($1) as version', [workspaceId]))[0]!.version;

const send = (sendingVersion: string, subject: string, near: object = {}) => ({
  inboxId,
  recipients: ['to@x.example'],
  message: { subject },
  send: {
    sendingVersion,
    counted: { slot: noon, of: [[inboxId, 1] as [string, number]] },
    nearCaps: [{ subject: inboxId, window: 'hour' as const, since: before, most: 2, amount: 1, ...near }],
  },
});

test('store_sends stores no more than a cap allows, also within a batch, and each window by itself', async () => {
  const now = await version();
  const batch = [send(now, '1'), send('of before', '2'), send(now, '3'), send(now, '4')];
  expect(await storeAll(...batch)).toEqual(['stored', 'undecided', 'stored', 'undecided']);
  expect(await storeAll(send(now, '5'))).toEqual(['undecided']);
  expect(await storeAll(send(now, '6', { since: noon }), send(now, '7', { most: 5 }))).toEqual([
    'stored',
    'stored',
  ]);
  expect(await subjects()).toEqual(['1', '3', '6', '7']);
});

test('store_sends lets the send that comes near a cap wait for another one there', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const now = await version();
    await first.rows(...store.sendSql([send(now, '1', { most: 1 })]));
    const waiting = second.rows<Row>(...store.sendSql([send(now, '2', { most: 1 })]));
    await first.blocks(second);
    await first.commit();
    expect(listOutcomes(await waiting)).toEqual(['undecided']);
  }));

test('store_sends waits for a change of what may be sent, and then stores nothing that was decided before', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const now = await version();
    await first.rows('select lock_sending($1, true)', [workspaceId]);
    await first.rows('update workspaces set sending_version = sending_version + 1 where id = $1', [
      workspaceId,
    ]);
    const waiting = second.rows<Row>(...store.sendSql([send(now, '1')]));
    await first.blocks(second);
    await first.commit();
    expect(listOutcomes(await waiting)).toEqual(['undecided']);
  }));

test('store_sends lets a change of what may be sent wait', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    await first.rows(...store.sendSql([send(await version(), '1')]));
    const changing = second
      .rows(`select lock_sending('', true)`)
      .then(() => second.rows('select from messages where inbox_id = $1', [inboxId]));
    await first.blocks(second);
    await first.commit();
    expect(await changing).toHaveLength(1);
  }));

test('store_sends of an empty list stores nothing, and returns nothing', async () => {
  expect(await store.rows('select * from store_sends($1, $2, $3, $4, $5)', ['[]', [], [], [], []])).toEqual(
    [],
  );
});

test('store_sends answers for each send in its order, also if none is decided any more', async () => {
  const now = await version();
  const gone = await store.inbox();
  await store.rows('update inboxes set deleted_at = now() where id = $1', [gone]);
  const others = [send('of before', '1'), send('of before', '2')];
  expect(await storeAll(...others)).toEqual(['undecided', 'undecided']);
  const last = { ...send(now, '4'), inboxId: gone };
  expect(await storeAll(others[0]!, send(now, '3'), last, others[1]!)).toEqual([
    'undecided',
    'stored',
    'inbox_gone',
    'undecided',
  ]);
  const sent = await store.rows('select body_text, size_bytes from messages where inbox_id = $1', [inboxId]);
  expect(sent).toEqual([{ body_text: 'A text', size_bytes: 100 }]);
});

test('store_sends counts what is stored for its caps, with its thread, and holds what has to be approved', async () => {
  const now = await version();
  const id = newId('msg', noon);
  const counted = {
    slot: noon,
    of: [['key_1', 2] as [string, number], ['key_1>{thread}', 3] as [string, number]],
  };
  const approval = { hash: sha256('content'), expiresAt: later };
  const mail = (sendingVersion: string): StoredMail => ({
    inboxId,
    at: noon,
    recipients: ['to@x.example'],
    send: { sendingVersion, counted, nearCaps: [], approval },
  });
  expect(await storeAll(mail('of before'), { ...mail(now), message: { id } })).toEqual([
    'undecided',
    'stored',
  ]);
  const [stored] = await store.rows<{ thread_id: string }>('select thread_id from messages where id = $1', [
    id,
  ]);
  const counts = 'select subject, amount, slot, message_id from send_counts where slot = $1 and subject ~ $2';
  expect(await store.rows(`${counts} order by 1`, [noon, '^key_1'])).toEqual([
    { subject: 'key_1', amount: 2, slot: noon, message_id: id },
    { subject: `key_1>${stored?.thread_id}`, amount: 3, slot: noon, message_id: id },
  ]);
  expect(
    await store.rows(
      'select message_id, state, content_hash, held_at, expires_at from approvals where inbox_id = $1',
      [inboxId],
    ),
  ).toEqual([
    { message_id: id, state: 'held', content_hash: sha256('content'), held_at: noon, expires_at: later },
  ]);
});

test('require_decided names the sends of other versions, of each workspace by its own', async () => {
  const now = await version();
  const of = (workspace_id: string, sending_version: string) => ({
    message: { workspace_id },
    sending_version,
  });
  const sends = [of(workspaceId, now), of(workspaceId, 'of before'), of(newId('wsp'), now)];
  const [row] = await store.rows<{ places: number[] }>('select require_decided($1) as places', [
    JSON.stringify(sends),
  ]);
  // A workspace that is gone has no version, and nothing is stored for it.
  expect(row?.places).toEqual([2]);
});
