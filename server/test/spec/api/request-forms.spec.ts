import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeInbox } from '../../../src/inboxes/purge-inbox.ts';

let server: TestServer;

beforeAll(async () => {
  // Without the role of a worker a deleted inbox is removed when the test says so.
  server = await startTestServer({
    roles: ['api', 'smtp'],
    env: { POSTRIDER_PLANS: '{"free": {"inboxes": 3}}' },
  });
});
afterAll(() => server.stop());

/** Each parameter that a 400 names; an empty list for an answer of 200. */
const refused = async (query: string): Promise<string[]> => {
  const { status, body } = await server.request(`/v1/messages?${query}`);
  if (status === 200) return [];
  expect([query, status, body.error]).toEqual([query, 400, 'invalid_request']);
  return (body.issues as { path: string }[]).map(({ path }) => path);
};

test('Interface 7: the inboxes of a plan are as configured', async () => {
  const { client } = await server.workspace({ plan: 'free' });
  const create = () => client.inboxes.create({ local_part: server.freshName() });
  for (let made = 0; made < 3; made++) await create();
  await catchApiError(create(), 'inbox_limit_reached', { limit: 3, upgrade: true });
});

test('Interface 4 GET /messages: mode without query is ignored', async () => {
  for (const mode of ['keyword', 'semantic', 'hybrid']) {
    const { status, body } = await server.request(`/v1/messages?mode=${mode}`);
    expect([status, body]).toEqual([200, { messages: [], next_cursor: null, mode_used: 'recent' }]);
  }
  expect(await refused('mode=fuzzy')).toEqual(['mode']);
});

test('Interface 4 GET /messages: a time has seconds and a zone and lies in the years 1 to 9999', async () => {
  for (const name of ['after', 'before']) {
    for (const time of [
      '2026-11-20T09:30:00Z',
      '2026-11-20T09:30:00.123456+05:30',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ])
      expect(await refused(`${name}=${encodeURIComponent(time)}`), time).toEqual([]);
    for (const time of [
      '2026-11-20',
      '2026-11-20T09:30Z',
      '2026-11-20T09:30:00',
      '2026-02-30T09:30:00Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '+010000-01-01T00:00:00Z',
      '1795265545198',
      'now',
    ])
      expect(await refused(`${name}=${encodeURIComponent(time)}`), time).toEqual([name]);
  }
});

test('Interface 2 Lists: a number is digits only, and a parameter that is given twice is refused', async () => {
  for (const number of ['1e2', '+5', '1.0', '', ' 5', '5 ', '0x5', '-0', '٥']) {
    expect(await refused(`limit=${encodeURIComponent(number)}`), number).toEqual(['limit']);
    expect(await refused(`wait_seconds=${encodeURIComponent(number)}`), number).toEqual(['wait_seconds']);
  }
  for (const name of ['limit', 'wait_seconds', 'inbox_id', 'direction', 'has_attachment', 'subject', 'after'])
    expect(await refused(`${name}=1&${name}=1`)).toEqual([name]);
});

test('Errors 400 invalid_request: issues name a field by dots, an unknown one by its name, the whole body by an empty text', async () => {
  const issuesOf = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await server.request('/v1/messages', { method: 'POST', body, headers });
    expect([body, answer.status, answer.body.error]).toEqual([body, 400, 'invalid_request']);
    return (answer.body.issues as { path: string }[]).map(({ path }) => path).sort();
  };
  const file = { filename: 7, content_base64: '' };
  const odd = { inbox_id: 'x', to: ['ada'], subject: 's', attachments: [file], 'a.b': 1 };
  expect(await issuesOf(JSON.stringify(odd))).toEqual(['a.b', 'attachments.0.filename', 'to.0']);
  for (const body of ['[]', 'null', '7', '"text"']) expect(await issuesOf(body)).toEqual(['']);
});

test('Inboxes DELETE /inboxes/{id}: the 204 has no content type', async () => {
  const { id } = await server.inbox();
  const answer = await server.request(`/v1/inboxes/${id}`, { method: 'DELETE' });
  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null]);
});

test('Interface 4 client_id: of a message whose inbox was deleted stays taken, and its repeat is a 404', async () => {
  const { client, server: running, id: workspaceId } = server;
  const gone = await server.inbox();
  const kept = await server.inbox();
  const send = (inboxId: string) =>
    client.messages.send({
      inbox_id: inboxId,
      to: ['ada@remote.example'],
      subject: 's',
      client_id: gone.local_part,
    });
  await send(gone.id);
  await client.inboxes.delete(gone.id);
  expect(await catchApiError(send(kept.id), 'not_found')).toMatchObject({ param: 'client_id' });
  await purgeInbox(running.deps).run({ workspaceId, inboxId: gone.id });
  for (const inbox of [kept, gone])
    expect(await catchApiError(send(inbox.id), 'not_found')).toMatchObject({ param: 'client_id' });
});
