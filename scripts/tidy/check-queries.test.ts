import { expect, it } from 'vitest';
import { checkQueries } from './check-queries.ts';
import { parseSource } from './source-file.ts';

const checkMessages = (text: string, path = 'server/src/messages/x.ts'): string[] =>
  checkQueries([parseSource(path, text)]).map(({ message }) => message);

const sql = (text: string) => ['sql`', text, '`'].join('');

it('takes queries that say whose rows they want', () => {
  expect(checkMessages("scoped(ctx).selectFrom('messages').execute();")).toEqual([]);
  expect(checkMessages("acrossWorkspaces(ctx, 'a key is global').selectFrom('api_keys');")).toEqual([]);
  expect(
    checkMessages("const db = acrossWorkspaces(ctx, 'all due rows'); db.updateTable('messages');"),
  ).toEqual([]);
  expect(checkMessages("const own = () => scoped(ctx); own().deleteFrom('messages');")).toEqual([]);
  expect(checkMessages("ctx.db.insertInto('messages').values(row).execute();")).toEqual([]);
});

it('refuses queries that forget the workspace', () => {
  for (const start of ['ctx.db', 'tx.db', 'deps.database.db', 'db', 'trx'])
    expect(checkMessages(`${start}.selectFrom('messages').execute();`)).toEqual([
      expect.stringContaining('forgets the workspace'),
    ]);
  expect(checkMessages("ctx.db.updateTable('messages'); ctx.db.deleteFrom('messages');")).toHaveLength(2);
});

it('wants a reason in words for looking across workspaces', () => {
  expect(checkMessages("acrossWorkspaces(ctx, 'why')")).toHaveLength(1);
  expect(checkMessages('acrossWorkspaces(ctx, reason)')).toHaveLength(1);
  expect(checkMessages('acrossWorkspaces(ctx)')).toHaveLength(1);
});

it('wants SQL on rows to name the workspace', () => {
  expect(checkMessages(`${sql('select id from messages')}.execute(ctx.db);`)).toHaveLength(1);
  expect(checkMessages(`${sql('update messages set a = 1')}.execute(ctx.db);`)).toHaveLength(1);
  expect(checkMessages(`${sql('select id from messages where workspace_id = 1')}.execute(ctx.db);`)).toEqual(
    [],
  );
  expect(checkMessages(`${sql('select pg_advisory_xact_lock(1)')}.execute(ctx.db);`)).toEqual([]);
  expect(checkMessages(`${sql('select id from a')}.execute(acrossWorkspaces(ctx, 'all of them'));`)).toEqual(
    [],
  );
});

it('keeps the ORM and the pool inside of db', () => {
  for (const text of [
    'orm.em.getKysely();',
    'em.execute(a);',
    'em.find(A);',
    "deps.database.pool.query('select 1');",
  ])
    expect(checkMessages(text).length).toBeGreaterThan(0);
  expect(checkMessages("pool.query('select 1'); em.getKysely();", 'server/src/db/database.ts')).toEqual([]);
});
