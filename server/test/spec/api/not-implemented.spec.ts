import { contract, errors, listRoutes, PlanLimits, type RouteEntry } from '@postrider/contract';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { unknownId } from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** What is in the contract and not built: this list only ever shrinks. */
const notBuilt = ['messages.list with query'];

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const call = ({ route, name }: RouteEntry) => {
  const { path = {}, query, body } = routeRequests[name]?.(unknownId) ?? {};
  const filled = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.request(filled + search, { method: route.method, ...(body && { body }) });
};

test('Interface 2 Errors: 501 not_implemented is answered by the routes of this list and by no other', async () => {
  const found: string[] = [];
  for (const entry of listRoutes(contract)) {
    const { status, body } = await call(entry);
    if (status === 501) found.push(entry.name);
    expect([entry.name, body.error === 'not_implemented']).toEqual([entry.name, status === 501]);
  }
  const search = await server.request('/v1/messages?query=order');
  if (search.status === 501) found.push('messages.list with query');
  expect(found.sort()).toEqual(notBuilt);
});

test('Interface 2 Errors: not_implemented is in the catalogue only as long as something is not built', () => {
  expect(Object.hasOwn(errors, 'not_implemented')).toBe(notBuilt.length > 0);
});

test('Interface 6 GET /account: limits tell what a plan includes, and their descriptions what is not built', async () => {
  const { limits } = await server.client.account.get();
  expect([limits.custom_domains, limits.semantic_search, limits.dedicated_subdomain]).toEqual([
    true,
    true,
    true,
  ]);
  expect(PlanLimits.shape.semantic_search.description).toContain('not built yet');
});

test('Interface 2 Errors: what is not built still refuses a request that is not valid, and one without a key', async () => {
  expect((await server.request('/v1/messages?query=')).status).toBe(400);
  expect((await server.request('/v1/messages?query=order', { key: null })).status).toBe(401);
});
