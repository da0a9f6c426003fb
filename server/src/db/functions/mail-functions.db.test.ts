import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());

const one = async (expression: string, values: unknown[] = []) =>
  (await store.rows<{ value: unknown }>(`select ${expression} as value`, values))[0]?.value;

test.each([
  [[10, null, null, null], 10],
  [[10, 'é', '', null], 12],
  [[2_147_483_647, 'ab', 'c', 'd'], 2_147_483_651],
])('mail_bytes of %j is %i', async (values, expected) => {
  expect(Number(await one('mail_bytes($1, $2, $3, $4)', values))).toBe(expected);
});

test('mail_bytes_of and usage_of add up totals and ledger, by month and workspace', async () => {
  const workspace = newId('wsp');
  const use = (kind: string, amount: number, at: string, owner = workspace) =>
    store.rows('insert into usage_ledger (workspace_id, kind, amount, at) values ($1, $2, $3, $4)', [
      owner,
      kind,
      amount,
      at,
    ]);
  const total = (kind: string, month: string, amount: number) =>
    store.rows('insert into usage_totals (workspace_id, kind, month, amount) values ($1, $2, $3, $4)', [
      workspace,
      kind,
      month,
      amount,
    ]);
  const usage = () => one('usage_of($1, $2)', [workspace, '2026-11-01']);
  expect(await usage()).toEqual({ emails: 0, storage_bytes: 0 });
  expect(Number(await one('mail_bytes_of($1)', [workspace]))).toBe(0);

  await use('emails', 1, '2026-10-31T23:59:59.999Z');
  await use('emails', 2, '2026-11-01T00:00:00Z');
  await use('emails', 4, '2026-11-30T23:59:59.999Z');
  await use('emails', 8, '2026-12-01T00:00:00Z');
  await use('emails', 16, '2026-11-15T00:00:00Z', newId('wsp'));
  await total('emails', '2026-10-01', 100);
  await total('emails', '2026-11-01', 1_000);
  await use('storage_bytes', 5, '2020-01-01T00:00:00Z');
  await use('storage_bytes', -2, '2026-11-15T00:00:00Z');
  await total('storage_bytes', '2019-01-01', 50);
  expect(await usage()).toEqual({ emails: 1_006, storage_bytes: 53 });

  await total('mail_bytes', '2026-11-01', 7);
  await use('mail_bytes', -9, '2026-11-15T00:00:00Z');
  expect(Number(await one('mail_bytes_of($1)', [workspace]))).toBe(0);
});

test('record_delivery and mark_handed_over say false of a recipient that is not there', async () => {
  const nobody = { workspace_id: newId('wsp'), message_id: newId('msg'), address: 'ada@remote.example' };
  const outcome = { ...nobody, at: new Date(), status: 'delivered', from_statuses: ['queued'], attempts: 1 };
  expect(await one('record_delivery($1)', [{ ...outcome, provider_message_id: 'p', events: [] }])).toBe(
    false,
  );
  expect(await one('mark_handed_over($1)', [{ ...nobody, at: new Date(), attempts: 1 }])).toBe(false);
});

test('the terms of a message are in its row as they are in the table of terms', async () => {
  const inboxId = await store.inbox();
  const id = newId('msg');
  const subject = `Grüße grüße ${'x'.repeat(300)} 42`;
  await store.store({
    inboxId,
    message: { id, subject, from_addr: 'Ada@Remote.example', to_addrs: ['b@c.example'] },
  });
  const [row] = await store.rows<{ terms: string[] }>('select terms from messages where id = $1', [id]);
  const rows = await store.rows<{ term: string }>('select term from message_terms where message_id = $1', [
    id,
  ]);
  expect(row?.terms.sort()).toEqual(rows.map(({ term }) => term).sort());
  expect(row?.terms).toEqual(
    expect.arrayContaining(['from:ada@remote.example', 'subject:42', 'subject:grüße']),
  );
});

test('claim_recipients takes the longest waiting destination first, of each as many as there is room for', async () => {
  await store.rows('update message_recipients set due_at = null');
  const inboxId = await store.inbox();
  const recipients = [
    'a@late.example',
    'b@LATE.example',
    'c@early.example',
    'd@full.example',
    'e@coming.example',
    '"f@x"@full.example',
  ];
  await store.store({ inboxId, recipients });
  const at = new Date('2026-01-01T12:00:00Z');
  const leaseEnd = new Date('2026-01-01T12:01:00Z');
  const dueAt = (address: string, minutes: number) =>
    store.rows('update message_recipients set due_at = $2, attempts = 1 where address = $1', [
      address,
      new Date(at.getTime() + minutes * 60_000),
    ]);
  await dueAt('a@late.example', -2);
  await dueAt('b@LATE.example', -1);
  await dueAt('c@early.example', -3);
  await dueAt('d@full.example', -4);
  await dueAt('e@coming.example', 1);
  // Its domain is what follows the last at sign.
  await dueAt('"f@x"@full.example', -5);
  const quiet = { failing: [], free_of_failing: 0 };
  const usual = { at, lease_end: leaseEnd, free: 10, room: 5, rooms: { 'full.example': 0 } };
  const order = (room: object) => ({ ...usual, ...quiet, ...room });
  const claim = async (room: object) =>
    (
      await store.rows<{ address: string; attempts: number }>(
        "select address, attempts from claim_recipients($1) where status <> 'next'",
        [order(room)],
      )
    ).map(({ address, attempts }) => `${address} ${attempts}`);

  expect(await claim({ free: 0 })).toEqual([]);
  expect(await claim({ free: 2, room: 1 })).toEqual(['c@early.example 2', 'a@late.example 2']);
  expect(await claim({})).toEqual(['b@LATE.example 2']);
  expect(await claim({})).toEqual([]);
  const next = [{ address: null, status: 'next', expires_at: new Date(at.getTime() + 60_000) }];
  expect(
    await store.rows('select address, status, expires_at from claim_recipients($1)', [order({})]),
  ).toEqual(next);
  await store.rows(`update message_recipients set status = 'sending' where address like 'd@%'`);
  expect(await claim({ rooms: {} })).toEqual(['"f@x"@full.example 2', 'd@full.example 1']);
  const later = (minutes: number) => {
    const [then, end] = [minutes, minutes + 1].map((after) => new Date(leaseEnd.getTime() + after * 60_000));
    return { at: then, lease_end: end, rooms: {} };
  };
  expect(await claim(later(0))).toHaveLength(6);
  const failing = ['late.example', 'full.example', 'early.example'];
  const claimed = await claim({ ...later(1), failing, free_of_failing: 3 });
  expect(claimed.filter((line) => !line.includes('e@coming.example'))).toHaveLength(3);
  expect(claimed).toHaveLength(4);
});
