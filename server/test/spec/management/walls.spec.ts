/*
 * Interface 19: the walls around the management API, on every route of its contract, so that none can be forgotten: agents' keys, tokens
 * that are narrower, expired, revoked or without an owner, other workspaces, and what an admin token is worth anywhere else.
 */
import { type AdminRight, contract, listRoutes, pathPrefix, realtimePath } from '@postrider/contract';
import { consoleApiPath, consoleContract } from '@postrider/contract/console';
import { isForOperator, managementContract, managementPath, rightsFor } from '@postrider/contract/management';
import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { consoleRequests } from '@postrider/testkit/http/console-requests.ts';
import {
  allRights,
  type ManagementRoute,
  makeOperatorToken,
  makeToken,
  manage,
  managementRequest,
} from '@postrider/testkit/http/management-requests.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import type { Named } from '@postrider/testkit/http/route-requests.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import {
  fillWorkspace,
  unknownId,
  type WorkspaceThings,
} from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';

let server: TestServer;
let theirs: TestWorkspace;
let own: WorkspaceThings;
let foreign: WorkspaceThings;

beforeAll(async () => {
  server = await startTestServer();
  theirs = await server.workspace();
  own = await fillWorkspace(server, server);
  foreign = await fillWorkspace(server, theirs);
});
afterAll(() => server.stop());

const routes = listRoutes(managementContract);
const ofWorkspace = routes.filter(({ route }) => !isForOperator(route));
type Entry = (typeof routes)[number];

const call = (
  { name, route }: Entry,
  token: string | null,
  idOf: (named: Named) => string = (named) => own.ids[named],
  workspace?: string,
) => {
  const { path, body } = managementRequest(name as ManagementRoute, route.path, idOf);
  return manage(server, token, path, {
    method: route.method,
    ...(body && { body }),
    ...(workspace !== undefined && { workspace }),
  });
};
/** Asks one route after the other, and returns those that were not answered as expected. */
const others = async (
  list: Entry[],
  ask: (entry: Entry) => Promise<PlainAnswer>,
  expected: (entry: Entry) => unknown,
) => {
  const found: unknown[] = [];
  for (const entry of list) {
    const { status, body } = await ask(entry);
    const { request_id: _, message: __, ...rest } = body;
    const answer = JSON.stringify({ status, ...rest });
    if (answer !== JSON.stringify(expected(entry))) found.push(`${entry.name}: ${answer}`);
  }
  return found;
};
/** Checks that nothing changes meanwhile, apart from the record of the last use. */
const unchanged = async (work: () => Promise<void>) => {
  const before = await takeSnapshot(server);
  await work();
  expect(await takeSnapshot(server)).toEqual(before);
};
const refused = () => ({ status: 401, error: 'invalid_token' });

test('Interface 19: the routes are those of the page', () => {
  const nouns = new Set(routes.map(({ route }) => route.path.split('/')[3]));
  expect([...nouns].sort()).toEqual(
    'approvals control domains invitations keys members pauses policies resumes usage webhooks workspace workspaces'.split(
      ' ',
    ),
  );
  expect(new Set(routes.flatMap(({ route }) => rightsFor(route)))).toEqual(new Set(allRights));
});

test("Interface 19: an agent's key, limited or not, is refused on every route", async () => {
  const { key } = await createKey(server.server.deps, server.name, 'reader', null, { readOnly: true });
  await unchanged(async () => {
    for (const one of [server.key, theirs.key, key, null, 'pr_admin_', `pr_admin_${'0'.repeat(43)}`])
      expect(await others(routes, (entry) => call(entry, one), refused)).toEqual([]);
  });
});

test('Interface 19: a token that has expired or was revoked is refused on every route', async () => {
  const expired = await makeToken(server);
  const revoked = await makeToken(server);
  await server.rows("update admin_tokens set expires_at = now() - interval '1 second' where id = $1", [
    expired.id,
  ]);
  await server.rows('update admin_tokens set revoked_at = now() where id = $1', [revoked.id]);
  await unchanged(async () => {
    for (const { token } of [expired, revoked])
      expect(await others(routes, (entry) => call(entry, token), refused)).toEqual([]);
  });
});

test('Interface 19: a token whose maker is no owner any more is refused on every route, from the next request on', async () => {
  const demoted = await makeToken(server);
  const removed = await makeToken(server);
  const moved = await makeToken(server);
  for (const { token } of [demoted, removed, moved])
    expect((await manage(server, token, '/usage')).status).toBe(200);
  const ofPerson = 'where workspace_id = $1 and person_id = $2';
  await server.rows(`update memberships set role = 'member' ${ofPerson}`, [server.id, demoted.personId]);
  await server.rows(`delete from memberships ${ofPerson}`, [server.id, removed.personId]);
  // An owner of another workspace alone backs nothing here.
  await server.rows(`update memberships set workspace_id = $3 ${ofPerson}`, [
    server.id,
    moved.personId,
    theirs.id,
  ]);
  await unchanged(async () => {
    for (const { token } of [demoted, removed, moved])
      expect(await others(routes, (entry) => call(entry, token), refused)).toEqual([]);
  });
});

