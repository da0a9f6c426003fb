import { errors, realtimeErrorCodes } from '@postrider/contract';
import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import {
  openRealtime,
  type RealtimeRequest,
  refusalOfRealtime,
} from '@postrider/testkit/servers/realtime-client.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { unknownId } from '@postrider/testkit/servers/workspace-things.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const open = (request?: RealtimeRequest, owner: TestWorkspace = server) =>
  openRealtime(server.url, owner.key, request);
const refusal = (request?: RealtimeRequest, key: string | null = server.key) =>
  refusalOfRealtime(openRealtime(server.url, key, request));
const mail = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject, text: subject });
const subjects = (events: { message: { subject: string } | null }[]) =>
  events.map((event) => event.message?.subject);
const logOf = async (owner: TestWorkspace) => {
  const ids: string[] = [];
  for await (const { id } of owner.client.events.list({ limit: 100 })) ids.push(id);
  return ids;
};

test('Events 6, Interface 5 GET /realtime: the first frame names the workspace and the cursor, and each event is a text frame as GET /events has it', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const first = await open({}, owner);
  expect(first.connected).toEqual({ workspace_id: owner.id, cursor: null });
  await mail(inbox.address, 'hello');
  const [event] = await first.received(1);
  const { events } = await owner.client.events.list();
  const { attachments: _, ...message } = events[0]?.message ?? expect.fail('no event');
  expect(event).toMatchObject({ ...events[0], message });
  const second = await open({}, owner);
  expect(second.connected.cursor).toBe(event?.id);
  await mail(inbox.address, 'again');
  expect(subjects(await second.received(1))).toEqual(['again']);
  expect(subjects(await first.received(2))).toEqual(['hello', 'again']);
  await Promise.all([first.close(), second.close()]);
});

test('Interface 5 GET /realtime: takes the key as a subprotocol and selects postrider.v1, and never names the key', async () => {
  const protocols = ['postrider.v1', `bearer.${server.key}`];
  const client = await openRealtime(server.url, null, { protocols });
  expect(client.socket.protocol).toBe('postrider.v1');
  expect(client.connected.workspace_id).toBe(server.id);
  await client.close();
  const wrong = await refusal({ protocols: ['postrider.v1', `bearer.${server.key}x`] }, null);
  expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_token']);
  const alone = await refusal({ protocols: [`bearer.${server.key}`] }, null);
  expect(alone.body).toMatchObject({
    error: 'invalid_request',
    issues: [{ path: 'sec-websocket-protocol' }],
  });
});

test('Interface 5 GET /realtime: what is refused is answered before the upgrade, with an error of the catalogue and a request id', async () => {
  const foreign = await server.inbox(await server.workspace());
  const answers = await Promise.all([
    refusal({}, null),
    refusal({ query: { inbox_id: foreign.id } }),
    refusal({ query: { inbox_id: unknownId('inbox') } }),
    refusal({ query: { events: 'message.read' } }),
    refusal({ query: { cursor: 'x' } }),
    refusal({ query: { after: unknownId('message') } }),
    refusal({ query: { after: 'evt_x' } }),
  ]);
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [401, 'invalid_token'],
    [404, 'not_found'],
    [404, 'not_found'],
    ...Array.from({ length: 4 }, () => [400, 'invalid_request']),
  ]);
  for (const { status, headers, body } of answers) {
    expect(body.request_id).toBe(headers['x-request-id']);
    expect(realtimeErrorCodes).toContain(body.error);
    expect(errors[body.error as (typeof realtimeErrorCodes)[number]].status).toBe(status);
  }
  expect(server.url && (await refusal({ query: { after: '' } })).body.issues).toMatchObject([
    { path: 'after' },
  ]);
});

test('Interface 5 GET /realtime: a request without an upgrade is a 400 that says so, and other methods are a 405', async () => {
  const plain = await server.request('/v1/realtime');
  expect([plain.status, plain.body.error]).toEqual([400, 'invalid_request']);
  expect(JSON.stringify(plain.body.issues)).toContain('Upgrade: websocket');
  const posted = await server.request('/v1/realtime', { method: 'POST', body: {} });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await server.request('/v1/realtime', { key: null })).status).toBe(401);
});

const say = (firstLine: string, headers: string[], body = '') =>
  sayHttp(
    server.url,
    [firstLine, 'Host: x', `Authorization: Bearer ${server.key}`, ...headers, '', body].join('\r\n'),
  );
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
const realtimeLine = 'GET /v1/realtime HTTP/1.1';

