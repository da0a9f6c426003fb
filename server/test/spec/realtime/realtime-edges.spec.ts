import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { openRealtime, refusalOfRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeExpired } from '../../../src/jobs/remove-expired.ts';
import { socketWaits } from '../../../src/realtime/open-socket.ts';

/** So much faster, a ping goes out every second, who takes nothing is cut after 0.6 s, and lost wake-ups cost 0.2 s. */
const timeScale = 25;
const clock = createMovingClock();
let server: TestServer;
let stopped = false;

const usualWaits = { ...socketWaits };

beforeAll(async () => {
  socketWaits.closeWithinMs = 300_000;
  server = await startTestServer({
    clock,
    env: { POSTRIDER_TIME_SCALE: String(timeScale), POSTRIDER_RATE_LIMITS: 'on' },
  });
});
afterAll(async () => {
  Object.assign(socketWaits, usualWaits);
  if (!stopped) await server.stop();
});

const open = (owner: TestWorkspace, query: Record<string, string> = {}) =>
  openRealtime(server.url, owner.key, { query });

const receive = async (owner: TestWorkspace) =>
  receiveMessage({ ...server, client: owner.client }, { inbox: await server.inbox(owner) });

/** Events of 128 KiB each, all of the same message. */
const addLargeEvents = async (owner: TestWorkspace, count: number): Promise<void> => {
  const inbox = await server.inbox(owner);
  const body = 'x'.repeat(limits.listedBodyBytesMax);
  const { id } = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: ['x@remote.example'],
    subject: 'large',
    text: body,
    html: body,
  });
  await server.rows(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
      select workspace_id, left(id, -4) || lpad(n::text, 4, '0'), event, inbox_id, thread_id, message_id, extra, created_at
      from events, generate_series(1, $2::int) n where message_id = $1`,
    [id, count],
  );
};

test('Interface 5 GET /realtime: a socket that takes nothing is closed with 4008, and goes on with after where it was', async () => {
  const owner = await server.workspace();
  const [slow, quick] = [await open(owner), await open(owner)];
  slow.socket.pause();
  // It is there, so no ping cuts it.
  const alive = setInterval(() => slow.socket.pong(), 100);
  const count = 300;
  await addLargeEvents(owner, count);
  // It is behind before the other one has half of it. A socket that is told why it is closed has some seconds to read that.
  await quick.received(count / 2);
  await pause(1_500);
  clearInterval(alive);
  slow.socket.resume();
  expect((await slow.ended).code).toBe(4008);
  const ids = slow.events.map(({ id }) => id);
  expect(ids.length).toBeLessThan(count);
  const after = ids.at(-1);
  const resumed = await open(owner, after === undefined ? {} : { after });
  await resumed.received(count + 1 - ids.length);
  await quick.received(count + 1);
  expect([...ids, ...resumed.events.map(({ id }) => id)]).toEqual(quick.events.map(({ id }) => id));
  await Promise.all([quick.close(), resumed.close()]);
});

test('Interface 5 GET /realtime: a socket that reads slower than events come is sent all of them, in order', async () => {
  const owner = await server.workspace();
  const client = await open(owner);
  const count = 150;
  const pauses = setInterval(() => {
    client.socket.pause();
    setTimeout(() => client.socket.resume(), 40);
  }, 50);
  await addLargeEvents(owner, count);
  await client.received(count + 1);
  clearInterval(pauses);
  const log: string[] = [];
  for await (const { id } of owner.client.events.list({ limit: 100 })) log.push(id);
  expect(client.events.map(({ id }) => id)).toEqual(log);
  client.socket.resume();
  await client.close();
});

test('Interface 5 GET /realtime: what a lost wake-up hides, an event or the end of a key, is found a moment later', async () => {
  const owner = await server.workspace();
  const client = await open(owner);
  await receive(owner);
  const [event] = await client.received(1);
  await server.rows(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at, position)
      select workspace_id, left(id, -4) || 'zzzz', event, inbox_id, thread_id, message_id, extra, created_at,
        nextval('event_positions') from events where id = $1`,
    [event?.id],
  );
  expect((await client.received(2))[1]?.id).toMatch(/zzzz$/);
  await server.rows('update api_keys set revoked_at = $1 where id = $2', [new Date(), owner.keyId]);
  expect((await client.ended).code).toBe(4001);
});

