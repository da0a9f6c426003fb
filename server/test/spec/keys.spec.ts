import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/workspaces/manage-keys.ts';
import { errorOf } from '../harness/api-errors.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Authentication 4: a revoked key is refused by the very next request', async () => {
  const { deps } = server.server;
  const { id } = await createKey(deps, server.name, 'other');
  await revokeKey(deps, id);
  await revokeKey(deps, server.keyId);
  await errorOf(server.client.inboxes.list(), 'invalid_token');
  expect((await server.request('/v1/inboxes')).status).toBe(401);
});
