import { gzipSync } from 'node:zlib';
import { contract, errors, listRoutes } from '@postrider/contract';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const json = { 'content-type': 'application/json' };
const post = (body: string | object, headers: Record<string, string> = json) =>
  server.request('/v1/inboxes', { method: 'POST', body, headers });

test('Errors 400 invalid_request: every field that is missing, malformed or too long is named', async () => {
  const { client } = server;
  expect(await invalidFields(server.client.inboxes.create({} as { local_part: string }))).toEqual([
    'local_part',
  ]);
  const bad = {
    inbox_id: 7,
    to: ['ada', '', 'a@b.example'],
    subject: null,
    cc: 7,
    text: [],
    reply_to: 'x@',
  };
  const fields = await invalidFields(client.messages.send(bad as never));
  expect(fields.sort()).toEqual(['cc', 'inbox_id', 'reply_to', 'subject', 'text', 'to.0', 'to.1']);
  expect(await invalidFields(client.messages.send({ inbox_id: 'x', subject: 's', to: [] }))).toEqual(['to']);
  const files = [
    { filename: 'a', content_base64: 'YQ' },
    { filename: '', content_base64: 'YQ==' },
  ];
  const sending = client.messages.send({
    inbox_id: 'x',
    subject: 's',
    to: ['a@b.example'],
    attachments: files,
  });
  expect(await invalidFields(sending)).toEqual(['attachments.0.content_base64', 'attachments.1.filename']);
  for (const body of ['[]', 'null', '"text"', '7', '{}', ''])
    expect([body, (await post(body)).status]).toEqual([body, 400]);
});

test('Errors 400 invalid_request: names what is wrong in one sentence each', async () => {
  const { body } = await post({ local_part: 'a b', domain_id: 4 });
  expect(body).toMatchObject({ error: 'invalid_request', message: errors.invalid_request.message });
  expect(body.issues).toEqual([
    { path: 'local_part', message: expect.stringContaining('must consist of a-z') },
    { path: 'domain_id', message: expect.any(String) },
  ]);
});

test('Errors 400 malformed_json: a body that is not JSON', async () => {
  for (const body of [
    '{',
    '{"local_part":"a"',
    "{'local_part':'a'}",
    'local_part=a',
    '{"a":\u0001}',
    '\ufeff\ufeff{}',
  ])
    expect([body, (await post(body)).body.error]).toEqual([body, 'malformed_json']);
  const half = new Uint8Array([...Buffer.from('{"local_part":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
  expect((await server.request('/v1/inboxes', { method: 'POST', body: half, headers: json })).status).toBe(
    400,
  );
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect((await post(deep)).status).toBe(400);
});

test('Errors 401 invalid_token: has a message that says what to send', async () => {
  const { status, body } = await server.request('/v1/inboxes', { key: null });
  expect([status, body.error, body.message]).toEqual([401, 'invalid_token', expect.stringMatching(/Bearer/)]);
});

test('Errors 402 inbox_limit_reached: over the cap of the plan, with upgrade and limit', async () => {
  const { client } = await server.workspace({ plan: 'free' });
  for (let i = 0; i < 5; i++) await client.inboxes.create({ local_part: server.freshName() });
  const sixth = client.inboxes.create({ local_part: server.freshName() });
  await catchApiError(sixth, 'inbox_limit_reached', { upgrade: true, limit: 5 });
});

test('Errors 404 not_found: an unknown path, an unknown id and a foreign id are the same answer', async () => {
  const foreign = await server.inbox(await server.workspace());
  const answerTo = async (path: string) => {
    const { status, body } = await server.request(path);
    const { request_id: _, ...rest } = body;
    return [status, rest];
  };
  const { message } = errors.not_found;
  expect(await answerTo('/v1/nothing')).toEqual([404, { error: 'not_found', message, param: null }]);
  const unknown = await answerTo('/v1/inboxes/inb_00000000000000000000000000');
  expect(unknown).toMatchObject([404, { error: 'not_found', param: 'id' }]);
  expect(await answerTo(`/v1/inboxes/${foreign.id}`)).toEqual(unknown);
});

test('Errors 405 method_not_allowed: names the methods of the path in Allow', async () => {
  const byPath = new Map<string, Set<string>>();
  for (const { route } of listRoutes(contract)) {
    const path = route.path.replace(/:\w+/g, 'x');
    const methods = byPath.get(path) ?? byPath.set(path, new Set()).get(path);
    methods?.add(route.method);
    if (route.method === 'GET') methods?.add('HEAD');
  }
  for (const [path, methods] of byPath) {
    const { status, headers, body } = await server.request(path, { method: 'PUT' });
    expect([path, status, body.error]).toEqual([path, 405, 'method_not_allowed']);
    const allowed = new Set(headers.get('allow')?.split(', '));
    // `/domains/subdomain` is also a domain whose id is `subdomain`, and so is `/messages/check`.
    for (const method of methods) expect([path, method, allowed.has(method)]).toEqual([path, method, true]);
  }
});

test('Errors 409 address_taken: the address is in use, in this workspace or in another', async () => {
  const inbox = await server.inbox();
  const other = await server.workspace();
  for (const { client } of [server, other])
    await catchApiError(
      client.inboxes.create({ local_part: inbox.local_part.toUpperCase() }),
      'address_taken',
    );
});

test('Errors 415 unsupported_media_type: a body that is not JSON by its content type', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x',
  ])
    expect([type, (await post('{}', { 'content-type': type })).body.error]).toEqual([
      type,
      'unsupported_media_type',
    ]);
  const bytes = await server.request('/v1/inboxes', { method: 'POST', body: new Uint8Array([123, 125]) });
  expect(bytes.body.error).toBe('unsupported_media_type');
  for (const encoding of ['br2', 'compress'])
    expect((await post('{}', { ...json, 'content-encoding': encoding })).body.error).toBe(
      'unsupported_media_type',
    );
  expect((await post('{}', { 'content-type': 'application/json; charset=klingon' })).body.error).toBe(
    'unsupported_media_type',
  );
});

