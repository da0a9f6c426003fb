import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from '../harness/api-errors.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 3 Inbox: the second delete is a 404', async () => {
  const inbox = await server.inbox();
  expect((await server.client.inboxes.delete(inbox.id).withResponse()).response.status).toBe(204);
  await errorOf(server.client.inboxes.delete(inbox.id), 'not_found');
});
