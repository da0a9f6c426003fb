/* Authentication 4: a key works until the very moment it is revoked, and no longer, whichever process it is shown to. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
});
afterAll(() => server.stop());

const clientOf = ({ url }: TestServer, apiKey: string) =>
  new Postrider({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
const waiting = (at: TestServer, count: number, workspaceId = at.id) =>
  eventually(
    `${count} requests to wait`,
    async () => waitingRequests(at.server.deps).countOf(workspaceId) === count,
  );
const newKey = async ({ server: { deps } }: TestServer, workspaceName: string) => {
  const { id, key } = await createKey(deps, workspaceName, 'another');
  return { key, revoke: () => revokeKey(deps, id) };
};

test('Authentication 4: a revoked key is refused by the very next request, 200 times of 200', async () => {
  let refused = 0;
  for (let round = 0; round < 200; round += 1) {
    const { key, revoke } = await newKey(server, server.name);
    expect((await server.request('/v1/inboxes?limit=1', { key })).status).toBe(200);
    await revoke();
    if ((await server.request('/v1/inboxes?limit=1', { key })).status === 401) refused += 1;
  }
  expect(refused).toBe(200);
});

test('Authentication 4: of requests at once with the revocation none is answered after it was', async () => {
  const { key, revoke } = await newKey(server, server.name);
  const client = clientOf(server, key);
  let isRevoked = false;
  const ask = async () => {
    const isLate = isRevoked;
    const status = await client.inboxes.list({ limit: 1 }).then(
      () => 200,
      (error: { status?: number }) => error.status,
    );
    return { isLate, status };
  };
  const first = await ask();
  const asked: ReturnType<typeof ask>[] = [];
  const askFor = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      asked.push(ask());
      await sleep(2);
    }
  };
  await askFor(() => asked.length === 30);
  const revocation = revoke().then(() => {
    isRevoked = true;
  });
  await askFor(() => isRevoked);
  await revocation;
  const before = asked.length;
  await askFor(() => asked.length === before + 30);
  const answers = await Promise.all(asked);
  const late = answers.filter(({ isLate }) => isLate);
  expect(late).toHaveLength(30);
  expect(late.map(({ status }) => status)).toEqual(late.map(() => 401));
  expect(first.status).toBe(200);
});

test('Authentication 4: revoking twice does no harm, and a key that does not exist cannot be revoked', async () => {
  const { key, revoke } = await newKey(server, server.name);
  await revoke();
  await revoke();
  await catchApiError(clientOf(server, key).inboxes.list(), 'invalid_token');
  await expect(revokeKey(server.server.deps, 'key_unknown')).rejects.toThrow('There is no key');
  expect((await server.client.inboxes.list()).inboxes).toEqual([]);
});

test('Interface 5: a request that waits is ended at once by the revocation of its key, and other waits go on', async () => {
  const { key, revoke } = await newKey(server, server.name);
  const leaving = new AbortController();
  const other = server.client.messages.list({ wait_seconds: 60 }, { signal: leaving.signal });
  const left = expect(other).rejects.toThrow();
  await waiting(server, 1);
  await byWakeups(server, async () => {
    const ended = catchApiError(clientOf(server, key).messages.list({ wait_seconds: 60 }), 'invalid_token');
    await waiting(server, 2);
    await revoke();
    await ended;
  });
  await waiting(server, 1);
  leaving.abort();
  await left;
});

test('Authentication 4: when a key was last used is written once a minute, however many requests come', async () => {
  const { key } = await newKey(server, server.name);
  await server.rows('create table key_writes (key_id text, at timestamptz default clock_timestamp())');
  await server.rows(`create function note_key_write() returns trigger language plpgsql as $$
    begin insert into key_writes (key_id) values (new.id); return new; end $$`);
  await server.rows(
    'create trigger note_key_write after update on api_keys for each row execute function note_key_write()',
  );
  const writes = async () => (await server.rows('select * from key_writes')).length;
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => server.request('/v1/inboxes?limit=1', { key })));
  clock.stop();
  try {
    for (let minute = 1; minute <= 3; minute += 1) {
      await ask(40);
      await ask(40);
      await eventually('a write', async () => (await writes()) >= minute);
      await sleep(150);
      expect(await writes()).toBe(minute);
      clock.advance(60_001);
    }
  } finally {
    clock.goOn();
    await server.rows('drop trigger note_key_write on api_keys');
  }
});

/** Sends the head of a request whose body never comes, and gives the first line of the answer. */
const askWithoutBody = async (header: string[]): Promise<string> => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    ['POST /v1/messages HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...header, '', ''].join(
      '\r\n',
    ),
  );
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(300_000) })) as [Buffer];
  socket.destroy();
  return answer.toString().split('\r\n')[0] ?? '';
};

test('Authentication 5: a 401 is answered before a byte of the body has come', async () => {
  for (const size of ['Content-Length: 10000000000', 'Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    for (const authorization of [[], ['Authorization: Bearer x'], [`Authorization: Bearer ${server.key}x`]])
      expect(await askWithoutBody([size, ...authorization])).toBe('HTTP/1.1 401 Unauthorized');
  }
});

test('Authentication 4: revocation counts at once on every server of the same Postgres, for waiting requests too', async () => {
  const database = await freshDatabase();
  const env = { POSTRIDER_RATE_LIMITS: 'off', POSTRIDER_SECRET: 'x'.repeat(32) };
  const servers = [
    await startTestServer({ env, database: database.settings }),
    await startTestServer({ env, database: database.settings }),
  ] as const;
  try {
    const [first, second] = servers;
    let refused = 0;
    for (let round = 0; round < 200; round += 1) {
      const { key, revoke } = await newKey(first, first.name);
      expect((await second.request('/v1/inboxes?limit=1', { key })).status).toBe(200);
      await revoke();
      if ((await second.request('/v1/inboxes?limit=1', { key })).status === 401) refused += 1;
    }
    expect(refused).toBe(200);
    const { key, revoke } = await newKey(first, first.name);
    await byWakeups(second, async () => {
      const ended = catchApiError(clientOf(second, key).messages.list({ wait_seconds: 60 }), 'invalid_token');
      await waiting(second, 1, first.id);
      await revoke();
      await ended;
    });
  } finally {
    for (const each of servers) await each.stop();
    await database.drop();
  }
});