test('Errors 415 unsupported_media_type: a compressed body is refused unread, whatever it holds', async () => {
  const whole = new Uint8Array(gzipSync(JSON.stringify({ local_part: server.freshName() })));
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'gzip, identity', 'identity', ''])
    for (const body of [whole, '{}'])
      expect((await post(body, { ...json, 'content-encoding': encoding })).body.error).toBe(
        'unsupported_media_type',
      );
});

test('Conventions 4: a request without a Host is an invalid request, and one with an expectation that nobody knows is answered', async () => {
  const say = async (...headers: string[]) => {
    const head = ['GET /v1/inboxes HTTP/1.1', `Authorization: Bearer ${server.key}`, ...headers, '', ''];
    const { status, headers: answered, body } = await sayHttp(server.url, head.join('\r\n'));
    expect(answered).toMatch(/^x-request-id: req_/im);
    return [status, (JSON.parse(body) as { error?: string }).error];
  };
  expect(await say('Connection: close')).toEqual([400, 'invalid_request']);
  expect(await say('Host: x', 'Connection: close', 'Expect: a-miracle')).toEqual([200, undefined]);
});

test('Errors 500 internal_error: no detail leaks', async () => {
  await failOn(server, { table: 'inboxes', sqlstate: 'XX000', message: 'secret-detail' }, async () => {
    const { status, text, body } = await post({ local_part: server.freshName() });
    expect([status, body.error]).toEqual([500, 'internal_error']);
    expect(text).not.toMatch(/secret-detail|XX000|inboxes|\.ts/);
  });
});

test('Errors 503 unavailable: the database is away or busy, with Retry-After', async () => {
  for (const sqlstate of ['57P03', '53300', '53100', '08006'])
    await failOn(server, { table: 'inboxes', sqlstate, message: 'secret-detail' }, async () => {
      const { status, headers, text, body } = await post({ local_part: server.freshName() });
      expect([sqlstate, status, body.error]).toEqual([sqlstate, 503, 'unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(text).not.toContain('secret-detail');
    });
});

test('Errors: after a failure the same request succeeds', async () => {
  const local_part = server.freshName();
  await failOn(server, { table: 'inboxes', sqlstate: '57P03', message: 'away' }, async () => {
    expect((await post({ local_part })).status).toBe(503);
  });
  expect((await post({ local_part })).status).toBe(201);
});
