import type { AuditCheck } from '@postrider/contract/console';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../db/connections.ts';
import type { Database } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import { hashBeforeFirst, hashEntry } from '../lib/crypto/hash-entry.ts';
import { appendAudit, operator } from './append-audit.ts';
import { listAudit, viewEntry } from './read-entries.ts';
import { verifyAudit } from './verify-audit.ts';

const workspaceId = 'wsp_1';
let database: Database;
let ctx: { db: Database['db']; clock: typeof systemClock; workspaceId: string };

beforeAll(async () => {
  database = await openFreshDatabase();
  ctx = { db: database.db, clock: systemClock, workspaceId };
});
afterAll(() => database.close());

beforeEach(async () => {
  for (let n = 1; n <= 5; n++) await append({ n, at: new Date(0), list: ['b', 'a'], none: undefined });
});
afterEach(() => run('delete from audit_entries; delete from audit_heads'));

const run = (text: string) => database.pool.query(text);
const append = (after: Record<string, unknown>, workspace = workspaceId) =>
  inTransaction(ctx, (tx) => appendAudit(tx, workspace, operator, { action: 'a.b', target: null, after }));
const readEntries = async () => (await listAudit(ctx, { limit: 200 })).rows.reverse();
const broken = (problem: string, from_seq: number, to_seq = from_seq) =>
  ({ intact: false, problem, from_seq, to_seq }) as AuditCheck;

test('entries count from 1, and each has the hash of the one before it', async () => {
  const entries = await readEntries();
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  expect(entries.map((entry) => entry.previous_hash)).toEqual([
    hashBeforeFirst,
    ...entries.slice(0, -1).map(({ hash }) => hash),
  ]);
  expect(await verifyAudit(ctx)).toEqual({
    intact: true,
    count: 5,
    first_seq: 1,
    since: entries[0]?.at,
    last_seq: 5,
    last_hash: entries[4]?.hash,
  });
});

test('a log without entries is intact', async () => {
  expect(await verifyAudit({ ...ctx, workspaceId: 'wsp_other' })).toEqual({
    intact: true,
    count: 0,
    first_seq: null,
    since: null,
    last_seq: 0,
    last_hash: hashBeforeFirst,
  });
});

test('a change that is rolled back leaves no gap, and two entries of one transaction follow each other', async () => {
  const act = { action: 'a.b', target: null };
  const failed = inTransaction(ctx, async (tx) => {
    await appendAudit(tx, workspaceId, operator, act);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await inTransaction(ctx, async (tx) => {
    for (const _ of [1, 2]) await appendAudit(tx, workspaceId, operator, act);
  });
  expect(await verifyAudit(ctx)).toMatchObject({ intact: true, count: 7, last_seq: 7 });
});

test('outside a transaction nothing is recorded', async () => {
  await expect(appendAudit(ctx, workspaceId, operator, { action: 'a.b', target: null })).rejects.toThrow(
    /in the transaction of its change/,
  );
  expect(await verifyAudit(ctx)).toMatchObject({ intact: true, count: 5 });
});

test('100 at once, in several workspaces, leave unbroken chains', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, n) => append({ n }, `wsp_${1 + (n % 4)}`)));
  for (const [workspace, count] of [30, 25, 25, 25].entries())
    expect(await verifyAudit({ ...ctx, workspaceId: `wsp_${workspace + 1}` })).toMatchObject({
      intact: true,
      count,
    });
});

