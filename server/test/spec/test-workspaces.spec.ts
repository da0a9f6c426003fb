import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 1: the keys of a test workspace start with pr_test_', async () => {
  const { key } = await server.workspace({ isTest: true });
  expect(key).toMatch(/^pr_test_/);
});
