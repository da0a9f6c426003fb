import { consoleLimits } from '@postrider/contract/console';
import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockPerson } from '../../../src/people/person.ts';
import { lockWorkspace } from '../../../src/people/workspace-title.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

/** Resolves once a request waits for a row that another transaction has locked. */
const untilOneWaits = (tables = 'people|person') =>
  eventually('a request that waits for a row', async () => {
    const waiting = await server.rows(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ $1",
      [tables],
    );
    return waiting.length > 0;
  });

/** Sends a request, and has the password of the person changed, and all sessions ended, after the request has checked the old one. */
const changedDuring = <T>(personId: string, request: () => Promise<T>) =>
  server.server.deps.db.transaction().execute(async (db) => {
    await lockPerson({ db }, personId);
    const answer = request();
    await untilOneWaits();
    await db.updateTable('people').set({ password_hash: 'another' }).where('id', '=', personId).execute();
    await db.deleteFrom('person_sessions').where('person_id', '=', personId).execute();
    return { answer };
  });

test('a sign-in with the old password opens no session after the password has changed', async () => {
  const person = await makePerson(server);
  const browser = new ConsoleBrowser(server);
  const { answer } = await changedDuring(person.id, () => browser.signIn(person));
  expect(await answer).toMatchObject({ status: 401, body: { error: 'wrong_sign_in' } });
  expect(await server.rows('select id from person_sessions where person_id = $1', [person.id])).toEqual([]);
});

test('a change of the password changes nothing once another one has ended its session', async () => {
  const browser = await signedIn(server);
  const { id, password: current } = browser.person;
  const body = { current, password: 'the choice of an intruder' };
  const { answer } = await changedDuring(id, () => browser.request('/me/password', { method: 'POST', body }));
  expect(await answer).toMatchObject({ status: 401, body: { error: 'not_signed_in' } });
  expect(await server.rows('select password_hash from people where id = $1', [id])).toEqual([
    { password_hash: 'another' },
  ]);
});

test('a new password and the end of the other sessions are stored together', async () => {
  const browser = await signedIn(server);
  const { id, password: current } = browser.person;
  await new ConsoleBrowser(server).signIn(browser.person);
  const readHash = () => server.rows('select password_hash from people where id = $1', [id]);
  const before = await readHash();
  const body = { current, password: 'a new long secret' };
  const { answer } = await server.server.deps.db.transaction().execute(async (db) => {
    await db.selectFrom('person_sessions').select('id').where('person_id', '=', id).forUpdate().execute();
    const changing = browser.request('/me/password', { method: 'POST', body });
    await untilOneWaits();
    expect(await readHash()).toEqual(before);
    return { answer: changing };
  });
  expect((await answer).status).toBe(204);
  expect(await readHash()).not.toEqual(before);
});

test('an owner who is removed or made a member meanwhile invites nobody', async () => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { role: 'member' }],
  ] as const) {
    const workspace = await server.workspace();
    const [inviter, other] = [
      await signedIn(server, 'owner', workspace),
      await signedIn(server, 'owner', workspace),
    ];
    // The first entry of an audit log waits for the workspace, which is locked below.
    await other.request('/workspace', { method: 'PATCH', body: { title: 'The shop' } });
    const { answer } = await server.server.deps.db.transaction().execute(async (db) => {
      await lockWorkspace({ db }, workspace.id);
      const invitation = { email: 'eve@people.example', role: 'owner' };
      const inviting = inviter.request('/invitations', { method: 'POST', body: invitation });
      await untilOneWaits('workspaces.*for no key update');
      const path = `/members/${inviter.person.id}`;
      const ended = await other.request(path, { method, ...(body && { body }) });
      expect(ended.status).toBeLessThan(300);
      return { answer: inviting };
    });
    expect(await answer).toMatchObject({ status: 403, body: { error: 'owner_only' } });
    const left = await server.rows('select id from invitations where workspace_id = $1', [workspace.id]);
    expect(left).toEqual([]);
  }
});

test('the limits of keys and of invitations hold for requests at the same time', async () => {
  const workspace = await server.workspace();
  const owner = await signedIn(server, 'owner', workspace);
  const { keysPerWorkspaceMax: keysMax, invitationsPerWorkspaceMax: invitationsMax } = consoleLimits;
  const [counted] = await server.rows<{ keys: number }>(
    'select count(*)::int as keys from api_keys where workspace_id = $1 and revoked_at is null',
    [workspace.id],
  );
  await server.rows(
    `insert into api_keys (id, workspace_id, name, key_hash, hint, created_at)
     select 'key_' || $1 || n, $1, 'made', sha256(($1 || n)::bytea), 'made', now() from generate_series(1, $2::int) n`,
    [workspace.id, keysMax - 1 - (counted?.keys ?? 0)],
  );
  await server.rows(
    `insert into invitations select $1, 'inv_' || n, n || '@people.example', 'member', sha256(($1 || n)::bytea),
       null, now(), now() + interval '1 day' from generate_series(1, $2::int) n`,
    [workspace.id, invitationsMax - 1],
  );
  const post = (path: string, body: object) => owner.request(path, { method: 'POST', body });
  const atOnce = (request: (n: number) => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: 6 }, async (_, n) => (await request(n)).status));
  const keys = await atOnce((n) => post('/keys', { name: `key ${n}` }));
  const invitations = await atOnce((n) =>
    post('/invitations', { email: `${n}.new@people.example`, role: 'member' }),
  );
  for (const statuses of [keys, invitations]) expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
});
