import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { unknownId } from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  // As in production; the names used here have no address that could be reached.
  server = await startTestServer({
    env: {
      POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'false',
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: 'smtp://127.0.0.1:1',
    },
  });
});
afterAll(() => server.stop());

const url = 'https://agent.invalid/hooks';
const events = ['message.received'] as const;
const create = (change: { url?: string } = {}, { client } = server as Pick<TestServer, 'client'>) =>
  client.webhooks.create({ url, events: [...events], ...change });

describe('POST /webhooks', () => {
  test('Webhooks POST /webhooks, Webhook url: 201 with url, events, a created timestamp and the secret', async () => {
    const answer = await server.request('/v1/webhooks', { method: 'POST', body: { url, events } });
    expect(answer.status).toBe(201);
    const { id, created_at, secret, ...rest } = answer.body;
    expect(rest).toEqual({ url, events, inbox_ids: null, enabled: true });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created_at).toMatch(/^\d{4}-.*Z$/);
    expect(await server.client.webhooks.get(id as string)).toEqual({ id, created_at, ...rest });
  });

  test('Webhook secret: is different each time, and nowhere in the database in clear', async () => {
    const [one, two] = [await create(), await create()];
    expect(one.secret).not.toBe(two.secret);
    const rows = await server.rows<{ row: string }>('select webhooks::text as row from webhooks');
    for (const { row } of rows)
      for (const { secret } of [one, two]) expect(row).not.toContain(secret.slice(6, 30));
  });

  test('Webhook events: every kind once, in the order given; none, an unknown one and another field are a 400', async () => {
    const twice = await server.client.webhooks.create({
      url,
      events: ['message.bounced', 'message.received', 'message.bounced'],
    });
    expect(twice.events).toEqual(['message.bounced', 'message.received']);
    for (const body of [
      { url, events: [] },
      { url, events: ['message.opened'] },
      { url },
      { events },
      { url, events, secret: 'x' },
    ]) {
      const answer = await server.request('/v1/webhooks', { method: 'POST', body });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    }
  });

  test.each([
    'http://agent.invalid/hooks',
    'https://user:pass@agent.invalid/hooks',
    'https://localhost/hooks',
    'https://api.localhost./hooks',
    'https://127.0.0.1/hooks',
    'https://127.1/hooks',
    'https://0x7f000001/hooks',
    'https://2130706433/hooks',
    'https://0.0.0.0/hooks',
    'https://10.1.2.3:8443/hooks',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/hooks',
    'https://[::ffff:10.0.0.1]/hooks',
    'https://[64:ff9b::7f00:1]/hooks',
    'https://[fd00:ec2::254]/hooks',
    'ftp://agent.invalid/hooks',
    'agent.invalid/hooks',
    'https://agent.invalid/ho oks',
    `https://agent.invalid/${'x'.repeat(limits.urlCharactersMax)}`,
  ])('Interface 5: %s is refused with an issue for url', async (refused) => {
    const error = await catchApiError(create({ url: refused }), 'invalid_request');
    expect(error.issues).toMatchObject([{ path: 'url' }]);
    const { id } = await create();
    await catchApiError(server.client.webhooks.update(id, { url: refused }), 'invalid_request');
    expect((await server.client.webhooks.get(id)).url).toBe(url);
  });

  test('Interface 5: a port and a query are part of the URL, and a name without an address is taken', async () => {
    const free = 'https://agent.invalid:8443/hooks?token=a%20b';
    expect((await create({ url: free })).url).toBe(free);
  });

  test('Interface 5: a private target is refused again at connect time', async () => {
    const { id } = await create();
    // As if its DNS had changed since.
    await server.rows('update webhooks set url = $1 where id = $2', ['https://127.0.0.1:1/hooks', id]);
    const { status, attempts } = await server.client.webhooks.test(id);
    expect([status, attempts]).toMatchObject([
      'failed',
      [{ status_code: null, error: expect.stringContaining('private') }],
    ]);
  });

  test('Interface 7: a workspace has 50, exactly, however many are made at once', async () => {
    const owner = await server.workspace();
    const most = limits.webhooksPerWorkspaceMax;
    const made = await Promise.allSettled(Array.from({ length: most + 10 }, () => create({}, owner)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
    const error = await catchApiError(create({}, owner), 'limit_reached');
    expect(error).toMatchObject({ limit: most });
    const { webhooks } = await owner.client.webhooks.list({ limit: 1 });
    await owner.client.webhooks.delete(webhooks[0]?.id ?? '');
    await create({}, owner);
  });
});

describe('GET /webhooks', () => {
  test('Webhooks GET /webhooks: newest first, page by page, without secrets', async () => {
    const owner = await server.workspace();
    const made = [];
    for (let index = 0; index < 5; index++) made.push(await create({}, owner));
    const ids: string[] = [];
    for await (const webhook of owner.client.webhooks.list({ limit: 2 })) {
      expect(Object.keys(webhook).sort()).toEqual([
        'created_at',
        'enabled',
        'events',
        'id',
        'inbox_ids',
        'url',
      ]);
      ids.push(webhook.id);
    }
    expect(ids).toEqual(made.map(({ id }) => id).reverse());
    expect((await server.request('/v1/webhooks?cursor=x')).status).toBe(400);
  });
});

describe('PATCH /webhooks', () => {
  test('Interface 4: changes what is given and leaves the rest', async () => {
    const { id, secret: _, ...before } = await create();
    const { webhooks } = server.client;
    expect(await webhooks.update(id, {})).toEqual({ id, ...before });
    const moved = await webhooks.update(id, { url: 'https://other.invalid/' });
    expect(moved).toEqual({ id, ...before, url: 'https://other.invalid/' });
    const stopped = await webhooks.update(id, { enabled: false, events: ['message.bounced'] });
    expect(stopped).toEqual({ ...moved, enabled: false, events: ['message.bounced'] });
    expect(await webhooks.get(id)).toEqual(stopped);
    expect(await webhooks.update(id, { enabled: true })).toEqual({ ...stopped, enabled: true });
  });

  test('Interface 2: 20 rotations at once leave one secret, and each answer has one of its own', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.client.webhooks.rotateSecret(id)),
    );
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(20);
    expect(answers[0]).toMatchObject({ id, url });
  });
});

