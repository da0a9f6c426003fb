import { realtimeErrorCodes } from '@postrider/contract';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  openEventStream,
  refusalOfStream,
  type StreamRequest,
} from '@postrider/testkit/servers/stream-client.ts';
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

const open = (request?: StreamRequest, owner: Pick<TestWorkspace, 'key'> = server) =>
  openEventStream(server.url, owner.key, request);
const refusal = (request?: StreamRequest, key: string | null = server.key) =>
  refusalOfStream(openEventStream(server.url, key, request));
const mail = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject, text: subject });
const subjects = (events: { message: { subject: string } | null }[]) =>
  events.map((event) => event.message?.subject);

test('Interface 18 GET /events stream: each event has its id, its kind and the row as GET /events has it, and the stream begins with new ones', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  await mail(inbox.address, 'before');
  await eventually('an event', async () => (await owner.client.events.list()).events.length === 1);
  const stream = await open({}, owner);
  const { headers, statusCode } = stream.response;
  expect([statusCode, headers['cache-control'], headers['x-accel-buffering']]).toEqual([
    200,
    'no-store',
    'no',
  ]);
  expect(headers['x-request-id']).toMatch(/^req_/);
  await mail(inbox.address, 'hello\nworld');
  const [event] = await stream.received(1);
  const [before, row] = (await owner.client.events.list()).events;
  const { attachments: _, ...message } = row?.message ?? expect.fail('no event');
  expect(event).toMatchObject({ ...row, message });
  expect(stream.blocks.filter(({ data }) => data !== undefined)).toMatchObject([
    { id: event?.id, event: 'message.received' },
  ]);
  expect(stream.blocks.find(({ id }) => id !== undefined)).toEqual({ id: before?.id });
  stream.close();
});

test('Interface 18 GET /events stream: only a request whose Accept names the type gets one, and a HEAD does not', async () => {
  const list = (accept: string, method = 'GET') =>
    server.request('/v1/events', { method, headers: { accept } });
  for (const accept of ['*/*', 'application/json', 'text/*', 'text/event-stream;q=0', ''])
    expect((await list(accept)).headers.get('content-type')).toMatch(/^application\/json/);
  expect((await list('text/event-stream', 'HEAD')).headers.get('content-type')).toMatch(/^application\/json/);
  for (const accept of ['text/event-stream', 'application/json, Text/Event-Stream;q=0.5'])
    (await open({ headers: { accept } })).close();
});

test('Interface 18 GET /events stream: Last-Event-ID or after resume it without gap or repeat, and the header counts first', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const first = await open({}, owner);
  for (const subject of ['one', 'two', 'three']) await mail(inbox.address, subject);
  const [one, two] = await first.received(3);
  first.close();
  await mail(inbox.address, 'four');
  const after = one?.id ?? '';
  const byQuery = await open({ query: { after } }, owner);
  expect(subjects(await byQuery.received(3))).toEqual(['two', 'three', 'four']);
  const byHeader = await open(
    { query: { after, limit: '1', wait_seconds: '5' }, headers: { 'last-event-id': two?.id ?? '' } },
    owner,
  );
  expect(subjects(await byHeader.received(2))).toEqual(['three', 'four']);
  await mail(inbox.address, 'five');
  expect(subjects(await byHeader.received(3))).toEqual(['three', 'four', 'five']);
  expect(subjects(await byQuery.received(4))).toEqual(['two', 'three', 'four', 'five']);
  for (const stream of [byQuery, byHeader]) stream.close();
});