test('Interface 19: a token of a workspace that was deleted, or is missing, is refused on every route', async () => {
  const [deleted, missing] = [await server.workspace(), await server.workspace()];
  const { token: ofDeleted } = await makeToken(server, { workspace: deleted });
  const { token: ofMissing, id, personId } = await makeToken(server, { workspace: missing });
  await server.rows('update workspaces set deleted_at = now() where id = $1', [deleted.id]);
  // The database itself keeps both from happening: foreign keys are off here.
  await server.rows(`begin; set local session_replication_role = replica;
    update admin_tokens set workspace_id = 'wsp_missing' where id = '${id}';
    update memberships set workspace_id = 'wsp_missing' where person_id = '${personId}'; commit`);
  await unchanged(async () => {
    for (const token of [ofDeleted, ofMissing])
      expect(await others(routes, (entry) => call(entry, token), refused)).toEqual([]);
  });
  await expect(
    server.rows('update admin_tokens set workspace_id = null where id = $1', [id]),
  ).rejects.toThrow('admin_tokens_of_maker');
});

test('Interface 19: a token without the right hears which one is missing, on every route', async () => {
  const tokens = new Map<AdminRight, string>();
  for (const right of allRights) {
    const { token } = await makeToken(server, { rights: allRights.filter((one) => one !== right) });
    tokens.set(right, token);
  }
  // Two rights open the settings of the workspace.
  const { token: neither } = await makeToken(server, { rights: ['usage'] });
  const tokenWithout = ({ route }: Entry) => {
    const [right, ...more] = rightsFor(route);
    return more.length > 0 ? neither : (tokens.get(right as AdminRight) ?? '');
  };
  await unchanged(async () => {
    const missing = ({ route }: Entry) => ({
      status: 403,
      error: 'right_missing',
      right: rightsFor(route)[0],
    });
    expect(await others(routes, (entry) => call(entry, tokenWithout(entry)), missing)).toEqual([]);
  });
});

test('Interface 19: a token of a workspace manages no others, and names none', async () => {
  const { token } = await makeToken(server);
  const unknown = () => ({ status: 404, error: 'not_found', param: 'x-postrider-workspace' });
  const missing = () => ({ status: 403, error: 'right_missing', right: 'workspaces' });
  await unchanged(async () => {
    for (const workspace of [theirs.id, unknownId('inbox').replace('inb', 'wsp'), 'x', ''])
      expect(await others(routes, (entry) => call(entry, token, undefined, workspace), unknown)).toEqual([]);
    const operators = routes.filter(({ route }) => isForOperator(route));
    expect(await others(operators, (entry) => call(entry, token), missing)).toEqual([]);
  });
  expect((await manage(server, token, '/usage', { workspace: server.id })).status).toBe(200);
});

test("Interface 19: a token of the operator names the workspace, and sees nothing of others'", async () => {
  const token = await makeOperatorToken(server);
  const unknown = () => ({ status: 404, error: 'not_found', param: 'x-postrider-workspace' });
  await unchanged(async () => {
    const unnamed = await others(
      ofWorkspace,
      (entry) => call(entry, token),
      () => ({
        status: 400,
        error: 'invalid_request',
        issues: [
          {
            path: 'x-postrider-workspace',
            message: 'is missing: a token of the operator names the workspace in this header',
          },
        ],
      }),
    );
    expect(unnamed).toEqual([]);
    for (const workspace of [unknownId('inbox').replace('inb', 'wsp'), server.name, "x' or '1'='1"])
      expect(await others(routes, (entry) => call(entry, token, undefined, workspace), unknown)).toEqual([]);
  });
  const { text } = await manage(server, token, '/keys', { workspace: theirs.id });
  expect(text).toContain(theirs.keyId);
  expect(text).not.toContain(server.keyId);
});

test("Interface 19: another workspace's ids are answered as unknown ones, on every route", async () => {
  const { token } = await makeToken(server);
  const asked: string[] = [];
  await unchanged(async () => {
    for (const entry of ofWorkspace) {
      let places = 0;
      managementRequest(entry.name as ManagementRoute, entry.route.path, () => `${places++}`);
      if (places === 0) continue;
      const unknown = await call(entry, token, unknownId);
      const other = await call(entry, token, (named) => foreign.ids[named]);
      expect([entry.name, other.status, other.body.error]).toEqual([
        entry.name,
        unknown.status,
        unknown.body.error,
      ]);
      expect(other.status, entry.name).toBe(404);
      asked.push(entry.name);
    }
  });
  expect(asked.length).toBeGreaterThan(8);
});

