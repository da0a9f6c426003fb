/*
 * The walls around the console, on every route of both routers, so that none can be forgotten: requests that other sites could make,
 * members on what only owners may do, people in workspaces that they are not in, and ids of other workspaces.
 */
import { contract, listRoutes, type RouteEntry } from '@postrider/contract';
import {
  consoleContract,
  consoleHeader,
  isOwnerOnly,
  ownerOnlyApiRoutes,
  workspaceHeader,
} from '@postrider/contract/console';
import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import { ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { consoleRequests } from '@postrider/testkit/http/console-requests.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import { type Named, routeRequests } from '@postrider/testkit/http/route-requests.ts';
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Browser = ConsoleBrowser & { person: TestPerson };

/** A route as the console calls it, below `/console/api`. */
interface ConsoleRoute {
  name: string;
  method: string;
  /** Fills the path with ids. */
  call(id: (named: Named) => string): { path: string; body?: object };
}

let server: TestServer;
let theirs: TestWorkspace;
let owner: Browser;
let member: Browser;
let own: WorkspaceThings;
let foreign: WorkspaceThings;

beforeAll(async () => {
  server = await startTestServer();
  theirs = await server.workspace();
  [owner, member] = [await signedIn(server), await signedIn(server, 'member')];
  own = await fillWorkspace(server, server);
  foreign = await fillWorkspace(server, theirs);
});
afterAll(() => server.stop());

const apiRoute = ({ name, route }: RouteEntry): ConsoleRoute => ({
  name: `api ${name}`,
  method: route.method,
  call: (id) => {
    const { path = {}, query, body } = routeRequests[name]?.(id) ?? {};
    const filled = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
    return { path: filled + (query ? `?${new URLSearchParams(query)}` : ''), ...(body && { body }) };
  },
});
const ownRoute = ({ name, route }: RouteEntry): ConsoleRoute => ({
  name,
  method: route.method,
  call: (idOf) => {
    const {
      id = 'usr_01m8h5s27cejv9y1h5qvcd3xzk',
      named,
      level = '',
      body,
      query = '',
    } = consoleRequests[name] ?? {};
    const filled = route.path.replace(':level', level).replace(':id', named ? idOf(named) : id);
    const path = filled.replace('/console/api', '') + query;
    return { path, ...(body && { body }) };
  },
});
const apiRoutes = listRoutes(contract);
const ownRoutes = listRoutes(consoleContract);
const routes = [...apiRoutes.map(apiRoute), ...ownRoutes.map(ownRoute)];
const mutating = routes.filter(({ method }) => method !== 'GET');

const send = (browser: ConsoleBrowser, { method, call }: ConsoleRoute, headers = {}, workspace?: string) => {
  const { path, body } = call((named) => own.ids[named]);
  return browser.request(path, { method, headers, ...(body && { body }), ...(workspace && { workspace }) });
};
/** Asks one route after the other, and returns those that were not answered as expected. */
const others = async (
  list: ConsoleRoute[],
  ask: (route: ConsoleRoute) => Promise<PlainAnswer>,
  expected: [number, string],
) => {
  const found: string[] = [];
  for (const route of list) {
    const { status, body } = await ask(route);
    if (status !== expected[0] || body.error !== expected[1])
      found.push(`${route.method} ${route.name}: ${status} ${body.error}`);
  }
  return found;
};
/** Checks that nothing changes meanwhile, apart from the record of the last use. */
const unchanged = async (work: () => Promise<void>) => {
  const before = await takeSnapshot(server);
  await work();
  expect(await takeSnapshot(server)).toEqual(before);
};

test('every route of the console has a request here, and nothing else has one', () => {
  expect(Object.keys(consoleRequests).sort()).toEqual(ownRoutes.map(({ name }) => name).sort());
});

describe('a request that another site could make', () => {
  const forgeries: [string, Record<string, string>][] = [
    ['without the header of the console', { [consoleHeader]: '' }],
    ['without an origin', { origin: '' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from an origin that is opaque', { origin: 'null' }],
    ['from another port of the host', { origin: 'http://127.0.0.1:1' }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site' }],
  ];
  test.each(forgeries)('is refused on every route that changes something: %s', async (_, headers) => {
    await unchanged(async () => {
      const passed = await others(mutating, (route) => send(owner, route, headers), [403, 'csrf_refused']);
      expect(passed).toEqual([]);
    });
  });

  test.each(forgeries.slice(2))(
    'is refused where it would read, such as by a socket or a stream: %s',
    async (_, headers) => {
      const accept = 'text/event-stream';
      const paths = ['/v1/realtime', '/v1/events', `/changes?workspace=${server.id}`, '/v1/account'];
      for (const path of paths) {
        const { status, body } = await owner.request(path, { headers: { ...headers, accept } });
        expect([path, status, body.error]).toEqual([path, 403, 'csrf_refused']);
      }
    },
  );

  test('is refused for the API with the cookie alone', async () => {
    const { status } = await server.request('/v1/account', { key: null, headers: { cookie: owner.cookie } });
    expect(status).toBe(401);
  });

  test('is not allowed by CORS', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const path of ['/v1/messages', '/keys', '/session']) {
      const answer = await owner.request(path, { method: 'OPTIONS', headers });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

test('without a session every route is refused, apart from those of signing in and of links', async () => {
  const nobody = new ConsoleBrowser(server);
  nobody.workspace = server.id;
  const closed = routes.filter(
    ({ name }) => !/^session\.(?!get|signOut)|^passkeys\.signIn|^approvalLinks\./.test(name),
  );
  await unchanged(async () => {
    expect(await others(closed, (route) => send(nobody, route), [401, 'not_signed_in'])).toEqual([]);
  });
});

test('in a workspace that the person is not in, or that does not exist, every route of a workspace is unknown', async () => {
  const ofWorkspace = routes.filter(({ name }) => !/^(session|me|passkeys|approvalLinks)\./.test(name));
  await unchanged(async () => {
    for (const workspace of [theirs.id, 'wsp_01m8h5s25zeam9gvxh9rynrznw', '*', ' ', "x' or '1'='1"])
      expect(
        await others(ofWorkspace, (route) => send(owner, route, {}, workspace), [404, 'not_found']),
      ).toEqual([]);
  });
});

test('a member is kept out of what only owners may do, and of nothing else', async () => {
  const isForOwners = (name: string) =>
    name.startsWith('api ')
      ? (ownerOnlyApiRoutes as readonly string[]).includes(name.slice(4))
      : ownRoutes.some((entry) => entry.name === name && isOwnerOnly(entry.route));
  const closed = routes.filter(({ name }) => isForOwners(name));
  expect(closed.length).toBeGreaterThan(ownerOnlyApiRoutes.length + 8);
  await unchanged(async () => {
    expect(await others(closed, (route) => send(member, route), [403, 'owner_only'])).toEqual([]);
  });
  const open = routes.filter(({ name, method }) => method === 'GET' && !isForOwners(name));
  const refused: string[] = [];
  for (const route of open) if ((await send(member, route)).status >= 400) refused.push(route.name);
  expect(refused).toEqual([]);
});

test('a path in another spelling is the same path, with the same walls', async () => {
  await unchanged(async () => {
    for (const path of [`/v1/INBOXES/${own.ids.inbox}`, `/V1/inboxes/${own.ids.inbox}/`]) {
      const { status, body } = await member.request(path, { method: 'DELETE' });
      expect([path, status, body.error]).toEqual([path, 403, 'owner_only']);
    }
    const created = await member.request('/v1/Domains', { method: 'POST', body: { hostname: 'x.example' } });
    expect([created.status, created.body.error]).toEqual([403, 'owner_only']);
    const key = await member.request('/KEYS', { method: 'POST', body: { name: 'A key' } });
    expect([key.status, key.body.error]).toEqual([403, 'owner_only']);
  });
});

test('text that no database can hold is refused', async () => {
  for (const path of ['/audit?action=%00', '/audit?person_id=%00', '/changes?workspace=%00'])
    expect([
      path,
      (await owner.request(path, { headers: path.startsWith('/ch') ? { [workspaceHeader]: '' } : {} }))
        .status,
    ]).toEqual([path, path.startsWith('/ch') ? 404 : 400]);
  const body = { email: 'a\ud800@b.example', role: 'member' };
  expect((await owner.request('/invitations', { method: 'POST', body })).status).toBe(400);
});

test("another workspace's ids are answered as unknown ones, on every route of the API", async () => {
  const before = await takeSnapshot(server);
  for (const route of apiRoutes.map(apiRoute)) {
    let asked = 0;
    route.call(() => `${asked++}`);
    const ask = (id: (named: Named) => string) => {
      const { path, body } = route.call(id);
      return owner.request(path, { method: route.method, ...(body && { body }) });
    };
    if (asked === 0) continue;
    const [unknown, other] = [await ask(unknownId), await ask((named) => foreign.ids[named])];
    expect([route.name, other.status, other.body.error]).toEqual([
      route.name,
      unknown.status,
      unknown.body.error,
    ]);
    expect(other.status, route.name).toBeGreaterThanOrEqual(400);
  }
  expect(await takeSnapshot(server)).toEqual(before);
});

test('people, keys, sessions and invitations of another workspace are unknown, and stay', async () => {
  const other = await signedIn(server, 'owner', theirs);
  const { body: invitation } = await other.request('/invitations', {
    method: 'POST',
    body: { email: 'eve@people.example', role: 'member' },
  });
  await unchanged(async () => {
    for (const [method, path, body] of [
      ['POST', `/keys/${theirs.keyId}/revoke`, {}],
      ['PATCH', `/members/${other.person.id}`, { role: 'member' }],
      ['DELETE', `/members/${other.person.id}`, undefined],
      ['DELETE', `/invitations/${invitation.id}`, undefined],
    ] as const) {
      const answer = await owner.request(path, { method, ...(body && { body }) });
      expect([path, answer.status, answer.body.error]).toEqual([path, 404, 'not_found']);
    }
  });
  const listed = await Promise.all(
    ['/keys', '/members', '/invitations', '/audit'].map(async (path) => (await owner.request(path)).text),
  );
  for (const text of listed) {
    expect(text).not.toContain(other.person.email);
    expect(text).not.toContain(theirs.keyId);
    expect(text).not.toContain('eve@people.example');
  }
});