test('Interface 5 GET /realtime: a peer that answers no ping is cut, and one that does stays', async () => {
  const owner = await server.workspace();
  const [silent, lively] = [await open(owner), await open(owner)];
  (silent.socket as unknown as { _autoPong: boolean })._autoPong = false;
  let pings = 0;
  lively.socket.on('ping', () => (pings += 1));
  expect((await silent.ended).code).toBe(1006);
  await eventually('pings', async () => pings >= 2);
  await receive(owner);
  await lively.received(1);
  await lively.close();
});

test('Interface 5 GET /realtime: a handshake counts as a request of the plan, and one too many is a 429', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const attempts = await Promise.allSettled(Array.from({ length: 200 }, () => open(owner)));
  const opened = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  expect(opened.length).toBeGreaterThanOrEqual(50);
  const refused = attempts.find(
    (attempt) => attempt.status === 'rejected' && attempt.reason.refused?.status === 429,
  );
  const refusal = refused?.status === 'rejected' ? Promise.reject(refused.reason) : open(owner);
  const { status, headers, body } = await refusalOfRealtime(refusal);
  expect([status, body.error, body.reason]).toEqual([429, 'rate_limited', 'requests']);
  expect(Number(headers['retry-after'])).toBe(body.retry_after_seconds);
  for (const client of opened) client.socket.terminate();
});

test('Interface 7: a workspace has 100 sockets at a time, exactly; one more is 409 limit_reached, and one that closes makes room', async () => {
  const owner = await server.workspace();
  const attempts = await Promise.allSettled(Array.from({ length: 110 }, () => open(owner)));
  const opened = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  expect(opened).toHaveLength(limits.socketsPerWorkspaceMax);
  const { status, body } = await refusalOfRealtime(open(owner));
  expect([status, body.error, body.limit]).toEqual([409, 'limit_reached', limits.socketsPerWorkspaceMax]);
  expect(body.message).toContain('Close one first');
  await (await open(server)).close();
  await receive(owner);
  for (const client of opened) await client.received(1);
  await opened[0]?.close();
  await eventually('a place', async () => (await open(owner).catch(() => null)) ?? false);
  for (const client of opened) client.socket.terminate();
});

test('Interface 5 GET /realtime: nothing is read from a client: data closes the socket with 1008, much of it with 1009, and a ping is answered', async () => {
  const [small, large, pinging] = [await open(server), await open(server), await open(server)];
  small.socket.send('hello');
  large.socket.send('x'.repeat(2_000));
  expect((await small.ended).code).toBe(1008);
  expect((await large.ended).code).toBe(1009);
  const pong = new Promise((resolve) => void pinging.socket.once('pong', resolve));
  pinging.socket.ping();
  await pong;
  await pinging.close();
});

test('Interface 5 4010: after an event that is older than what is kept, GET /events is 410 with the oldest, and a socket is closed with 4010', async () => {
  const owner = await server.workspace();
  await receive(owner);
  const [old] = (await owner.client.events.list({ wait_seconds: 60 })).events;
  const after = old?.id ?? '';
  clock.advance(limits.eventsKeptMs / timeScale + 60_000);
  await removeExpired(server.server.deps).run({});
  const list = () => Promise.resolve(owner.client.events.list({ after }));
  await catchApiError(list(), 'cursor_expired', { oldest: null });
  await receive(owner);
  const [oldest] = (await owner.client.events.list({ wait_seconds: 60 })).events;
  await catchApiError(list(), 'cursor_expired', { oldest: oldest?.id });
  await expect(open(owner, { after })).rejects.toThrow('The socket was closed: 4010');
  await (await open(owner, { after: oldest?.id ?? '' })).close();
});

test('Interface 10: a server that stops closes its sockets with 1001, also those that do not answer, and takes no new ones', async () => {
  const owner = await server.workspace();
  const clients = await Promise.all(Array.from({ length: 5 }, () => open(owner)));
  const mute = await open(owner);
  mute.socket.pause();
  stopped = true;
  await Promise.all([server.stop(), ...clients.map((client) => client.ended)]);
  expect((await Promise.all(clients.map((client) => client.ended))).map(({ code }) => code)).toEqual(
    Array(5).fill(1001),
  );
  mute.socket.resume();
  expect([1001, 1006]).toContain((await mute.ended).code);
});
