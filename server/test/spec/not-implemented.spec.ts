import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf } from '../harness/api-errors.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 2: what is not built answers 501 not_implemented', async () => {
  const body = await errorOf(server.client.labels.list(), 'not_implemented');
  expect(body.message).toEqual(expect.any(String));
});