describe('a change from outside is found:', () => {
  const anywhere = "workspace_id = 'wsp_1' and seq";
  const swapped = 'update audit_entries set seq =';
  test.each([
    ['a field', `update audit_entries set action = 'a.c' where ${anywhere} = 3`, broken('changed', 3)],
    [
      'a value of after',
      `update audit_entries set after = after || '{"n": 9}' where ${anywhere} = 3`,
      broken('changed', 3),
    ],
    [
      'a time',
      `update audit_entries set at = at - interval '1 ms' where ${anywhere} = 5`,
      broken('changed', 5),
    ],
    [
      'who did it',
      `update audit_entries set actor_kind = 'server' where ${anywhere} = 1`,
      broken('changed', 1),
    ],
    ['a hash', `update audit_entries set hash = repeat('a', 64) where ${anywhere} = 2`, broken('changed', 2)],
    ['an entry in the middle', `delete from audit_entries where ${anywhere} = 3`, broken('gap', 3)],
    ['several entries', `delete from audit_entries where ${anywhere} in (2, 3)`, broken('gap', 2, 3)],
    [
      'the oldest entries',
      `delete from audit_entries where ${anywhere} < 3`,
      broken('missing_beginning', 1, 2),
    ],
    ['the newest entries', `delete from audit_entries where ${anywhere} > 3`, broken('missing_end', 4, 5)],
    ['all entries', 'delete from audit_entries', broken('missing_end', 1, 5)],
    [
      'two that are swapped',
      `${swapped} 9 where ${anywhere} = 2; ${swapped} 2 where ${anywhere} = 3; ${swapped} 3 where ${anywhere} = 9`,
      broken('changed', 2),
    ],
    [
      'one that is added at the end',
      `insert into audit_entries select workspace_id, id, at, actor_kind, actor_id, action, target, before, after, address,
        request_id, 6, actor_name, hash, hash from audit_entries where ${anywhere} = 5`,
      broken('unexpected', 6),
    ],
    [
      'one that is added at the beginning',
      `insert into audit_entries select workspace_id, id, at, actor_kind, actor_id, action, target, before, after, address,
        request_id, 0, actor_name, hash, hash from audit_entries where ${anywhere} = 1`,
      broken('unexpected', 0),
    ],
    [
      'one that is added in between',
      `update audit_entries set seq = -seq where ${anywhere} > 2; update audit_entries set seq = 1 - seq where seq < 0;
        insert into audit_entries select workspace_id, id, at, actor_kind, actor_id, 'x', target, before, after, address,
        request_id, 3, actor_name, hash, hash from audit_entries where ${anywhere} = 2;
        update audit_heads set seq = 6`,
      broken('changed', 3),
    ],
    [
      'an end that was set back with the newest entry',
      `delete from audit_entries where ${anywhere} = 5; update audit_heads set seq = 4`,
      broken('unlinked', 4),
    ],
    [
      'a beginning that was set on with the oldest entry',
      `delete from audit_entries where ${anywhere} = 1; update audit_heads set removed_seq = 1`,
      broken('unlinked', 2),
    ],
    ['the record of the ends', 'delete from audit_heads', broken('unexpected', 1)],
  ])('%s', async (_, statements, expected) => {
    await append({ n: 1 }, 'wsp_2');
    await run(statements);
    expect(await verifyAudit(ctx)).toEqual(expected);
  });

  test('an entry that was replaced together with its hash', async () => {
    const [row] = await database.db.selectFrom('audit_entries').selectAll().where('seq', '=', 3).execute();
    if (!row) throw new Error('There is no entry.');
    const { hash: _, ...replaced } = { ...viewEntry(row), action: 'a.c' };
    await run(`update audit_entries set action = 'a.c', hash = '${hashEntry(replaced)}' where seq = 3`);
    expect(await verifyAudit(ctx)).toEqual(broken('unlinked', 4));
  });

  test('an emptied log without the record of its ends, which stays broken when it goes on', async () => {
    const wiped = { ...ctx, workspaceId: 'wsp_wiped' };
    await run(
      `insert into workspaces (id, name, title, plan, is_test, created_at) values ('wsp_wiped', 'wiped', 'wiped', 'free', false, now())`,
    );
    expect(await verifyAudit(wiped)).toMatchObject({ intact: true, count: 0 });
    for (const n of [1, 2]) await append({ n }, 'wsp_wiped');
    expect(await verifyAudit(wiped)).toMatchObject({ intact: true, count: 2, first_seq: 1 });
    await run('delete from audit_entries; delete from audit_heads');
    expect(await verifyAudit(wiped)).toEqual(broken('missing_beginning', 1));
    for (const n of [3, 4]) await append({ n }, 'wsp_wiped');
    expect(await verifyAudit(wiped)).toEqual(broken('missing_beginning', 1));
  });

  test('and does not stop what is recorded afterwards', async () => {
    await run(`update audit_entries set seq = 6 where ${anywhere} = 5`);
    await append({ n: 7 });
    expect((await readEntries()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 6, 7]);
    expect(await verifyAudit(ctx)).toEqual(broken('gap', 5));
    await run('delete from audit_heads');
    await append({ n: 8 });
    expect(await verifyAudit(ctx)).toEqual(broken('gap', 5));
  });
});