test('Interface 19: keys, people and invitations of another workspace are unknown, and stay', async () => {
  const { token } = await makeToken(server);
  const person = await makePerson(server, 'member', theirs);
  const { token: their } = await makeToken(server, { workspace: theirs });
  const invited = await manage(server, their, '/invitations', {
    method: 'POST',
    body: { email: 'eve@people.example', role: 'member' },
  });
  expect(invited.status).toBe(201);
  await unchanged(async () => {
    for (const [method, path, body] of [
      ['PATCH', `/keys/${theirs.keyId}`, { read_only: true }],
      ['GET', `/keys/${theirs.keyId}/works`, undefined],
      ['POST', `/keys/${theirs.keyId}/revoke`, {}],
      ['PUT', `/policies/key/${theirs.keyId}`, { lines: { send: 'never' } }],
      ['PUT', `/policies/workspace/${theirs.id}`, { lines: { send: 'never' } }],
      ['POST', '/pauses', { level: 'key', subject_id: theirs.keyId }],
      ['POST', '/resumes', { level: 'inbox', subject_id: foreign.ids.inbox }],
      ['GET', `/policies/effective?key_id=${theirs.keyId}`, undefined],
      ['PATCH', `/members/${person.id}`, { role: 'member' }],
      ['DELETE', `/members/${person.id}`, undefined],
      ['DELETE', `/invitations/${invited.body.id}`, undefined],
    ] as const) {
      const answer = await manage(server, token, path, { method, ...(body && { body }) });
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'not_found']);
    }
  });
});

test('Interface 19: an admin token is refused everywhere else', async () => {
  const { token } = await makeToken(server);
  const operator = await makeOperatorToken(server);
  const found: string[] = [];
  const ask = async (one: string, method: string, path: string) => {
    const { status } = await server.request(path, {
      key: one,
      method,
      headers: { accept: 'application/json' },
    });
    if (status !== 401) found.push(`${method} ${path}: ${status}`);
  };
  await unchanged(async () => {
    for (const one of [token, operator]) {
      for (const { route } of listRoutes(contract)) await ask(one, route.method, route.path);
      await ask(one, 'GET', pathPrefix + realtimePath);
      await ask(one, 'POST', '/mcp');
    }
  });
  expect(found).toEqual([]);
});

test('Interface 19: an admin token is no session of the console, neither in the header nor in the cookie', async () => {
  const { cookies } = await signedIn(server);
  const page = new ConsoleBrowser(server);
  page.workspace = server.id;
  const open = /^session\.|^passkeys\.signIn|^approvalLinks\./;
  const closed = listRoutes(consoleContract).filter(({ name }) => !open.test(name));
  expect(closed.length).toBeGreaterThan(40);
  const tokens = [(await makeToken(server)).token, await makeOperatorToken(server)];
  await unchanged(async () => {
    for (const token of tokens)
      for (const { name, route } of closed) {
        for (const cookie of cookies.keys()) page.cookies.set(cookie, token);
        const { id = 'x', level = '', body, query = '' } = consoleRequests[name] ?? {};
        const path = route.path.slice(consoleApiPath.length).replace(':id', id).replace(':level', level);
        const headers = { authorization: `Bearer ${token}` };
        const answer = await page.request(path + query, {
          method: route.method,
          headers,
          ...(body && { body }),
        });
        expect([name, answer.status, answer.body.error]).toEqual([name, 401, 'not_signed_in']);
      }
  });
});

test('Interface 19: conventions are those of the API', async () => {
  const { token } = await makeToken(server);
  const get = (path: string) => manage(server, token, path);
  const listed = await get('/keys?limit=1');
  expect(listed.headers.get('x-request-id')).toMatch(/^req_/);
  expect(Object.keys(listed.body)).toEqual(['keys', 'next_cursor']);
  for (const [path, status, error] of [
    ['/keys?limit=101', 400, 'invalid_request'],
    ['/keys?cursor=x', 400, 'invalid_request'],
    ['/keys?name=x', 400, 'invalid_request'],
    ['/usage?days=7&x=1', 400, 'invalid_request'],
    ['/admin-tokens', 404, 'not_found'],
    ['/audit', 404, 'not_found'],
    ['/pauses', 405, 'method_not_allowed'],
  ] as const) {
    const answer = await get(path);
    expect([path, answer.status, answer.body.error]).toEqual([path, status, error]);
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  }
  const body = { name: 'x', unknown: 1 };
  const unknown = await manage(server, token, '/keys', { method: 'POST', body });
  expect(unknown.body).toMatchObject({ error: 'invalid_request', issues: [{ path: 'unknown' }] });
  const headers = { 'content-type': 'text/plain' };
  expect((await manage(server, token, '/keys', { method: 'POST', body: '{}', headers })).status).toBe(415);
});

test('Interface 19: there is no CORS', async () => {
  const { token } = await makeToken(server);
  for (const method of ['OPTIONS', 'GET']) {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    const answer = await manage(server, token, '/keys', { method, headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('Interface 19: a path in another spelling has the same walls', async () => {
  const { token } = await makeToken(server, { rights: ['usage'] });
  for (const path of ['/KEYS', '/Keys/']) {
    const answer = await manage(server, token, path);
    expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'right_missing']);
  }
  const upper = await server.request(`${managementPath.toUpperCase()}/keys`, { key: server.key });
  expect(upper.status).toBe(401);
});
