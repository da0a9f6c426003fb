import { contract, listRoutes } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

test('Conventions 1: requests with a body are JSON, and so is every answer', async () => {
  const made = await server.request('/v1/inboxes', {
    method: 'POST',
    body: { local_part: server.freshName() },
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('content-type')).toMatch(/^application\/json/);
  const refused = await server.request('/v1/inboxes', { method: 'POST', body: {} });
  expect(refused.status).toBe(400);
  expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
});

test('Conventions 2: an id that is malformed, of another kind or unknown is a 404, in a path and in a body', async () => {
  const inbox = await server.inbox();
  const ids = [
    'x',
    'inb_',
    inbox.id.toUpperCase(),
    `${inbox.id}0`,
    inbox.id.replace('inb_', 'msg_'),
    inbox.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    'inb_00000000000000000000000000',
    "inb_' or 1=1 --",
    '\0',
    'ünï',
    '😀',
    '../inboxes',
    'null',
    '-1',
    'a'.repeat(2_000),
  ];
  for (const id of ids) {
    const path = encodeURIComponent(id);
    expect([id, (await server.request(`/v1/inboxes/${path}`)).status]).toEqual([id, 404]);
    expect([id, (await server.request(`/v1/inboxes/${path}`, { method: 'DELETE' })).status]).toEqual([
      id,
      404,
    ]);
    expect([id, (await server.request(`/v1/messages/${path}/raw`)).status]).toEqual([id, 404]);
    const sending = server.client.messages.send({ inbox_id: id, to: ['a@b.example'], subject: 's' });
    await catchApiError(sending, 'not_found');
    await catchApiError(Promise.resolve(server.client.threads.list({ inbox_id: id })), 'not_found');
  }
  expect((await server.request('/v1/inboxes/%ff%fe')).body).toMatchObject({ error: 'not_found' });
  expect((await server.client.inboxes.get(inbox.id)).id).toBe(inbox.id);
});

test('Conventions 3: timestamps are ISO 8601 in UTC, with milliseconds and Z', async () => {
  const before = Date.now();
  const { created_at } = await server.inbox();
  expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before - 1);
  expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now() + 1);
});

test('Conventions 4: every answer that is not 2xx has a JSON body with a code, a sentence and the request id', async () => {
  const answers = await Promise.all([
    server.request('/nothing'),
    server.request('/v1'),
    server.request('/v1/nothing'),
    server.request('/v2/inboxes'),
    server.request('/v1/inboxes', { key: null }),
    server.request('/v1/inboxes', { method: 'PUT' }),
    server.request('/v1/inboxes', { method: 'OPTIONS' }),
    server.request('/v1/inboxes?limit=0'),
    server.request('/v1/inboxes', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    }),
    server.request('/v1/messages/%E0%A4%A'),
    server.request('/files/x'),
    server.request('/v1/inboxes', { headers: { 'x-flood': 'y'.repeat(40_000) } }),
  ]);
  for (const { status, headers, body, text } of answers) {
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(headers.get('content-type'), text).toMatch(/^application\/json/);
    expect(body).toEqual({
      ...body,
      error: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/^[A-Z].*\.$/),
      request_id: headers.get('x-request-id'),
    });
  }
});

test('Interface 2: lists answer their plural and next_cursor, newest first, 25 at a time unless told otherwise', async () => {
  const { client } = await server.workspace();
  const made: string[] = [];
  for (let i = 0; i < 27; i++)
    made.unshift((await client.inboxes.create({ local_part: server.freshName() })).id);
  const first = await client.inboxes.list();
  expect(first.inboxes.map((inbox) => inbox.id)).toEqual(made.slice(0, 25));
  expect(first.next_cursor).toEqual(expect.any(String));
  const second = await client.inboxes.list({ cursor: first.next_cursor ?? '' });
  expect(second.inboxes.map((inbox) => inbox.id)).toEqual(made.slice(25));
  expect(second.next_cursor).toBeNull();
  const whole = await client.inboxes.list({ limit: 27 });
  expect([whole.inboxes.length, whole.next_cursor]).toEqual([27, null]);
  for await (const inbox of client.inboxes.list({ limit: 10 })) expect(inbox.id).toBe(made.shift());
  expect(made).toEqual([]);
});

