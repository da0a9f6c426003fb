/* The first requests of a person, a page or a monitor: the address itself, the contract, other origins, and words of early errors. */
import { buildManagementOpenApi } from '@postrider/contract/management/openapi';
import { buildOpenApi } from '@postrider/contract/openapi';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const origin = 'https://app.example.com';
let server: TestServer;

beforeAll(async () => {
  const env = { POSTRIDER_CORS_ORIGINS: `${origin}, http://localhost:5173` };
  server = await startTestServer({ env });
});
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request(path, { key: null, headers });

describe('GET /', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test('Interface 6: leads browsers to the documentation, also behind a proxy that adds a path', async () => {
    const answer = await fetch(server.url, { headers: browser, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs/']);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect((await fetch(server.url, { headers: browser })).url).toBe(`${server.url}/docs/`);
  });

  test.each(['*/*', 'application/json', 'text/plain'])('Interface 6: is JSON for %s', async (accept) => {
    const { status, body } = await get('/', { accept });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Postrider', api: '/v1', openapi: '/openapi.json', ready: '/readyz' });
    expect(body).toMatchObject({ console: '/console', docs: '/docs', live: '/livez' });
  });
});

test.each([
  ['/openapi.json', '/v1', buildOpenApi],
  ['/management.openapi.json', '/manage/v1', buildManagementOpenApi],
])('Interface 6: %s is the contract of %s, with the address of this server', async (file, path, build) => {
  const { status, headers, body } = await get(file);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const servers = [{ url: server.url + path, description: expect.any(String) }];
  expect(body).toEqual({ ...JSON.parse(JSON.stringify(build())), servers });
});

test('Interface 2: a query outside of /v1 is ignored', async () => {
  for (const path of ['/', '/openapi.json', '/livez', '/readyz'])
    expect([path, (await get(`${path}?probe=1`)).status]).toEqual([path, 200]);
});

describe('pages of other origins', () => {
  const preflight = async (from: string) => {
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,user-agent',
      },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('Interface 10 POSTRIDER_CORS_ORIGINS: a preflight of a listed origin is answered, of another one refused', async () => {
    for (const from of [origin, 'http://localhost:5173']) {
      const { status, headers, text } = await preflight(from);
      expect([status, text, headers.get('access-control-allow-origin')]).toEqual([204, '', from]);
      expect(headers.get('access-control-allow-methods')?.split(', ').sort()).toEqual([
        'DELETE',
        'GET',
        'PATCH',
        'POST',
      ]);
      expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type,user-agent');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toContain('Origin');
    }
    for (const other of ['https://evil.example', `${origin}.evil.example`, `${origin}:8443`, 'null', '*']) {
      const { status, headers } = await preflight(other);
      expect([other, status, headers.get('access-control-allow-origin')]).toEqual([other, 401, null]);
      expect(headers.get('access-control-allow-methods')).toBeNull();
    }
  });

  test('Interface 10 POSTRIDER_CORS_ORIGINS: answers and errors can be read by a listed origin, with the headers that say something', async () => {
    const asked = [
      server.request('/v1/inboxes', { headers: { origin } }),
      server.request('/v1/inboxes', { key: null, headers: { origin } }),
      server.request('/v1/nothing', { headers: { origin } }),
      server.request('/v1/inboxes', { method: 'PUT', headers: { origin } }),
      server.request('/files/none', { key: null, headers: { origin } }),
    ];
    const statuses = [200, 401, 404, 405, 404];
    for (const [i, { status, headers }] of (await Promise.all(asked)).entries()) {
      expect([status, headers.get('access-control-allow-origin')]).toEqual([statuses[i], origin]);
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase();
      for (const name of ['x-request-id', 'ratelimit-remaining', 'retry-after'])
        expect(exposed).toContain(name);
    }
    const other = await server.request('/v1/inboxes', { headers: { origin: 'https://evil.example' } });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const outside = await get('/livez', { origin });
    expect(outside.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('the route of a request that was refused without a key is known to log and metrics', async () => {
  await server.request('/v1/messages/msg_x/reply', { key: null, method: 'POST', body: {} });
  const metrics = await server.server.deps.metrics.registry.metrics();
  expect(metrics).toContain('method="POST",route="/v1/messages/:id/reply",status="401"');
});
