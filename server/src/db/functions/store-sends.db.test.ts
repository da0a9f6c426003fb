import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

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
interface Row {
  answer: { outcome: string };
}
const outcomesOf = (rows: Row[]) => rows.map(({ answer }) => answer.outcome);
const storeAll = async (...mails: StoredMail[]) =>
  outcomesOf(await store.rows<Row>(...store.storeSql(mails)));
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
  record: {
    sendingVersion,
    counted: { slot: noon, of: [[inboxId, 1] as [string, number]] },
    nearCaps: [{ subject: inboxId, window: 'hour', since: before, most: 2, amount: 1, ...near }],
  },
});

test('store_messages stores no more than a cap allows, also within a batch, and each window by itself', async () => {
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

test('store_messages lets the send that comes near a cap wait for another one there', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const now = await version();
    await first.rows(...store.storeSql([send(now, '1', { most: 1 })]));
    const waiting = second.rows<Row>(...store.storeSql([send(now, '2', { most: 1 })]));
    await first.blocks(second);
    await first.commit();
    expect(outcomesOf(await waiting)).toEqual(['undecided']);
  }));

test('store_messages waits for a change of what may be sent, and then stores nothing that was decided before', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const now = await version();
    await first.rows('select lock_sending($1, true)', [workspaceId]);
    await first.rows('update workspaces set sending_version = sending_version + 1 where id = $1', [
      workspaceId,
    ]);
    const waiting = second.rows<Row>(...store.storeSql([send(now, '1')]));
    await first.blocks(second);
    await first.commit();
    expect(outcomesOf(await waiting)).toEqual(['undecided']);
  }));

test('store_messages lets a change of what may be sent wait', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    await first.rows(...store.storeSql([send(await version(), '1')]));
    const changing = second
      .rows(`select lock_sending('', true)`)
      .then(() => second.rows('select from messages where inbox_id = $1', [inboxId]));
    await first.blocks(second);
    await first.commit();
    expect(await changing).toHaveLength(1);
  }));