test('Interface 5 GET /realtime: a handshake that is none is a 400 with a body, and so is one behind a request that is not answered', async () => {
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  const handshakes = [
    [...upgrade, 'Sec-WebSocket-Version: 13'],
    [...upgrade, 'Sec-WebSocket-Version: 12', key],
    [...upgrade, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'],
    [...upgrade, 'Sec-WebSocket-Version: 13', key, 'Sec-WebSocket-Protocol: postrider.v1, postrider.v1'],
  ];
  for (const headers of handshakes) {
    const { status, body } = await say(realtimeLine, headers);
    expect([status, JSON.parse(body).error]).toEqual([400, 'invalid_request']);
  }
  const good = [...upgrade, 'Sec-WebSocket-Version: 13', key].join('\r\n');
  const authorization = `Authorization: Bearer ${server.key}`;
  const pipelined = await sayHttp(
    server.url,
    `GET /v1/inboxes HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n${realtimeLine}\r\nHost: x\r\n${authorization}\r\n${good}\r\n\r\n`,
  );
  expect(pipelined.status).not.toBe(101);
  expect((await say(realtimeLine, [...upgrade, 'Sec-WebSocket-Version: 13', key])).headers).toMatch(
    /^HTTP\/1.1 101 [\s\S]*x-request-id: req_/,
  );
});

test('Interface 2: an upgrade to anything else is passed over, and the request is answered as without it', async () => {
  const body = JSON.stringify({ local_part: server.freshName() });
  const length = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const toHttp2 = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
  expect((await say('POST /v1/inboxes HTTP/1.1', [...toHttp2, ...length], body)).status).toBe(201);
  expect((await say(realtimeLine, toHttp2)).status).toBe(400);
  expect((await say('GET /v1/inboxes HTTP/1.1', upgrade)).status).toBe(200);
  expect((await say('POST /v1/realtime HTTP/1.1', [...upgrade, ...length], body)).status).toBe(405);
});

test('Interface 5 GET /realtime: events and inbox_id choose what is sent, also after an event that they leave out', async () => {
  const owner = await server.workspace();
  const [inbox, other] = [await server.inbox(owner), await server.inbox(owner)];
  const start = await open({}, owner);
  const ofInbox = await open({ query: { inbox_id: inbox.id } }, owner);
  const ofKind = await open({ query: { events: 'message.sent' } }, owner);
  await mail(other.address, 'elsewhere');
  await mail(inbox.address, 'here');
  await owner.client.messages.send({ inbox_id: inbox.id, to: ['x@remote.example'], subject: 'out' });
  const all = await start.received(3);
  expect(subjects(await ofInbox.received(2))).toEqual(['here', 'out']);
  expect(subjects(await ofKind.received(1))).toEqual(['out']);
  const after = all[0]?.id ?? '';
  const resumed = await open({ query: { inbox_id: inbox.id, events: 'message.received', after } }, owner);
  expect(resumed.connected.cursor).toBe(after);
  expect(subjects(await resumed.received(1))).toEqual(['here']);
  await mail(inbox.address, 'last');
  expect(subjects(await resumed.received(2))).toEqual(['here', 'last']);
  expect(subjects(await ofInbox.received(3))).toEqual(['here', 'out', 'last']);
  expect(ofKind.events).toHaveLength(1);
  await Promise.all([start, ofInbox, ofKind, resumed].map((client) => client.close()));
});

test('Interface 5 GET /realtime: sockets that drop and resume at any event, while mail comes in, have each event once and in order', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const mails = 90;
  const seen: string[][] = [[], [], [], []];
  let writing = true;
  const follow = async (ids: string[], stay: number) => {
    while (writing || ids.length < mails) {
      const after = ids.at(-1);
      const client = await open(after === undefined ? {} : { query: { after } }, owner);
      const before = ids.length;
      if (after !== undefined) expect(client.connected.cursor).toBe(after);
      await eventually('a few events', async () => client.events.length >= Math.min(stay, mails - before), {
        pauseMs: 2,
      });
      client.socket.terminate();
      ids.push(...client.events.map(({ id }) => id));
    }
  };
  const fromStart = await open({}, owner);
  await mail(inbox.address, 'the first');
  const [first] = await fromStart.received(1);
  for (const ids of seen) ids.push(first?.id ?? '');
  const followers = seen.map((ids, index) => follow(ids, 3 + 5 * index));
  const write = async (from: number) => {
    for (let number = from; number < mails; number += 3) await mail(inbox.address, `mail ${number}`);
  };
  await Promise.all([write(1), write(2), write(3)]);
  writing = false;
  await Promise.all(followers);
  await server.filed();
  const log = await logOf(owner);
  expect(log).toHaveLength(mails);
  for (const ids of seen) expect(ids).toEqual(log);
  expect((await fromStart.received(mails)).map(({ id }) => id)).toEqual(log);
  await fromStart.close();
});

test('Interface 5 GET /realtime: an event whose inbox was deleted is sent with message null', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  await mail(inbox.address, 'gone');
  await server.filed();
  await owner.client.inboxes.delete(inbox.id);
  const probe = await server.inbox(owner);
  const live = await open({}, owner);
  await mail(probe.address, 'after it');
  await live.received(1);
  const [gone] = (await owner.client.events.list({ limit: 1 })).events;
  expect(gone?.message).toBeNull();
  const resumed = await open({ query: { after: gone?.id ?? '' } }, owner);
  expect(subjects(await resumed.received(1))).toEqual(['after it']);
  await Promise.all([live.close(), resumed.close()]);
});

test('Interface 5 GET /realtime: revoking a key closes its sockets at once with 4001, and no others', async () => {
  const { deps } = server.server;
  const { id, key } = await createKey(deps, server.name, 'short-lived');
  const doomed = await Promise.all(Array.from({ length: 5 }, () => openRealtime(server.url, key)));
  const other = await open();
  await revokeKey(deps, id);
  expect((await Promise.all(doomed.map((client) => client.ended))).map(({ code }) => code)).toEqual(
    Array(5).fill(4001),
  );
  expect((await refusal({}, key)).status).toBe(401);
  const { subject } = await receiveMessage(server);
  expect(subjects(await other.received(1))).toEqual([subject]);
  await other.close();
});

test('Interface 5 GET /realtime: a key that is revoked during the handshake leaves no socket open', async () => {
  const { deps } = server.server;
  for (let round = 0; round < 10; round++) {
    const { id, key } = await createKey(deps, server.name, `round ${round}`);
    const opening = openRealtime(server.url, key);
    await Promise.all([revokeKey(deps, id), opening.catch(() => null)]);
    const client = await opening.catch(() => null);
    if (client) expect((await client.ended).code).toBe(4001);
  }
});
