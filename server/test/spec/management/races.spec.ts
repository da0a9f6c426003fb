/* Interface 19: what the operator's tokens do to one workspace, or to one name, at the same moment. */
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { makeOperatorToken, manage } from '@postrider/testkit/http/management-requests.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let call: (method: string, path: string, body?: object) => Promise<PlainAnswer>;

beforeAll(async () => {
  server = await joinTestServer();
  const token = await makeOperatorToken(server);
  call = (method, path, body) => manage(server, token, path, { method, ...(body && { body }) });
});
afterAll(() => server.stop());

/** Resolves once a statement waits for a lock. */
const untilOneWaits = (statement: string) =>
  eventually('a statement that waits', async () => {
    const waiting = await server.rows(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ $1",
      [statement],
    );
    return waiting.length > 0;
  });

test('Interface 19 workspaces: one that is deleted meanwhile is not changed', async () => {
  for (const body of [
    { plan: 'free' },
    { name: server.freshName() },
    { name: server.freshName(), plan: 'free' },
  ]) {
    const { id, name } = await server.workspace({ plan: 'pro' });
    const { answer } = await server.server.deps.db.transaction().execute(async (db) => {
      await db.updateTable('workspaces').set({ deleted_at: new Date() }).where('id', '=', id).execute();
      const changing = call('PATCH', `/workspaces/${id}`, body);
      await untilOneWaits('workspaces');
      return { answer: changing };
    });
    expect([(await answer).status, (await answer).body.error]).toEqual([404, 'not_found']);
    const after = await server.rows('select name, plan from workspaces where id = $1', [id]);
    expect(after).toEqual([{ name, plan: 'pro' }]);
  }
});

test('Interface 19 workspaces: name and plan are changed together, or neither of them', async () => {
  const [one, other] = [await server.workspace({ plan: 'pro' }), await server.workspace()];
  const name = server.freshName();
  const both = await call('PATCH', `/workspaces/${one.id}`, { name, plan: 'scale' });
  expect([both.status, both.body]).toMatchObject([200, { name, plan: 'scale' }]);
  const taken = await call('PATCH', `/workspaces/${one.id}`, { name: other.name, plan: 'free' });
  expect([taken.status, taken.body.issues]).toMatchObject([400, [{ path: 'name' }]]);
  expect((await call('GET', `/workspaces/${one.id}`)).body).toMatchObject({ name, plan: 'scale' });
  expect((await call('PATCH', `/workspaces/${one.id}`, {})).body).toMatchObject({ name, plan: 'scale' });
  const acts = await server.rows(
    "select action from audit_entries where workspace_id = $1 and action ~ '^workspace' order by seq",
    [one.id],
  );
  expect(acts).toEqual([{ action: 'workspace.renamed' }, { action: 'workspace.plan_changed' }]);
});

test('Interface 19 workspaces: of two that get one name, one is made or renamed', async () => {
  const name = server.freshName();
  const create = () => call('POST', '/workspaces', { name });
  const made = await Promise.all([create(), create(), create()]);
  expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  const workspaces = [await server.workspace(), await server.workspace()];
  const wanted = server.freshName();
  const renamed = await Promise.all(
    workspaces.map(({ id }) => call('PATCH', `/workspaces/${id}`, { name: wanted })),
  );
  expect(renamed.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('Interface 19 workspaces: two that swap their names are refused, or told to try again', async () => {
  const [one, other] = [await server.workspace(), await server.workspace()];
  const swap = () =>
    Promise.all([
      call('PATCH', `/workspaces/${one.id}`, { name: other.name }),
      call('PATCH', `/workspaces/${other.id}`, { name: one.name }),
    ]);
  for (let round = 0; round < 20; round++)
    for (const { status, body, headers } of await swap()) {
      // Each may wait for the other one. The database then ends one of them.
      if (status === 503)
        expect([body.error, headers.get('retry-after')]).toEqual(['unavailable', expect.anything()]);
      else expect([status, body.issues]).toMatchObject([400, [{ path: 'name' }]]);
    }
  const after = await server.rows('select name from workspaces where id = any($1) order by id', [
    [one.id, other.id],
  ]);
  expect(after).toEqual([{ name: one.name }, { name: other.name }]);
});

test('Interface 19 workspaces: one is made if the one that had the name is deleted meanwhile', async () => {
  const name = server.freshName();
  const id = `wsp_${name}`;
  await inTwoTransactions(server.server.deps.database.pool, async (first, second) => {
    await first.rows(
      "insert into workspaces (id, name, title, plan, is_test, created_at) values ($1, $2, $2, 'pro', false, now())",
      [id, name],
    );
    const creating = call('POST', '/workspaces', { name });
    await untilOneWaits('insert into "workspaces"');
    // It comes after the insert, which then finds the name taken, and before the workspace with this name is read.
    const locked = second.rows('lock table workspaces in access exclusive mode');
    await first.blocks(second);
    await first.commit();
    await locked;
    await second.rows('update workspaces set deleted_at = now() where id = $1', [id]);
    await second.commit();
    const { status, body } = await creating;
    expect([status, body]).toMatchObject([201, { name }]);
    expect(body.id).not.toBe(id);
  });
});
