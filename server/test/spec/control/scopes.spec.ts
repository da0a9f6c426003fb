/*
 * Interface 11 Keys: for a key with `inbox_ids`, nothing of the other inboxes of its own workspace exists. Every route of the contract is
 * called with their ids, in each place that takes one, so that none can be forgotten.
 */
import { contract, isWithin, listRoutes, type RouteEntry, routeAccess } from '@postrider/contract';
import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import { listPlaces, type Named, routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import {
  fillWorkspace,
  unknownId,
  type WorkspaceThings,
} from '@postrider/testkit/servers/workspace-things.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';

let server: TestServer;
let receiver: WebhookReceiver;
let own: WorkspaceThings;
let foreign: WorkspaceThings;
let key: string;
let client: Postrider;
let secrets: string[];

/** The things of a workspace that all inboxes share: a limited key may read them. */
const shared: Named[] = ['label', 'rule', 'domain', 'suppressed'];
const clientOf = (apiKey: string) => new Postrider({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
const keyOf = (...inboxIds: string[]) =>
  createKey(server.server.deps, server.name, 'limited', null, { inboxIds });
const receive = async ({ ids }: WorkspaceThings, subject: string, text: string) => {
  const { address } = await server.client.inboxes.get(ids.inbox);
  await sendMail(server.smtpPort, { from: 'eve@remote.example', to: address, subject, text });
};

beforeAll(async () => {
  server = await startTestServer({ env: { POSTRIDER_EMBEDDINGS: 'words' } });
  receiver = await startWebhookReceiver();
  own = await fillWorkspace(server, server, 'Own');
  foreign = await fillWorkspace(server, server, 'Foreign');
  key = (await keyOf(own.ids.inbox)).key;
  client = clientOf(key);
  await receive(foreign, 'The quokka', 'A zanzibar of a plan');
  await receive(own, 'The kiwi', 'A tangible plan with quokke');
  const bounced = await server.client.messages.send({
    inbox_id: foreign.ids.inbox,
    to: 'bounce+quokka@simulator.postrider.test',
    subject: 'Gone',
  });
  await server.indexed();
  // Their webhooks remember that the first attempts failed, which must not happen between two snapshots.
  await eventually('the first attempts of both webhooks', async () => {
    const tried = "select from webhook_deliveries where origin = 'log' and attempts <> '[]'";
    return (await server.rows(tried)).length === 2;
  });
  const { address } = await server.client.inboxes.get(foreign.ids.inbox);
  const named = Object.entries(foreign.ids).filter(([name]) => !shared.includes(name as Named));
  // The beginning of an id is its time.
  const sentAt = bounced.id.slice(0, 'msg_'.length + 10);
  secrets = [...named.map(([, id]) => id), address, sentAt, 'zanzibar', 'The quokka'];
});
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

const routes = listRoutes(contract);
const call = ({ route, name }: RouteEntry, idAt: (place: number, named: Named) => string) => {
  let place = 0;
  const { path = {}, query, body } = routeRequests[name]?.((named) => idAt(place++, named)) ?? {};
  const filled = route.path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(path[part] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.request(filled + search, { key, method: route.method, ...(body && { body }) });
};
const callWith = (entry: RouteEntry, place: number, id: (named: Named) => string) =>
  call(entry, (at, named) => (at === place ? id(named) : own.ids[named]));
/** An answer without what differs between any two. */
const comparable = ({ status, headers, body }: PlainAnswer) => {
  const { request_id: _, ...rest } = body;
  const kept = [...headers].filter(([name]) => !/^(date|x-request-id|ratelimit-.*)$/.test(name));
  return { status, rest, headers: kept };
};
const expectedOf = ({ route }: RouteEntry, named: Named) => {
  if (!isWithin(routeAccess(route), 'inbox')) return { status: 403, error: 'sending_not_allowed' };
  return named === 'event' ? { status: 400, error: 'invalid_request' } : { status: 404, error: 'not_found' };
};
const expectNoSecrets = (text: string, where: string) => {
  for (const secret of secrets) expect(text, where).not.toContain(secret);
};

test("Interface 11 Keys: another inbox's id is answered as an unknown one, in every place of every route", async () => {
  const before = await takeSnapshot(server);
  let asked = 0;
  for (const entry of routes) {
    for (const [place, named] of listPlaces(routeRequests[entry.name]!).entries()) {
      if (shared.includes(named)) continue;
      const unknown = await callWith(entry, place, unknownId);
      const answer = await callWith(entry, place, () => foreign.ids[named]);
      const where = `${entry.name}, place ${place + 1} (${named})`;
      expect(comparable(answer), where).toEqual(comparable(unknown));
      expect({ status: answer.status, error: answer.body.error }, where).toEqual(expectedOf(entry, named));
      asked += 1;
    }
  }
  expect(await takeSnapshot(server)).toEqual(before);
  expect(asked).toBeGreaterThan(30);
});

test('Interface 11 Keys: no list, search or event shows anything of other inboxes, and neither does a cursor', async () => {
  const plain = routes.filter(({ name, route }) => route.method === 'GET' && /list$/.test(name));
  const paths = plain.map(({ route }) => route.path);
  const words = ['plan', 'quok', 'qoukka', '-kiwi', 'label:foreign'];
  for (const query of words)
    for (const mode of ['keyword', 'semantic', 'hybrid'])
      for (const list of ['messages', 'threads'])
        paths.push(`/v1/${list}?${new URLSearchParams({ query, mode, limit: '1' })}`);
  const filters = [
    'read=false',
    'direction=inbound',
    'from=remote.example',
    'subject=quokka',
    'has_attachment=true',
  ];
  for (const filter of [...filters, `label_id=${foreign.ids.label}`])
    paths.push(`/v1/messages?${filter}&limit=1`);
  for (const filter of ['read=false', `label_id=${foreign.ids.label}`])
    paths.push(`/v1/threads?${filter}&limit=1`);
  let items = 0;
  for (const path of paths) {
    for (let next: string | null = path; next !== null; ) {
      const { status, text, body } = await server.request(next, { key });
      expect(status, next).toBe(200);
      expectNoSecrets(text, next);
      const cursor = body.next_cursor as string | null;
      expectNoSecrets(Buffer.from(cursor ?? '', 'base64url').toString('latin1'), next);
      items += [body.messages, body.threads].flatMap((list) => list ?? []).length;
      const name = path.startsWith('/v1/events') ? 'after' : 'cursor';
      const isEnd: boolean = cursor === null || (name === 'after' && next.includes(cursor));
      next = isEnd ? null : `${path}${path.includes('?') ? '&' : '?'}${name}=${cursor}`;
    }
  }
  expect(items).toBeGreaterThan(20);
  const { messages } = await client.messages.list({ query: 'quokka' });
  expect(messages.map(({ subject }) => subject)).toEqual(['The kiwi']);
  const { inboxes } = await client.inboxes.list({
    address: (await server.client.inboxes.get(foreign.ids.inbox)).address,
  });
  expect(inboxes).toEqual([]);
});

test('Interface 11 Keys: mail of other inboxes ends no wait, and comes over no socket, from no place of the log', async () => {
  const live = await openRealtime(server.url, key);
  const whole = await openRealtime(server.url, server.key);
  const resumed = await openRealtime(server.url, key, { query: { after: own.ids.event } });
  const wait = client.messages.list({ subject: 'zebra', wait_seconds: 2 });
  const log = client.events.list({ after: 'latest', wait_seconds: 2 });
  await receive(foreign, 'zebra', 'Theirs');
  expect((await wait).messages).toEqual([]);
  expect((await log).events).toEqual([]);
  await receive(own, 'Ours', 'Ours');
  await whole.received(2);
  const [event] = await live.received(1);
  expect(event?.inbox_id).toBe(own.ids.inbox);
  await resumed.received(2);
  const all = [live, resumed].flatMap(({ events, connected }) => [...events, connected]);
  expect(new Set(resumed.events.map(({ inbox_id }) => inbox_id))).toEqual(new Set([own.ids.inbox]));
  expectNoSecrets(JSON.stringify(all), 'sockets');
  await Promise.all([live, whole, resumed].map((socket) => socket.close()));
});

test('Interface 11 Keys: a webhook made by the key is for its inboxes, and it sees none for others', async () => {
  const events: ['message.received'] = ['message.received'];
  const hook = await client.webhooks.create({ url: receiver.url, events });
  expect(hook.inbox_ids).toEqual([own.ids.inbox]);
  const wide = await server.client.webhooks.create({ url: 'https://agent.example.com/wide', events });
  expect((await client.webhooks.update(hook.id, { inbox_ids: null })).inbox_ids).toEqual([own.ids.inbox]);
  await receive(foreign, 'Theirs', 'Theirs');
  await receive(own, 'Ours', 'Ours');
  await receiver.waitFor(1);
  expect((await client.webhooks.test(hook.id)).status).toBe('succeeded');
  const { deliveries } = await client.webhooks.deliveries(hook.id);
  expect(deliveries).toHaveLength(2);
  const posted = receiver.requests.map(({ body }) => JSON.parse(body.toString()).message.subject);
  expect(posted).toEqual(['Ours', 'A sample event']);
  const ids = (await client.webhooks.list()).webhooks.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([hook.id, own.ids.webhook]));
  for (const id of [wide.id, foreign.ids.webhook]) expect(ids).not.toContain(id);
  await server.client.webhooks.delete(wide.id);
  await client.webhooks.delete(hook.id);
});

test("Interface 11 Keys: a client_id that another inbox has used is as good as new, and the key's own is repeated", async () => {
  const body = (inbox_id: string) => ({
    inbox_id,
    to: 'ada@remote.example',
    subject: 'Once',
    client_id: 'order-1',
  });
  const theirs = await server.client.messages.send(body(foreign.ids.inbox));
  const first = await client.messages.send(body(own.ids.inbox));
  expect([first.idempotent, first.id === theirs.id]).toEqual([false, false]);
  expect(await client.messages.send(body(own.ids.inbox))).toMatchObject({ id: first.id, idempotent: true });
  const replies = { text: 'Yes', client_id: 'order-1' };
  expect(await client.messages.reply(own.ids.message, replies)).toMatchObject({ id: first.id });
  const other = clientOf((await keyOf(own.ids.inbox, foreign.ids.inbox)).key);
  expect(await other.messages.send(body(own.ids.inbox))).toMatchObject({ id: first.id, idempotent: true });
  const again = await server.client.messages.send({ ...body(own.ids.inbox), client_id: 'order-2' });
  expect(await client.messages.send({ ...body(own.ids.inbox), client_id: 'order-2' })).toMatchObject({
    id: again.id,
  });
  const last = await client.messages.send({ ...body(own.ids.inbox), client_id: 'order-3' });
  expect(await server.client.messages.send({ ...body(own.ids.inbox), client_id: 'order-3' })).toMatchObject({
    id: last.id,
    idempotent: true,
  });
});

test('Interface 11 Keys: what others write changes neither scores nor corrections of a search', async () => {
  const ask = async (query: string) => {
    const { messages, ranked_within } = await client.messages.list({ query });
    return { hits: messages.map(({ id, score }) => [id, score]), ranked_within };
  };
  const queries = ['kiwi plan', 'tangible sound', 'quokkb', 'tangi', 'kiwi missing'];
  const before = await Promise.all(queries.map(ask));
  // Neither corrected nor completed.
  expect(before.map(({ hits }) => hits.length > 0)).toEqual([true, true, false, false, true]);
  for (let count = 0; count < 20; count += 1)
    await receive(foreign, 'tangible', `kiwi quokkb tangibly tangibles tangible${count} missing`);
  await server.indexed();
  expect(await Promise.all(queries.map(ask))).toEqual(before);
});

test('Interface 11 Keys: an attachment and an original are linked for its own inboxes', async () => {
  for (const { url } of [
    await client.attachments.get(own.ids.attachment),
    await client.messages.raw(own.ids.message),
  ])
    expect((await fetch(url)).status).toBe(200);
});

test('Interface 11 Keys: a key with several inboxes lists and searches all of them, in one order', async () => {
  const both = clientOf((await keyOf(own.ids.inbox, foreign.ids.inbox)).key);
  const other = await server.inbox();
  await sendMail(server.smtpPort, {
    from: 'eve@remote.example',
    to: other.address,
    subject: 'plan',
    text: 'plan',
  });
  await server.indexed();
  const idsOf = async (of: Postrider, query: object) => {
    const ids: string[] = [];
    for await (const { id, inbox_id } of of.messages.list({ limit: 7, ...query }))
      if (inbox_id !== other.id) ids.push(id);
    return ids;
  };
  for (const query of [
    {},
    { read: false },
    { direction: 'outbound' },
    { label_id: own.ids.label },
    { from: 'eve@remote.example' },
  ] as const)
    expect(await idsOf(both, query)).toEqual(await idsOf(server.client, query));
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const)
    expect(new Set(await idsOf(both, { query: 'plan', mode })).size).toBeGreaterThan(2);
  // A search whose words are in most messages asks the index for the inboxes alone.
  for (const query of ['is:inbound', 'tangible', '-missing', 'subject:plan'])
    expect(new Set(await idsOf(both, { query })), query).toEqual(
      new Set(await idsOf(server.client, { query })),
    );
  const threadsOf = async (of: Postrider) => {
    const ids: string[] = [];
    for await (const { id, inbox_id } of of.threads.list({ limit: 7 }))
      if (inbox_id !== other.id) ids.push(id);
    return ids;
  };
  expect(await threadsOf(both)).toEqual(await threadsOf(server.client));
  const events = (await both.events.list({ limit: 100 })).events.map(({ id }) => id);
  const all = (await server.client.events.list({ limit: 100 })).events;
  expect(events).toEqual(all.filter(({ inbox_id }) => inbox_id !== other.id).map(({ id }) => id));
});

test('Interface 11 Keys: with ids of its own, every route that it may call is answered', async () => {
  const refused: string[] = [];
  const last = (entry: RouteEntry) => (entry.route.method === 'DELETE' ? 1 : 0);
  for (const entry of routes.toSorted((a, b) => last(a) - last(b))) {
    const { status, text } = await call(entry, (_, named) => own.ids[named]);
    const isClosed = !isWithin(routeAccess(entry.route), 'inbox');
    if (isClosed ? status !== 403 : status >= 300) refused.push(`${entry.name}: ${status} ${text}`);
  }
  expect(refused).toEqual([]);
});
