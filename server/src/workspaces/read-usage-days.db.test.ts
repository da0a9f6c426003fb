import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { sequenceEvents } from '../events/write-log.ts';
import { newId } from '../lib/ids.ts';
import { readUsageDays, rollUpUsage } from './usage-days.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const now = new Date('2027-03-02T00:30:00.000Z');

const read = (workspaceId: string, days = 3) =>
  readUsageDays({ db: database.db, workspaceId, clock: { now: () => now } }, days);
const rollUp = () => rollUpUsage({ db: database.db } as Deps).run({});
const use = (workspaceId: string, kind: string, amount: number, at: string) =>
  database.pool.query('insert into usage_ledger (workspace_id, kind, amount, at) values ($1, $2, $3, $4)', [
    workspaceId,
    kind,
    amount,
    at,
  ]);
const happen = (workspaceId: string, event: string, at: string) =>
  database.pool.query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
       values ($1, $2, $3, 'inb_1', 'thr_1', 'msg_1', '{}', $4)`,
    [workspaceId, newId('evt'), `message.${event}`, at],
  );
const empty = { sent: 0, received: 0, delivered: 0, bounced: 0, complained: 0, storage_bytes: 0 };

test('has each UTC day of the workspace with zeros where nothing happened, whether rolled up or not', async () => {
  const [own, other] = [newId('wsp'), newId('wsp')];
  await use(own, 'emails', 1, '2027-02-27T23:59:59.999Z');
  await use(own, 'emails', 2, '2027-02-28T00:00:00.000Z');
  await use(own, 'emails', 4, '2027-02-28T23:59:59.999Z');
  await use(own, 'emails', 8, '2027-03-01T01:00:00.000+02:00');
  await use(own, 'storage_bytes', 5_000_000_000, '2027-03-02T00:00:00.000Z');
  await use(own, 'storage_bytes', -200, '2027-03-02T00:10:00.000Z');
  await use(own, 'mail_bytes', 77, '2027-03-02T00:10:00.000Z');
  await use(other, 'emails', 100, '2027-03-02T00:10:00.000Z');
  const expected = [
    { ...empty, day: '2027-02-28', sent: 14 },
    { ...empty, day: '2027-03-01' },
    { ...empty, day: '2027-03-02', storage_bytes: 4_999_999_800 },
  ];
  expect(await read(own)).toEqual(expected);
  await rollUp();
  expect(await read(own)).toEqual(expected);
  await use(own, 'emails', 16, '2027-03-01T12:00:00.000Z');
  expect((await read(own))[1]).toEqual({ ...empty, day: '2027-03-01', sent: 16 });
  await rollUp();
  await rollUp();
  expect((await read(own)).map(({ sent }) => sent)).toEqual([14, 16, 0]);
  expect(await read(own, 1)).toEqual(expected.slice(2));
  expect(await read(own, 90)).toHaveLength(90);
});

test('counts each event once, with the transaction that orders it', async () => {
  const [own, other] = [newId('wsp'), newId('wsp')];
  for (const event of ['received', 'received', 'delivered', 'bounced', 'complained'])
    await happen(own, event, '2027-03-01T12:00:00.000Z');
  await happen(own, 'received', '2027-03-02T00:00:00.000Z');
  await happen(other, 'received', '2027-03-02T00:00:00.000Z');
  const isDown = database.db.transaction().execute(async (tx) => {
    await sequenceEvents({ db: tx as never });
    throw new Error('the process died');
  });
  await expect(isDown).rejects.toThrow('the process died');
  expect(await read(own, 1)).toEqual([{ ...empty, day: '2027-03-02' }]);
  await Promise.all([1, 2, 3].map(() => sequenceEvents(database)));
  await sequenceEvents(database);
  const expected = [
    { ...empty, day: '2027-03-01', received: 2, delivered: 1, bounced: 1, complained: 1 },
    { ...empty, day: '2027-03-02', received: 1 },
  ];
  expect(await read(own, 2)).toEqual(expected);
  await rollUp();
  expect(await read(own, 2)).toEqual(expected);
  expect((await read(other, 1))[0]?.received).toBe(1);
});

test('has one entry of the ledger for all events of a kind, day and workspace that are ordered together', async () => {
  const own = newId('wsp');
  for (let n = 0; n < 20; n++) await happen(own, 'received', '2027-03-01T12:00:00.000Z');
  await sequenceEvents(database);
  const { rows } = await database.pool.query(
    'select kind, amount from usage_ledger where workspace_id = $1',
    [own],
  );
  expect(rows).toEqual([{ kind: 'received', amount: 20 }]);
});
