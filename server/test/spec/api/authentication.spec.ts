import { errors } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, listKeys, revokeKey } from '../../../src/keys/manage-keys.ts';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const clientOf = (apiKey: string) => new Postrider({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });

test('Authentication 1: every request carries Authorization: Bearer <API key>', async () => {
  const { key } = server;
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]) {
    const { status } = await server.request('/v1/inboxes', { key: null, headers: { authorization } });
    expect([authorization, status]).toEqual([authorization, 200]);
  }
});

test('Authentication 2: a live key is pr_live_ and 43 letters and digits, a test key pr_test_ and as many', async () => {
  expect(server.key).toMatch(/^pr_live_[0-9A-Za-z]{43}$/);
  expect((await server.workspace({ isTest: true })).key).toMatch(/^pr_test_[0-9A-Za-z]{43}$/);
});

test('Authentication 2: the database holds no key, only its hash', async () => {
  const rows = await server.rows(
    "select encode(key_hash, 'hex') || encode(key_hash, 'escape') || hint || name as text from api_keys",
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(server.key.slice('pr_live_'.length));
});

test('Authentication 3: a key grants what is in its workspace and nothing else', async () => {
  const other = await server.workspace();
  const inbox = await server.inbox(other);
  expect((await other.client.inboxes.get(inbox.id)).id).toBe(inbox.id);
  await catchApiError(server.client.inboxes.get(inbox.id), 'not_found');
});

test('Authentication 4: a workspace may have several keys; revoking one is instant and leaves the others', async () => {
  const { deps } = server.server;
  const workspace = await server.workspace();
  const second = await createKey(deps, workspace.name, 'second');
  const inbox = await server.inbox(workspace);
  expect((await clientOf(second.key).inboxes.get(inbox.id)).id).toBe(inbox.id);
  for (let round = 0; round < 20; round++) {
    const { id, key } = await createKey(deps, workspace.name, `round ${round}`);
    const client = clientOf(key);
    await client.inboxes.get(inbox.id);
    await revokeKey(deps, id);
    await catchApiError(client.inboxes.get(inbox.id), 'invalid_token');
  }
  expect((await clientOf(second.key).inboxes.get(inbox.id)).id).toBe(inbox.id);
});

test('Authentication 4: when a key was last used is noted, at most once a minute', async () => {
  const { deps } = server.server;
  const workspace = await server.workspace();
  const lastUsed = async () => (await listKeys(deps, workspace.name))[0]?.last_used_at ?? null;
  expect(await lastUsed()).toBeNull();
  clock.stop();
  await workspace.client.inboxes.list();
  const first = await eventually('the first use to be noted', lastUsed);
  expect(first).toEqual(clock.now());
  clock.advance(50_000);
  await Promise.all(Array.from({ length: 5 }, () => workspace.client.inboxes.list()));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await lastUsed()).toEqual(first);
  clock.advance(11_000);
  await Promise.all(Array.from({ length: 5 }, () => workspace.client.inboxes.list()));
  const second = await eventually('the second use to be noted', async () => {
    const at = await lastUsed();
    return at && at > first ? at : null;
  });
  expect(second.getTime() - first.getTime()).toBe(61_000);
  clock.goOn();
});

test('Authentication 5: a malformed, unknown or revoked key is the same 401', async () => {
  const { key } = server;
  const changed = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const headers: Record<string, string>[] = [
    { authorization: `Bearer ${changed}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${key.toUpperCase()}` },
    { authorization: `Bearer ${key} ${key}` },
    { authorization: `Bearer ${'x'.repeat(5_000)}` },
    { authorization: `Bearer pr_test_${key.slice('pr_live_'.length)}` },
    { authorization: "Bearer ' or 1=1 --" },
  ];
  for (const each of headers) {
    const { status, body } = await server.request('/v1/inboxes', { key: null, headers: each });
    const { request_id: _, ...rest } = body;
    expect([each, status, rest]).toEqual([
      each,
      401,
      { error: 'invalid_token', message: errors.invalid_token.message },
    ]);
  }
});

test('Authentication 5: a key that is missing, or in a header of another form, is a 401 that says so', async () => {
  const { key } = server;
  const said = async (headers: Record<string, string>) => {
    const { status, body } = await server.request('/v1/inboxes', { key: null, headers });
    expect([headers, status, body.error]).toEqual([headers, 401, 'invalid_token']);
    return body.message;
  };
  for (const headers of [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'bearer  ' },
  ])
    expect(await said(headers)).toContain('The API key is missing: send `Authorization: Bearer');
  for (const authorization of [key, `Basic ${key}`, `bearer${key}`, 'Token x'])
    expect(await said({ authorization })).toContain('has another form: send `Authorization: Bearer');
});

test('Authentication 5: a 401 comes before the body is read and before the path is looked at', async () => {
  const withoutKey = { key: null, method: 'POST', headers: { 'content-type': 'text/plain' } };
  expect((await server.request('/v1/inboxes', { ...withoutKey, body: '{' })).status).toBe(401);
  expect((await server.request('/v1/nothing', withoutKey)).status).toBe(401);
  expect((await server.request('/v1/inboxes', { ...withoutKey, method: 'DELETE' })).status).toBe(401);
  const tooLarge = new Uint8Array(2 * 1_048_576);
  expect((await server.request('/v1/inboxes', { ...withoutKey, body: tooLarge })).status).toBe(401);
});

test('Authentication 5: what needs no key answers without one and tells nothing of workspaces', async () => {
  for (const path of ['/livez', '/readyz']) {
    const { status, text } = await server.request(path, { key: null });
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain(server.name);
  }
});
