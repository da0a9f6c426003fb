/* Authentication 5 under a flood: who shows unknown keys again and again is told to wait, and nobody else is. */
import { randomBytes } from 'node:crypto';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_TRUST_PROXY: 'loopback' },
  });
});
afterAll(() => server.stop());

const unknownKey = () => `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;
const ask = async (client: string, key: string | null, at = server) => {
  const headers = { 'x-forwarded-for': client };
  const { status, body, headers: answered } = await at.request('/v1/inboxes', { key, headers });
  return { status, body, retryAfter: answered.get('retry-after') };
};
const flood = async (client: string, at = server) => {
  const answers = await Promise.all(Array.from({ length: 120 }, () => ask(client, unknownKey(), at)));
  return answers.map(({ status }) => status);
};
/**
 * Resolves with a refusal. Some requests come back each second, so that a busy machine may have to ask more often until one is refused.
 */
const refusalOf = (asking: () => ReturnType<typeof ask>) =>
  eventually('a refusal', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, asking));
    return answers.find(({ status }) => status === 429);
  });
let clients = 0;
const freshClient = () => `198.51.100.${++clients}`;

test('Authentication 5, Interface 2 Errors rate_limited: after a hundred unknown keys a client is told to wait, with Retry-After', async () => {
  const client = freshClient();
  const statuses = await flood(client);
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(100);
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  expect(await refusalOf(() => ask(client, unknownKey()))).toMatchObject({
    retryAfter: '1',
    body: { error: 'rate_limited', reason: 'requests' },
  });
});

test('Authentication 5: a good key is answered from any other address, and a known one from the same', async () => {
  const client = freshClient();
  expect((await ask(client, server.key)).status).toBe(200);
  await flood(client);
  for (let round = 0; round < 20; round += 1) {
    await ask(client, unknownKey());
    expect((await ask(client, server.key)).status).toBe(200);
    expect((await ask(freshClient(), server.key)).status).toBe(200);
  }
});

test('Authentication 5: a good key that is new to the server waits with the rest of its address, and gets in when the flood is over', async () => {
  const client = freshClient();
  await flood(client);
  await flood(client);
  const { key } = await createKey(server.server.deps, server.name, 'new');
  const statuses: number[] = [];
  while (statuses.at(-1) !== 200 && statuses.length < 40) {
    const { status, retryAfter } = await ask(client, key);
    statuses.push(status);
    if (status === 429) await new Promise((resolve) => setTimeout(resolve, Number(retryAfter) * 1_000));
  }
  expect(statuses.at(-1)).toBe(200);
  expect(statuses.length).toBeLessThanOrEqual(3);
});

test('Authentication 4: a key that was good and is revoked is a 401 at once, and counts as unknown from then on', async () => {
  const client = freshClient();
  const { id, key } = await createKey(server.server.deps, server.name, 'short');
  expect((await ask(client, key)).status).toBe(200);
  await revokeKey(server.server.deps, id);
  await flood(client);
  expect((await ask(client, key)).status).toBe(401);
  await refusalOf(() => ask(client, key));
});

test('Authentication 5: addresses of one IPv6 network of 64 bits are one client', async () => {
  let asked = 0;
  await refusalOf(() => ask(`2001:db8:7:7:${(asked++).toString(16)}::1`, unknownKey()));
  expect((await ask('2001:db8:7:8::1', unknownKey())).status).toBe(401);
});

test('Authentication 5: requests without a key, or with a text that is none, stay 401 however many', async () => {
  const client = freshClient();
  const keys = Array.from({ length: 150 }, (_, i) => (i % 2 === 0 ? null : 'pr_live_short'));
  const answers = await Promise.all(keys.map((key) => ask(client, key)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  await flood(client);
  expect((await ask(client, null)).status).toBe(401);
});

test('Interface 10 POSTRIDER_TRUST_PROXY: without a proxy that is trusted the forwarded address counts for nothing, and this machine is never refused', async () => {
  const plain = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'on' } });
  const statuses = [...(await flood('203.0.113.1', plain)), ...(await flood('203.0.113.1', plain))];
  expect(new Set(statuses)).toEqual(new Set([401]));
  await plain.stop();
});

test('Interface 20 POSTRIDER_RATE_LIMITS: off leaves the limit of wrong keys', async () => {
  const open = await startTestServer({ env: { POSTRIDER_TRUST_PROXY: 'loopback' } });
  await refusalOf(() => ask('203.0.113.1', unknownKey(), open));
  await open.stop();
});
