import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeWorkspace } from '../lib/scope.ts';
import type { Database } from './database.ts';
import { deleteInBatches } from './delete-in-batches.ts';
import { scoped } from './scoped.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

const insert = (
  workspaceId: string,
  inboxId: string,
  count: number,
  connection: Pick<Database['pool'], 'query'> = database.pool,
) =>
  connection.query(
    `insert into inbound_fingerprints (workspace_id, inbox_id, fingerprint, message_id, expires_at)
      select $1, $2, sha256(n::text::bytea), 'msg', now() from generate_series(1, $3::int) n`,
    [workspaceId, inboxId, count],
  );

/** The rows of one inbox of a workspace. */
const rowsOf = (workspaceId: string, inboxId: string) => {
  const rows = scoped({ db: database.db, workspaceId, scope: wholeWorkspace });
  return [
    rows.selectFrom('inbound_fingerprints').where('inbox_id', '=', inboxId),
    rows.deleteFrom('inbound_fingerprints'),
  ] as const;
};

const countRows = async (inboxId: string): Promise<number> => {
  const text = 'select count(*)::int as n from inbound_fingerprints where inbox_id = $1';
  return (await database.pool.query(text, [inboxId])).rows[0].n;
};

test('everything that is selected goes, however many batches it takes, and nothing else', async () => {
  await insert('wsp_1', 'inb_1', 2_500);
  await insert('wsp_1', 'inb_2', 3);
  await insert('wsp_2', 'inb_1', 4);
  await deleteInBatches(...rowsOf('wsp_1', 'inb_1'));
  const left = await database.pool.query(
    'select workspace_id, inbox_id, count(*)::int as count from inbound_fingerprints group by 1, 2 order by 1, 2',
  );
  expect(left.rows).toEqual([
    { workspace_id: 'wsp_1', inbox_id: 'inb_2', count: 3 },
    { workspace_id: 'wsp_2', inbox_id: 'inb_1', count: 4 },
  ]);
});

test('it asks before each batch whether to go on', async () => {
  await insert('wsp_3', 'inb_3', 2_500);
  const left: number[] = [];
  const stopped = deleteInBatches(...rowsOf('wsp_3', 'inb_3'), async () => {
    left.push(await countRows('inb_3'));
    if (left.length === 3) throw new Error('stopped');
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect(left).toEqual([2_500, 1_500, 500]);
  expect(await countRows('inb_3')).toBe(500);
});

test('a batch whose rows another transaction replaces is not the last one', async () => {
  await insert('wsp_4', 'inb_4', 1_000);
  const other = await database.pool.connect();
  await other.query('begin');
  await other.query("delete from inbound_fingerprints where inbox_id = 'inb_4'");
  await insert('wsp_4', 'inb_4', 1_000, other);
  const deleting = deleteInBatches(...rowsOf('wsp_4', 'inb_4'));
  await eventually('the batch to wait', async () => {
    const waiting = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'delete%'",
    );
    return waiting.rows.length > 0;
  });
  await other.query('commit');
  other.release();
  await deleting;
  expect(await countRows('inb_4')).toBe(0);
});
