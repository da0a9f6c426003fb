import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
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

const insert = (workspaceId: string, inboxId: string, count: number) =>
  database.pool.query(
    `insert into inbound_fingerprints (workspace_id, inbox_id, fingerprint, message_id, expires_at)
      select $1, $2, sha256(n::text::bytea), 'msg', now() from generate_series(1, $3::int) n`,
    [workspaceId, inboxId, count],
  );

test('everything that is selected goes, however many batches it takes, and nothing else', async () => {
  await insert('wsp_1', 'inb_1', 2_500);
  await insert('wsp_1', 'inb_2', 3);
  await insert('wsp_2', 'inb_1', 4);
  const rows = scoped({ db: database.db, workspaceId: 'wsp_1', scope: wholeWorkspace });
  await deleteInBatches(
    rows.selectFrom('inbound_fingerprints').where('inbox_id', '=', 'inb_1'),
    rows.deleteFrom('inbound_fingerprints'),
  );
  const left = await database.pool.query(
    'select workspace_id, inbox_id, count(*)::int as count from inbound_fingerprints group by 1, 2 order by 1, 2',
  );
  expect(left.rows).toEqual([
    { workspace_id: 'wsp_1', inbox_id: 'inb_2', count: 3 },
    { workspace_id: 'wsp_2', inbox_id: 'inb_1', count: 4 },
  ]);
});