test('Interface 2: the order of a list is stable while rows are added and removed', async () => {
  const { client } = await server.workspace();
  const create = () => client.inboxes.create({ local_part: server.freshName() });
  const old = [await create(), await create(), await create(), await create()].map((inbox) => inbox.id);
  const first = await client.inboxes.list({ limit: 2 });
  await create();
  await client.inboxes.delete(old[3] ?? '');
  const second = await client.inboxes.list({ limit: 2, cursor: first.next_cursor ?? '' });
  expect(second.inboxes.map((inbox) => inbox.id)).toEqual([old[1], old[0]]);
});

test('Interface 2: a limit out of range and a bad cursor are a 400 that names them', async () => {
  for (const limit of ['0', '101', '-1', '1.5', '1e2', '', ' 5', '0x10', 'ten', '9'.repeat(30)]) {
    const { status, body } = await server.request(`/v1/inboxes?limit=${encodeURIComponent(limit)}`);
    expect([limit, status, body.issues]).toMatchObject([limit, 400, [{ path: 'limit' }]]);
  }
  expect((await server.request('/v1/inboxes?limit=1&limit=2')).status).toBe(400);
  expect((await server.request('/v1/inboxes?limit[]=1')).status).toBe(400);
  const messagesCursor = Buffer.from('["a","b","c"]').toString('base64url');
  for (const cursor of [
    'x',
    'null',
    '%00',
    '{}',
    messagesCursor,
    'a'.repeat(1_024),
    'a'.repeat(1_025),
    '%F0%9F%98%80',
  ])
    for (const list of ['inboxes', 'messages', 'threads']) {
      const { status, body } = await server.request(`/v1/${list}?cursor=${cursor}`);
      expect([list, cursor, status, body.issues]).toMatchObject([list, cursor, 400, [{ path: 'cursor' }]]);
    }
});

test('Interface 2: a cursor is bound to its list, and one that was changed is a 400', async () => {
  const { client } = await server.workspace();
  for (let i = 0; i < 2; i++) await client.inboxes.create({ local_part: server.freshName() });
  const createHook = (path: string) =>
    client.webhooks.create({ url: `https://hooks.invalid/${path}`, events: ['message.received'] });
  const [one, two] = [await createHook('one'), await createHook('two')];
  for (let i = 0; i < 2; i++) await client.webhooks.test(one.id);
  const ofInboxes = String((await client.inboxes.list({ limit: 1 })).next_cursor);
  const ofDeliveries = String((await client.webhooks.deliveries(one.id, { limit: 1 })).next_cursor);
  expect((await client.inboxes.list({ cursor: ofInboxes, limit: 7 })).inboxes).toHaveLength(1);
  expect((await client.webhooks.deliveries(one.id, { cursor: ofDeliveries })).deliveries).toHaveLength(1);
  const changed = [...ofInboxes].map(
    (character, at) => ofInboxes.slice(0, at) + (character === 'A' ? 'B' : 'A') + ofInboxes.slice(at + 1),
  );
  for (const cursor of [...changed, ofInboxes.slice(1), `${ofInboxes}A`, ofDeliveries])
    expect(await invalidFields(client.inboxes.list({ cursor }))).toEqual(['cursor']);
  const elsewhere = [
    client.messages.list({ cursor: ofInboxes }),
    client.rules.list({ cursor: ofInboxes }),
    client.webhooks.deliveries(one.id, { cursor: ofInboxes }),
    client.webhooks.deliveries(two.id, { cursor: ofDeliveries }),
  ];
  for (const list of elsewhere) expect(await invalidFields(list)).toEqual(['cursor']);
});

test('Interface 2: an unknown query parameter is a 400 that names it, on every route', async () => {
  for (const { name, route } of listRoutes(contract)) {
    const parts = routeRequests[name]?.(() => 'id_unknown') ?? {};
    const path = route.path.replaceAll(/:\w+/g, 'id_unknown');
    for (const query of ['zzz_unknown=1', '__proto__=1', 'toString']) {
      const { status, body } = await server.request(`${path}?${query}`, {
        method: route.method,
        ...(parts.body && { body: parts.body }),
      });
      const issue = { path: query.split('=')[0], message: 'is not a known field' };
      expect([name, status, body.issues]).toEqual([name, 400, [issue]]);
    }
  }
});

