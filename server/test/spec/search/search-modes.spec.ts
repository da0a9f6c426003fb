import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

test('Messages 6: semantic and hybrid search fall back to keyword search on the free plan, and say so', async () => {
  const free = await server.workspace({ plan: 'free' });
  const inbox = await server.inbox(free);
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: inbox.address,
    subject: 'A parcel',
    text: 'It is here.',
  });
  await server.indexed();
  for (const mode of ['semantic', 'hybrid'] as const) {
    const page = await free.client.messages.search('parcels', { mode });
    expect([page.mode_used, page.fallback_reason, page.messages.length]).toEqual(['keyword', 'plan', 1]);
    const threads = await free.client.threads.search('parcels', { mode });
    expect([threads.mode_used, threads.fallback_reason, threads.threads.length]).toEqual([
      'keyword',
      'plan',
      1,
    ]);
  }
});

test('Messages 6: mode_used is recent without a query, and keyword by default', async () => {
  const recent = await server.client.messages.list({ mode: 'hybrid' });
  expect([recent.mode_used, recent.fallback_reason]).toEqual(['recent', undefined]);
  const keyword = await server.client.messages.search('anything');
  expect([keyword.mode_used, keyword.fallback_reason]).toEqual(['keyword', undefined]);
  expect((await server.client.threads.list()).mode_used).toBe('recent');
});

test('Interface 4: an unknown mode and an empty query are a 400', async () => {
  for (const query of [
    'query=a&mode=fuzzy',
    'query=',
    'mode=',
    `query=${'a'.repeat(1_001)}`,
    'query=a%00b',
  ]) {
    for (const list of ['messages', 'threads'])
      expect((await server.request(`/v1/${list}?${query}`)).status, query).toBe(400);
  }
});
