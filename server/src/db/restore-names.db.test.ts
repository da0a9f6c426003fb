import { emptyDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

test('workspaces that owners renamed get back the names of the operator, and keep theirs as titles', async () => {
  const { settings, drop } = await emptyDatabase();
  const database = await openDatabase(settings);
  try {
    await database.orm.migrator.up({ to: '0023-counts-of-messages' });
    await database.pool.query(`
      insert into workspaces (id, name, plan, is_test, created_at) select id, name, 'free', false, now()
        from (values ('wsp_1', 'b'), ('wsp_2', 'c'), ('wsp_3', 'kept'), ('wsp_4', 'taken'), ('wsp_5', 'home')) w(id, name);
      insert into audit_entries (workspace_id, seq, id, at, actor_kind, action, before, after, previous_hash, hash)
        select workspace_id, seq, 'aud_' || seq, now(), 'person', 'workspace.renamed', jsonb_build_object('name', name), '{}', '', ''
        from (values ('wsp_1', 1, 'a'), ('wsp_2', 1, 'b'), ('wsp_4', 1, 'home'), ('wsp_2', 2, 'x')) e(workspace_id, seq, name)`);
    await migrate(database);
    const { rows } = await database.pool.query('select name, title from workspaces order by id');
    expect(rows).toEqual([
      { name: 'a', title: 'b' },
      { name: 'b', title: 'c' },
      { name: 'kept', title: 'kept' },
      { name: 'taken', title: 'taken' },
      { name: 'home', title: 'home' },
    ]);
  } finally {
    await database.close();
    await drop();
  }
});