test('Interface 2: unknown fields of a body and of a query are a 400 that names each', async () => {
  const send = { inbox_id: 'inb_x', to: ['a@b.example'], subject: 's', Subject: 'x', sender: 'y' };
  const { body } = await server.request('/v1/messages', { method: 'POST', body: send });
  expect((body.issues as { path: string }[]).map((issue) => issue.path).sort()).toEqual([
    'Subject',
    'sender',
  ]);
  for (const query of [
    'inbox=1',
    'Limit=1',
    'toString=1',
    '__proto__=1',
    'constructor=1',
    'a[b]=1',
    'id=1',
  ]) {
    const answer = await server.request(`/v1/inboxes?${query}`);
    expect([query, answer.status, answer.body.error]).toEqual([query, 400, 'invalid_request']);
  }
  const polluted = '{"local_part":"ok","__proto__":{"polluted":true},"constructor":1}';
  const answer = await server.request('/v1/inboxes', {
    method: 'POST',
    body: polluted,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
});

test('Interface 2: CR, LF and NUL in what becomes a header or an address are a 400', async () => {
  const inbox = await server.inbox();
  const good = { inbox_id: inbox.id, to: ['a@b.example'], subject: 's', text: 't' };
  for (const bad of ['a\rb', 'a\nb', 'a\0b', 'a\r\nBcc: x@y.example']) {
    const cases: Record<string, object> = {
      subject: { subject: bad },
      'to.0': { to: [`${bad}@b.example`] },
      'cc.0': { cc: [`${bad} <a@b.example>`] },
      'bcc.0': { bcc: [`a@b.example${bad}`] },
      reply_to: { reply_to: `${bad}@b.example` },
      in_reply_to: { in_reply_to: `<${bad}@b.example>` },
      'references.0': { references: [`<${bad}>`] },
      'headers.X-A': { headers: { 'X-A': bad } },
      'attachments.0.filename': { attachments: [{ filename: bad, content_base64: '' }] },
      'attachments.0.content_type': {
        attachments: [{ filename: 'a', content_type: bad, content_base64: '' }],
      },
      'attachments.0.content_id': { attachments: [{ filename: 'a', content_id: bad, content_base64: '' }] },
      client_id: { client_id: bad },
    };
    for (const [path, change] of Object.entries(cases))
      expect(await invalidFields(server.client.messages.send({ ...good, ...change }))).toEqual([path]);
    expect(
      await invalidFields(
        server.client.inboxes.create({ local_part: server.freshName(), display_name: bad }),
      ),
    ).toEqual(['display_name']);
    expect(await invalidFields(server.client.inboxes.create({ local_part: bad }))).toEqual(['local_part']);
  }
});

test('Interface 2: /v1 takes the Bearer header and nothing else: no cookie, no query, no CORS', async () => {
  const { key } = server;
  const cookie = await server.request('/v1/inboxes', {
    key: null,
    headers: { cookie: `key=${key}; session=${key}` },
  });
  expect(cookie.status).toBe(401);
  expect((await server.request(`/v1/inboxes?api_key=${key}`, { key: null })).status).toBe(401);
  expect((await server.request('/v1/inboxes', { key: null, headers: { 'x-api-key': key } })).status).toBe(
    401,
  );
  const crossOrigin = await server.request('/v1/inboxes', { headers: { origin: 'https://evil.example' } });
  expect(crossOrigin.status).toBe(200);
  expect([...crossOrigin.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(crossOrigin.headers.get('set-cookie')).toBeNull();
});

test('Interface 2: every answer carries an x-request-id of its own', async () => {
  const ids = new Set<string | null>();
  for (const path of ['/v1/inboxes', '/v1/inboxes', '/v1/nothing', '/livez', '/files/x'])
    ids.add(
      (await server.request(path, { headers: { 'x-request-id': 'chosen' } })).headers.get('x-request-id'),
    );
  expect(ids.size).toBe(5);
  expect(ids).not.toContain(null);
  expect(ids).not.toContain('chosen');
});

test('Versioning 1: the version is in the path prefix, and nothing is served without it', async () => {
  expect((await server.request('/inboxes')).body.error).toBe('not_found');
  expect((await server.request('/v1/inboxes')).status).toBe(200);
  const client = new Postrider({ apiKey: server.key, baseURL: server.url, maxRetries: 0 });
  await catchApiError(Promise.resolve(client.inboxes.list()), 'not_found');
});
