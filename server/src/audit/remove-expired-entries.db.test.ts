import { consoleLimits } from '@postrider/contract/console';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { createMovingClock, type MovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../db/connections.ts';
import type { Database } from '../db/database.ts';
import { createTimeScale } from '../lib/clock.ts';
import { appendAudit, operator } from './append-audit.ts';
import { listAudit } from './read-entries.ts';
import { removeExpiredEntries } from './remove-expired-entries.ts';
import { verifyAudit } from './verify-audit.ts';

const workspaceId = 'wsp_1';
const halfYearMs = consoleLimits.auditKeptMs / 2 + 1;
let database: Database;
let clock: MovingClock;

beforeEach(async () => {
  database = await openFreshDatabase();
  clock = createMovingClock();
});
afterEach(() => database.close());

const deps = () => ({ db: database.db, clock, timeScale: createTimeScale(1) });
const append = (count: number, workspace = workspaceId) =>
  inTransaction(deps(), async (tx) => {
    for (let n = 0; n < count; n++)
      await appendAudit(tx, workspace, operator, { action: 'a.b', target: null, after: { n } });
  });
const remove = () => removeExpiredEntries(deps(), 2);
const verify = () => verifyAudit({ ...deps(), workspaceId });

test('entries are removed after a year, also in several batches, and the rest can be verified', async () => {
  await append(3);
  await append(5, 'wsp_2');
  clock.advance(halfYearMs);
  await append(2);
  await remove();
  expect(await verify()).toMatchObject({ intact: true, count: 5, first_seq: 1 });
  clock.advance(halfYearMs);
  await remove();
  expect(await verify()).toMatchObject({ intact: true, count: 2, first_seq: 4, last_seq: 5 });
  const other = { ...deps(), workspaceId: 'wsp_2' };
  expect(await verifyAudit(other)).toMatchObject({ intact: true, count: 0, last_seq: 5 });
  await append(1, 'wsp_2');
  expect(await verifyAudit(other)).toMatchObject({ intact: true, count: 1, first_seq: 6 });
  await database.pool.query(`delete from audit_entries where workspace_id = 'wsp_1' and seq = 4`);
  expect(await verify()).toMatchObject({ intact: false, problem: 'missing_beginning', from_seq: 4 });
});

test('a break that is as old is in the log for another year', async () => {
  await append(5);
  await database.pool.query('delete from audit_entries where seq = 2');
  clock.advance(2 * halfYearMs);
  await append(1);
  await remove();
  expect(await verify()).toMatchObject({ intact: true, count: 2, first_seq: 6, last_seq: 7 });
  const { rows } = await listAudit({ ...deps(), workspaceId }, { limit: 10 });
  expect(rows[0]).toMatchObject({
    actor: { kind: 'server', id: null, name: null },
    action: 'audit.broken',
    after: { problem: 'gap', from_seq: 2, to_seq: 2 },
  });
});
