import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from '../harness/api-errors.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Conventions 5: an inbox of another workspace is a 404', async () => {
  const other = await server.workspace();
  await errorOf(other.client.inboxes.get((await server.inbox()).id), 'not_found');
  expect((await other.client.inboxes.list()).inboxes).toEqual([]);
});