test('Interface 18 GET /events stream: streams that drop and resume at any event, while mail comes in, have each event once and in order', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const mails = 45;
  const whole = await open({}, owner);
  await mail(inbox.address, 'the first');
  const [first] = await whole.received(1);
  const follow = async (stay: number) => {
    const ids = [first?.id ?? ''];
    while (ids.length < mails) {
      const stream = await open({ headers: { 'last-event-id': ids.at(-1) ?? '' } }, owner);
      await eventually(
        'a few events',
        async () => stream.events().length >= Math.min(stay, mails - ids.length),
        {
          pauseMs: 2,
        },
      );
      stream.close();
      ids.push(...stream.events().map(({ id }) => id));
    }
    return ids;
  };
  const write = async () => {
    for (let number = 1; number < mails; number += 1) await mail(inbox.address, `mail ${number}`);
  };
  const [, ...seen] = await Promise.all([write(), follow(3), follow(8)]);
  const ids = (await whole.received(mails)).map(({ id }) => id);
  for (const each of seen) expect(each).toEqual(ids);
  whole.close();
});

test('Interface 18 GET /events stream: events and inbox_id choose what is sent', async () => {
  const owner = await server.workspace();
  const [inbox, other] = [await server.inbox(owner), await server.inbox(owner)];
  const ofInbox = await open({ query: { inbox_id: inbox.id, events: 'message.received' } }, owner);
  await mail(other.address, 'elsewhere');
  await mail(inbox.address, 'here');
  await owner.client.messages.send({ inbox_id: inbox.id, to: ['x@remote.example'], subject: 'out' });
  await mail(inbox.address, 'here too');
  expect(subjects(await ofInbox.received(2))).toEqual(['here', 'here too']);
  ofInbox.close();
});

test('Interface 18 GET /events stream: what is refused before the first byte is JSON, with an error of the catalogue', async () => {
  const foreign = await server.inbox(await server.workspace());
  const answers = await Promise.all([
    refusal({}, null),
    refusal({}, `${server.key}x`),
    refusal({ query: { inbox_id: foreign.id } }),
    refusal({ query: { events: 'message.read' } }),
    refusal({ query: { cursor: 'x' } }),
    refusal({ query: { limit: '1000' } }),
    refusal({ query: { after: unknownId('message') } }),
    refusal({ headers: { 'last-event-id': 'evt_x' } }),
  ]);
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [401, 'invalid_token'],
    [401, 'invalid_token'],
    [404, 'not_found'],
    ...Array.from({ length: 5 }, () => [400, 'invalid_request']),
  ]);
  for (const { headers, body } of answers) {
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body.request_id).toBe(headers['x-request-id']);
    expect(realtimeErrorCodes).toContain(body.error);
  }
  expect(answers.at(-1)?.body.issues).toMatchObject([{ path: 'last-event-id' }]);
});

test('Interface 18 GET /events stream: revoking a key ends its streams at once with 4001, and no others', async () => {
  const { deps } = server.server;
  const { id, key } = await createKey(deps, server.name, 'short-lived');
  const doomed = await Promise.all(Array.from({ length: 3 }, () => open({}, { key })));
  const other = await open();
  await revokeKey(deps, id);
  expect(await Promise.all(doomed.map(({ ended }) => ended))).toEqual([4001, 4001, 4001]);
  expect((await refusal({}, key)).status).toBe(401);
  const inbox = await server.inbox();
  await mail(inbox.address, 'still open');
  await eventually('the event', async () => subjects(other.events()).includes('still open'));
  other.close();
});

test('Interface 11 Keys, Interface 18 GET /events stream: a key for one inbox gets neither events nor ids of another', async () => {
  const { deps } = server.server;
  const owner = await server.workspace();
  const [own, foreign] = [await server.inbox(owner), await server.inbox(owner)];
  await mail(foreign.address, 'not for it');
  await eventually('an event', async () => (await owner.client.events.list()).events.length === 1);
  const limited = await createKey(deps, owner.name, 'limited', null, { inboxIds: [own.id] });
  const stream = await open({}, limited);
  await mail(foreign.address, 'nor this');
  await mail(own.address, 'for it');
  await stream.received(1);
  const { events } = await owner.client.events.list({ inbox_id: own.id });
  expect(stream.events().map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(stream.blocks.filter(({ id }) => id !== undefined)).toHaveLength(1);
  stream.close();
});
