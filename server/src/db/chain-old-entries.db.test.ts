import { emptyDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { expect, test } from 'vitest';
import { listAudit } from '../audit/list-audit.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

test('entries from before the chain are chained by the migration, in each workspace in the order of their ids', async () => {
  const { settings, drop } = await emptyDatabase();
  const database = await openDatabase(settings);
  try {
    await database.orm.migrator.up({ to: '0016-used-tickets' });
    await database.pool.query(`
      insert into people (id, email, name, created_at) values ('usr_1', 'ada@people.example', 'Ada', now());
      insert into audit_entries (workspace_id, id, at, actor_kind, actor_id, action, before, after)
        select 'wsp_' || w, 'aud_' || to_char(n, 'FM00000'), '2026-11-20T09:30:00Z'::timestamptz + n * interval '1.5 s',
          'person', 'usr_1', 'a.b', null, jsonb_build_object('n', n, 'text', 'ü "?" $1', 'list', array['b', 'a'])
        from generate_series(1, 1100) n, generate_series(1, 2) w`);
    await migrate(database);
    for (const workspaceId of ['wsp_1', 'wsp_2']) {
      const ctx = { db: database.db, workspaceId };
      expect(await verifyAudit(ctx)).toMatchObject({ intact: true, count: 1_100, last_seq: 1_100 });
      const [newest] = (await listAudit(ctx, { limit: 1 })).rows;
      expect(newest).toMatchObject({
        id: 'aud_01100',
        at: '2026-11-20T09:57:30.000Z',
        actor: { kind: 'person', id: 'usr_1', name: 'ada@people.example' },
      });
    }
    await database.orm.migrator.down({ to: '0016-used-tickets' });
    await migrate(database);
    expect(await verifyAudit({ db: database.db, workspaceId: 'wsp_1' })).toMatchObject({ intact: true });
  } finally {
    await database.close();
    await drop();
  }
});