describe('DELETE /webhooks', () => {
  test('Webhooks DELETE /webhooks/{id}: 204, then 404 everywhere', async () => {
    const { id } = await create();
    const { webhooks, deliveries } = server.client;
    const delivery = await webhooks.test(id);
    const answer = await server.request(`/v1/webhooks/${id}`, { method: 'DELETE' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const gone of [
      () => webhooks.get(id),
      () => webhooks.update(id, { enabled: true }),
      () => webhooks.delete(id),
      () => webhooks.test(id),
      () => webhooks.rotateSecret(id),
      () => webhooks.deliveries(id),
      () => deliveries.redeliver(delivery.id),
    ])
      await catchApiError(Promise.resolve(gone()), 'not_found');
  });

  test('Webhooks DELETE /webhooks/{id}: of 20 deletions at once one succeeds; unknown and malformed ids are 404', async () => {
    const { id } = await create();
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => server.client.webhooks.delete(id)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const unknown of [unknownId('webhook'), 'whk_x', 'inb_01m7yyvjvve8jaq5s0hvhdb6px'])
      await catchApiError(server.client.webhooks.delete(unknown), 'not_found');
    await catchApiError(server.client.deliveries.redeliver(unknownId('delivery')), 'not_found');
  });
});

test('a delivery to a name without an address says so', async () => {
  const { id } = await create();
  await receiveMessage(server);
  const { attempts, status, event } = await server.client.webhooks.test(id);
  expect({ status, event }).toEqual({ status: 'failed', event: 'message.received' });
  expect(attempts).toMatchObject([{ status_code: null, error: expect.stringContaining('host name') }]);
});
