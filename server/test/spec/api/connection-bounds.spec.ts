/* The cost of one connection: its requests are served one after the other, and it ends when it does nothing or does not read. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { openRaw, type RawConnection, sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { openEventStream } from '@postrider/testkit/servers/stream-client.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';
import { connectionLimits } from '../../../src/http/connections/connection-room.ts';
import { revokeKey } from '../../../src/keys/manage-keys.ts';

const usual = { ...connectionLimits };
let server: TestServer;
const opened: RawConnection[] = [];

beforeAll(async () => {
  Object.assign(connectionLimits, { lookEveryMs: 100, connectionsMax: 20 });
  server = await startTestServer();
  Object.assign(connectionLimits, { ...usual, connectionsMax: 20 });
});
afterEach(async () => {
  for (const connection of opened.splice(0)) connection.destroy();
  Object.assign(connectionLimits, { ...usual, connectionsMax: 20 });
  // They take places until the server has heard of it, which it has before it hears of a request that comes after.
  await waiting(0);
  await sayHttp(server.url, 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
});
afterAll(async () => {
  Object.assign(connectionLimits, usual);
  await server.stop();
});

const open = async () => {
  const connection = await openRaw(server.url);
  opened.push(connection);
  return connection;
};
const get = (path: string, ...more: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.key}`, ...more, '', ''].join('\r\n');
const waiting = (count: number) =>
  eventually(
    `${count} requests to wait`,
    async () => waitingRequests(server.server.deps).countOf(server.id) === count,
  );
const count = (text: string, part: string) => text.split(part).length - 1;
const deliver = (to: string) =>
  sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject: 'the end', text: 'x' });
const isOpen = (connection: RawConnection, forMs: number) =>
  Promise.race([connection.ended.then(() => false), pause(forMs, true)]);

test('Conventions 4: two Host headers are an invalid request, also where they say the same', async () => {
  for (const hosts of [
    ['a', 'b'],
    ['x', 'x'],
  ]) {
    const head = [
      'GET /livez HTTP/1.1',
      ...hosts.map((host) => `hOsT: ${host}`),
      'Connection: close',
      '',
      '',
    ];
    const { status, body } = await sayHttp(server.url, head.join('\r\n'));
    expect([status, (JSON.parse(body) as { error: string }).error]).toEqual([400, 'invalid_request']);
    expect(body).toContain('has more than one Host header');
  }
});

test('a client that sends line ends and no request is let go, before its first request and after it', async () => {
  const [first, second] = [await open(), await open()];
  second.write(get('/v1/inboxes'));
  await second.until('"inboxes"');
  Object.assign(connectionLimits, { idleMs: 500 });
  const drip = setInterval(() => {
    for (const connection of [first, second]) connection.write('\r\n');
  }, 100);
  await Promise.all([first.ended, second.ended]);
  clearInterval(drip);
});

test('requests that come together on one connection are answered in their order, bodies and all', async () => {
  const connection = await open();
  const names = Array.from({ length: 5 }, () => server.freshName());
  const made = names.map((name) => {
    const body = JSON.stringify({ local_part: name });
    return `${get('/v1/inboxes', 'Content-Type: application/json', `Content-Length: ${body.length}`).replace('GET', 'POST')}${body}`;
  });
  connection.write(made.join('') + get('/livez') + get('/v1/inboxes/none'));
  await connection.until('not_found');
  const text = connection.received();
  expect([count(text, 'HTTP/1.1 201'), count(text, 'HTTP/1.1 200'), count(text, 'HTTP/1.1 404')]).toEqual([
    5, 1, 1,
  ]);
  expect(names.map((name) => text.indexOf(name))).toEqual(
    names.map((name) => text.indexOf(name)).sort((a, b) => a - b),
  );
  connection.write(get('/readyz'));
  await connection.until('"ready"');
});

test('a connection that is more than 32 requests ahead of its answers is ended', async () => {
  const within = await open();
  within.write(get('/livez').repeat(connectionLimits.pipelinedMax + 1));
  await eventually('33 answers', async () => count(within.received(), 'HTTP/1.1 200') === 33);
  const ahead = await open();
  ahead.write(get('/livez').repeat(1_000));
  const { stackTraceLimit } = Error;
  await ahead.ended;
  expect(count(ahead.received(), 'HTTP/1.1')).toBeLessThan(33);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test('a client that was more than 32 requests ahead gets no other connection for a moment', async () => {
  Object.assign(connectionLimits, { loopbackExempt: false, perClientPart: 1, shunnedMs: 3_600_000 });
  const [ahead, again] = [await open(), await open()];
  ahead.write(get('/livez').repeat(1_000));
  await ahead.ended;
  await (await open()).ended;
  // The moment begins again, and is short this time.
  connectionLimits.shunnedMs = 500;
  again.write(get('/livez').repeat(1_000));
  await again.ended;
  await eventually('a connection that is answered', async () => {
    const later = await open();
    later.write(get('/livez'));
    return Promise.race([later.until('HTTP/1.1 200').then(() => true), later.ended.then(() => false)]);
  });
});

test('a client that hears 400 for a broken request and never closes is let go', async () => {
  const connection = await open();
  connection.write('no http at all\r\n\r\n');
  await connection.until('is not HTTP');
  expect(connection.received()).toMatch(/^HTTP\/1\.1 400 /);
  // This side stays open, so that only a server that cuts it makes writing fail.
  const drip = setInterval(() => connection.write('x'), 50);
  await connection.ended;
  clearInterval(drip);
});

test('when all places are taken, whoever is silent longest makes room, and who is being answered does not', async () => {
  const inbox = await server.inbox();
  const answered = await open();
  answered.write(get(`/v1/messages?inbox_id=${inbox.id}&wait_seconds=60`));
  await waiting(1);
  const silent: RawConnection[] = [];
  for (let i = 0; i < 30; i += 1) silent.push(await open());
  const asked = await open();
  asked.write(get('/livez'));
  await asked.until('"ok"');
  await Promise.all(silent.slice(0, 10).map((connection) => connection.ended));
  const areOpen = await Promise.all(silent.slice(-10).map((connection) => isOpen(connection, 200)));
  expect(areOpen).toEqual(Array(10).fill(true));
  await deliver(inbox.address);
  await answered.until('"subject":"the end"');
});

test('when all places are taken by who is being answered, the next one is refused', async () => {
  const inbox = await server.inbox();
  const all: RawConnection[] = [];
  for (let i = 0; i < 20; i += 1) {
    const connection = await open();
    connection.write(get(`/v1/messages?inbox_id=${inbox.id}&wait_seconds=60`));
    all.push(connection);
    // One that has not asked yet would make room for the next.
    await waiting(i + 1);
  }
  const refused = await open();
  refused.write(get('/livez'));
  await refused.ended;
  expect(refused.received()).toBe('');
  await deliver(inbox.address);
  await Promise.all(all.map((connection) => connection.until('"messages":')));
  const next = await open();
  next.write(get('/livez'));
  await next.until('"ok"');
});

test('what remains of a request that was answered already has its time, and then the connection ends', async () => {
  connectionLimits.restMs = 3_600_000;
  const connection = await open();
  connection.write('POST /v1/inboxes HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx');
  await connection.until('invalid_token');
  expect(await isOpen(connection, 300)).toBe(true);
  connectionLimits.restMs = 300;
  await connection.ended;
});

test('who takes nothing of an answer is ended, who takes it slowly is not, and who waits is not either', async () => {
  connectionLimits.unreadMs = 3_000;
  const inbox = await server.inbox();
  const text = 'x'.repeat(limits.bodyTextBytesMax);
  const to = ['ada@remote.example'];
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to,
    subject: 's',
    text,
    html: 'x'.repeat(1_048_576),
  });
  const read = get(`/v1/messages/${id}`);
  const [deaf, slow, waits] = await Promise.all([open(), open(), open()]);
  for (const connection of [deaf, slow]) {
    connection.pause();
    connection.write(read);
  }
  waits.write(get('/v1/events?after=latest&wait_seconds=60'));
  for (let i = 0; i < 16; i += 1) {
    slow.resume();
    await pause(20);
    slow.pause();
    await pause(250);
  }
  slow.resume();
  await slow.until('"created_at"', 300_000);
  // It reads nothing until it was cut, however late its answer came: only then does writing fail.
  const drip = setInterval(() => deaf.write('\r\n'), 100);
  await deaf.ended;
  clearInterval(drip);
  expect(deaf.received().length).toBeLessThan(text.length);
  expect(await isOpen(waits, 10)).toBe(true);
});

test('a stream of events that has ended is not kept for a client that takes nothing of it', async () => {
  const { deps } = server.server;
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const whole = await openEventStream(server.url, owner.key);
  const deaf = await openEventStream(server.url, owner.key);
  deaf.response.pause();
  const body = 'x'.repeat(limits.listedBodyBytesMax);
  const to = ['ada@remote.example'];
  const { id } = await owner.client.messages.send({
    inbox_id: inbox.id,
    to,
    subject: 's',
    text: body,
    html: body,
  });
  await server.rows(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
      select workspace_id, left(id, -4) || lpad(n::text, 4, '0'), event, inbox_id, thread_id, message_id, extra, created_at
      from events, generate_series(1, 300) n where message_id = $1`,
    [id],
  );
  await whole.received(150);
  await revokeKey(deps, owner.keyId);
  expect(await whole.ended).toBe(4001);
  const held = (count: number) =>
    eventually(`${count} streams`, async () => (await deps.metrics.sockets.get()).values[0]?.value === count);
  await held(1);
  connectionLimits.unreadMs = 500;
  await held(0);
  deaf.close();
});

test('Interface 2 Errors rate_limited: a workspace with too much unread is asked to read first, and others are not', async () => {
  const { unreadBytesPerWorkspaceMax } = limits;
  Object.assign(limits, { unreadBytesPerWorkspaceMax: 2 * 1_048_576 });
  try {
    const inbox = await server.inbox();
    const text = 'x'.repeat(limits.bodyTextBytesMax);
    const to = ['ada@remote.example'];
    const { id } = await server.client.messages.send({ inbox_id: inbox.id, to, subject: 's', text });
    const deaf = [await open()];
    for (const connection of deaf) {
      connection.pause();
      connection.write(get(`/v1/messages/${id}`));
    }
    const refused = await eventually('a refusal', async () => {
      const answer = await server.request('/v1/inboxes');
      return answer.status === 429 && answer;
    });
    expect([refused.status, refused.body.error, refused.body.reason]).toEqual([
      429,
      'rate_limited',
      'requests',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await server.workspace();
    expect((await server.request('/v1/inboxes', { key: other.key })).status).toBe(200);
    for (const connection of deaf) connection.resume();
    await Promise.all(deaf.map((connection) => connection.until('"created_at"')));
    expect((await server.request('/v1/inboxes')).status).toBe(200);
  } finally {
    Object.assign(limits, { unreadBytesPerWorkspaceMax });
  }
});

test('a client without a key that asks for nothing after a large response is let go soon, whether or not it has read that', async () => {
  Object.assign(connectionLimits, { unreadMs: 300, loopbackExempt: false });
  const stranger = await open();
  stranger.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n');
  const known = await open();
  known.write(get('/v1/inboxes'));
  await stranger.ended;
  expect(await isOpen(known, 500)).toBe(true);
});

test('a full server lets go a client without a key first, even if one with a key has been idle for longer', async () => {
  const known = await open();
  known.write(get('/v1/inboxes'));
  await known.until('200 OK');
  const strangers: RawConnection[] = [];
  for (let count = 0; count < 19; count++) {
    const stranger = await open();
    stranger.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await stranger.until('200 OK');
    strangers.push(stranger);
  }
  const last = await open();
  last.write(get('/v1/inboxes'));
  await last.until('200 OK');
  await strangers[0]?.ended;
  expect(await isOpen(known, 100)).toBe(true);
});
