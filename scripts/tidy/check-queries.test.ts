import { expect, it } from 'vitest';
import { checkQueries } from './check-queries.ts';
import { parseSource } from './source-file.ts';

const messagesOf = (text: string, path = 'server/src/messages/x.ts'): string[] =>
  checkQueries([parseSource(path, text)]).map(({ message }) => message);

const sql = (text: string) => ['sql`', text, '`'].join('');

it('takes queries that say whose rows they want', () => {
  expect(messagesOf("scoped(ctx).selectFrom('messages').execute();")).toEqual([]);
  expect(messagesOf("acrossWorkspaces(ctx, 'a key is global').selectFrom('api_keys');")).toEqual([]);
  expect(messagesOf("const db = acrossWorkspaces(ctx, 'all due rows'); db.updateTable('messages');")).toEqual(
    [],
  );
  expect(messagesOf("const own = () => scoped(ctx); own().deleteFrom('messages');")).toEqual([]);
  expect(messagesOf("ctx.db.insertInto('messages').values(row).execute();")).toEqual([]);
});

it('refuses queries that forget the workspace', () => {
  for (const start of ['ctx.db', 'tx.db', 'deps.database.db', 'db', 'trx'])
    expect(messagesOf(`${start}.selectFrom('messages').execute();`)).toEqual([
      expect.stringContaining('forgets the workspace'),
    ]);
  expect(messagesOf("ctx.db.updateTable('messages'); ctx.db.deleteFrom('messages');")).toHaveLength(2);
});

it('wants a reason in words for looking across workspaces', () => {
  expect(messagesOf("acrossWorkspaces(ctx, 'why')")).toHaveLength(1);
  expect(messagesOf('acrossWorkspaces(ctx, reason)')).toHaveLength(1);
  expect(messagesOf('acrossWorkspaces(ctx)')).toHaveLength(1);
});

it('wants SQL on rows to name the workspace', () => {
  expect(messagesOf(`${sql('select id from messages')}.execute(ctx.db);`)).toHaveLength(1);
  expect(messagesOf(`${sql('update messages set a = 1')}.execute(ctx.db);`)).toHaveLength(1);
  expect(messagesOf(`${sql('select id from messages where workspace_id = 1')}.execute(ctx.db);`)).toEqual([]);
  expect(messagesOf(`${sql('select pg_advisory_xact_lock(1)')}.execute(ctx.db);`)).toEqual([]);
  expect(messagesOf(`${sql('select id from a')}.execute(acrossWorkspaces(ctx, 'all of them'));`)).toEqual([]);
});

it('keeps the ORM and the pool inside of db', () => {
  for (const text of [
    'orm.em.getKysely();',
    'em.execute(a);',
    'em.find(A);',
    "deps.database.pool.query('select 1');",
  ])
    expect(messagesOf(text).length).toBeGreaterThan(0);
  expect(messagesOf("pool.query('select 1'); em.getKysely();", 'server/src/db/database.ts')).toEqual([]);
});
