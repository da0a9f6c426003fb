import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { openRealtime, refusalOfRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import { openEventStream, refusalOfStream } from '@postrider/testkit/servers/stream-client.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeExpired } from '../../../src/jobs/remove-expired.ts';

/** So much faster, a comment comes every 0.6 s, an id alone every 2.4 s, and a client that takes nothing is cut after 0.6 s. */
const timeScale = 25;
const clock = createMovingClock();
let server: TestServer;
let stopped = false;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_TIME_SCALE: String(timeScale) } });
});
afterAll(async () => {
  if (!stopped) await server.stop();
});

const open = (owner: TestWorkspace, query: Record<string, string> = {}) =>
  openEventStream(server.url, owner.key, { query });
const mail = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject, text: subject });

test('Interface 18 GET /events stream: a comment comes now and then, and an id alone while a filter hides everything', async () => {
  const owner = await server.workspace();
  const [inbox, other] = [await server.inbox(owner), await server.inbox(owner)];
  const stream = await open(owner, { inbox_id: inbox.id });
  await eventually('comments', async () => stream.blocks.filter((block) => '' in block).length >= 3);
  expect(stream.lastId()).toBeNull();
  await mail(other.address, 'hidden');
  await eventually('an id', async () => stream.lastId() !== null);
  expect(stream.events()).toEqual([]);
  const [hidden] = (await owner.client.events.list()).events;
  expect(stream.blocks.filter(({ id }) => id !== undefined)).toEqual([{ id: hidden?.id }]);
  stream.close();
  const resumed = await openEventStream(server.url, owner.key, {
    headers: { 'last-event-id': hidden?.id ?? '' },
  });
  await mail(inbox.address, 'shown');
  expect((await resumed.received(1))[0]?.message?.subject).toBe('shown');
  resumed.close();
});

test('Interface 18 GET /events stream: a client that takes nothing is ended with 4008 or cut, and goes on where it was', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const slow = await open(owner);
  const whole = await open(owner);
  slow.response.pause();
  const body = 'x'.repeat(limits.listedBodyBytesMax);
  const { id } = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: ['x@remote.example'],
    subject: 'large',
    text: body,
    html: body,
  });
  const count = 300;
  await server.rows(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
      select workspace_id, left(id, -4) || lpad(n::text, 4, '0'), event, inbox_id, thread_id, message_id, extra, created_at
      from events, generate_series(1, $2::int) n where message_id = $1`,
    [id, count],
  );
  await whole.received(count / 2);
  await pause(1_500);
  slow.response.resume();
  expect([4008, null]).toContain(await slow.ended);
  const ids = slow.events().map((event) => event.id);
  expect(ids.length).toBeLessThan(count);
  const resumed = await openEventStream(server.url, owner.key, {
    headers: { 'last-event-id': ids.at(-1) ?? '' },
    query: { after: whole.events()[0]?.id ?? '' },
  });
  await whole.received(count + 1);
  const rest = await resumed.received(count + 1 - Math.max(ids.length, 1));
  const all = whole.events().map((event) => event.id);
  expect([...(ids.length > 0 ? ids : all.slice(0, 1)), ...rest.map((event) => event.id)]).toEqual(all);
  for (const stream of [whole, resumed]) stream.close();
});

test('Interface 7, Interface 18 GET /events stream: a stream takes one of the 100 places of sockets, and gives it back', async () => {
  const owner = await server.workspace();
  const sockets = await Promise.all(Array.from({ length: 50 }, () => openRealtime(server.url, owner.key)));
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(owner)));
  const refused = await refusalOfStream(open(owner));
  expect([refused.status, refused.body.error, refused.body.limit]).toEqual([
    409,
    'limit_reached',
    limits.socketsPerWorkspaceMax,
  ]);
  expect((await refusalOfRealtime(openRealtime(server.url, owner.key))).status).toBe(409);
  streams[0]?.close();
  const last = await eventually('a place', async () => (await open(owner).catch(() => null)) ?? false);
  for (const stream of [...streams, last]) stream.close();
  for (const { socket } of sockets) socket.terminate();
});

test('Interface 5 4010, Interface 18 GET /events stream: after an event that is older than what is kept, it ends with 4010', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  await mail(inbox.address, 'old');
  const [old] = (await owner.client.events.list({ wait_seconds: 60 })).events;
  clock.advance(limits.eventsKeptMs / timeScale + 60_000);
  await removeExpired(server.server.deps).run({});
  const stream = await openEventStream(server.url, owner.key, {
    headers: { 'last-event-id': old?.id ?? '' },
  });
  expect(await stream.ended).toBe(4010);
  expect(stream.blocks).toEqual([{ event: 'end', data: '{"code":4010}' }]);
});

test('Interface 10, Interface 18 GET /events stream: a server that stops ends its streams, also those that take nothing', async () => {
  const owner = await server.workspace();
  const stream = await open(owner);
  const mute = await open(owner);
  mute.response.pause();
  stopped = true;
  await Promise.all([server.stop(), stream.ended]);
  expect(await stream.ended).toBeNull();
  mute.response.resume();
  expect(await mute.ended).toBeNull();
});
