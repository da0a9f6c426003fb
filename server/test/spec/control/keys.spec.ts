/* Interface 11 Keys: people limit a key to reading, to inboxes, by a policy and by a time, and change that while it is in use. */
import { contract, listRoutes, routeAccess } from '@postrider/contract';
import type { ApiKey, AuditEntry, NewApiKey } from '@postrider/contract/console';
import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { fillWorkspace, type WorkspaceThings } from '@postrider/testkit/servers/workspace-things.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';

const clock = createMovingClock();
let server: TestServer;
let owner: ConsoleBrowser;
let things: WorkspaceThings;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await signedIn(server);
  owner.workspace = server.id;
  things = await fillWorkspace(server, server);
});
afterAll(() => server.stop());

const create = async (limits: object) => {
  const answer = await owner.request('/keys', { method: 'POST', body: { name: 'agent', ...limits } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as unknown as NewApiKey;
};
const update = async (id: string, body: object) => {
  const answer = await owner.request(`/keys/${id}`, { method: 'PATCH', body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as unknown as ApiKey;
};
const clientOf = ({ key }: NewApiKey) =>
  new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const routes = listRoutes(contract);
/** Calls every route, and returns the answers by route. */
const callAll = async ({ key }: NewApiKey, only: (name: string) => boolean) => {
  const answers: Record<string, string> = {};
  for (const { name, route } of routes.filter(({ name }) => only(name))) {
    const { path = {}, query, body } = routeRequests[name]?.((named) => things.ids[named]) ?? {};
    const filled = route.path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(path[part] ?? ''));
    const url = filled + (query ? `?${new URLSearchParams(query)}` : '');
    const answer = await server.request(url, { key, method: route.method, ...(body && { body }) });
    answers[name] = answer.status < 300 ? 'done' : `${answer.status} ${answer.body.error} ${answer.body.at}`;
  }
  return answers;
};
const refused = '403 sending_not_allowed key';
const entriesOf = async (action: string) => {
  const { body } = await owner.request(`/audit?action=${action}`);
  return (body as unknown as { entries: AuditEntry[] }).entries;
};

test('Interface 11 Keys: a read-only key reads everything, and every route that changes something is refused', async () => {
  const made = await create({ read_only: true });
  expect(made).toMatchObject({ read_only: true, inbox_ids: null, expires_at: null, policy: {} });
  const reading = new Set(
    routes.filter(({ route }) => routeAccess(route) === 'read').map(({ name }) => name),
  );
  expect([...reading].filter((name) => !/\.(list|get|raw|deliveries)$/.test(name))).toEqual([
    'messages.check',
  ]);
  const before = await takeSnapshot(server);
  const answers = await callAll(made, () => true);
  expect(await takeSnapshot(server)).toEqual(before);
  expect(answers).toEqual(
    Object.fromEntries(routes.map(({ name }) => [name, reading.has(name) ? 'done' : refused])),
  );
  const waiting = clientOf(made).messages.list({ subject: 'nothing', wait_seconds: 1 });
  expect((await waiting).messages).toEqual([]);
  const socket = await openRealtime(server.url, made.key);
  await socket.close();
  expect(await clientOf(made).policy.get()).toMatchObject({ read_only: true });
});

test('Interface 11 Keys: a key with a policy writes no rules, suppressions and domains, one with inboxes also no inboxes and labels', async () => {
  const shared = /^(rules|suppressions|domains)\.(?!list|get)/;
  const ofInboxes = /^(inboxes\.(create|delete)|labels\.(create|delete))$/;
  const governed = await callAll(await create({ policy: { per_day: 5 } }), (name) => shared.test(name));
  expect(new Set(Object.values(governed))).toEqual(new Set([refused]));
  const limited = await create({ inbox_ids: [things.ids.inbox] });
  const answers = await callAll(limited, (name) => shared.test(name) || ofInboxes.test(name));
  expect(new Set(Object.values(answers))).toEqual(new Set([refused]));
  const client = clientOf(limited);
  const error = await catchApiError(
    client.messages.update(things.ids.message, { add_labels: ['a new name'] }),
    'sending_not_allowed',
  );
  expect(error).toMatchObject({ at: 'key' });
  expect((await client.messages.update(things.ids.message, { add_labels: ['theirs'] })).labels).toHaveLength(
    1,
  );
  const lists = [
    client.rules.list(),
    client.suppressions.list(),
    client.domains.list(),
    client.account.get(),
  ];
  await Promise.all(lists);
});

test('Interface 11 Keys: a key is refused from its time on, and its waits and sockets end then', async () => {
  const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const made = await create({ expires_at });
  expect(made.expires_at).toBe(expires_at);
  const socket = await openRealtime(server.url, made.key);
  const waiting = catchApiError(
    clientOf(made).messages.list({ subject: 'nothing', wait_seconds: 60 }),
    'invalid_token',
  );
  await clientOf(made).inboxes.list();
  clock.advance(3_600_000);
  await catchApiError(clientOf(made).inboxes.list(), 'invalid_token');
  server.server.deps.wakeups.wake(server.id, 'keys');
  expect((await socket.ended).code).toBe(4001);
  await waiting;
  const late = await owner.request('/keys', { method: 'POST', body: { name: 'late', expires_at } });
  expect([late.status, late.body.error]).toEqual([400, 'invalid_request']);
  const long = new Date(clock.now().getTime() + 3_600_000).toISOString();
  await update(made.id, { expires_at: long });
  await clientOf(made).inboxes.list();
});

test('Interface 11 Keys: other inboxes hold at once, for requests, waits, sockets and webhooks, and the audit log has both', async () => {
  const [first, second] = [things.ids.inbox, (await server.inbox()).id];
  const made = await create({ inbox_ids: [first, second] });
  const client = clientOf(made);
  const hook = await client.webhooks.create({
    url: 'https://agent.example.com/h',
    events: ['message.received'],
  });
  expect(hook.inbox_ids).toEqual([first, second]);
  const { id: redirected } = await server.client.webhooks.create({
    url: 'https://agent.example.com/theirs',
    events: ['message.received'],
    inbox_ids: [first, second],
  });
  await client.webhooks.update(redirected, { url: 'https://agent.example.com/ours' });
  const socket = await openRealtime(server.url, made.key);
  const waiting = catchApiError(
    client.messages.list({ subject: 'nothing', wait_seconds: 60 }),
    'unavailable',
  );
  await eventually(
    'the request to wait',
    async () => waitingRequests(server.server.deps).countOf(server.id) === 1,
  );
  expect(await update(made.id, { inbox_ids: [second] })).toMatchObject({ inbox_ids: [second] });
  await catchApiError(client.inboxes.get(first), 'not_found');
  expect((await socket.ended).code).toBe(1001);
  await waiting;
  for (const id of [hook.id, redirected]) expect((await client.webhooks.get(id)).inbox_ids).toEqual([second]);
  const [entry] = await entriesOf('key.changed');
  expect(entry).toMatchObject({
    actor: { kind: 'person' },
    target: made.id,
    before: { inbox_ids: [first, second] },
    after: { inbox_ids: [second] },
  });
  await update(made.id, { inbox_ids: [] });
  expect((await client.inboxes.list()).inboxes).toEqual([]);
  expect((await client.messages.list()).messages).toEqual([]);
  expect((await client.threads.list()).threads).toEqual([]);
  expect((await client.messages.list({ query: 'plan' })).messages).toEqual([]);
  expect((await client.events.list()).events).toEqual([]);
  await update(made.id, { inbox_ids: null, name: 'renamed' });
  expect((await client.inboxes.get(first)).id).toBe(first);
  const unknown = await owner.request(`/keys/${made.id}`, {
    method: 'PATCH',
    body: { inbox_ids: ['inb_x'] },
  });
  expect([unknown.status, unknown.body.param]).toEqual([404, 'inbox_ids']);
});

test('Interface 11 Keys: what waits to be posted of an inbox that the key lost is not posted', async () => {
  const { id: inbox_id } = await server.inbox();
  const made = await create({ inbox_ids: [inbox_id, things.ids.inbox] });
  const client = clientOf(made);
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  receiver.always(500);
  clock.stop();
  onTestFinished(clock.goOn);
  const { id } = await client.webhooks.create({ url: receiver.url, events: ['message.sent'] });
  const statuses = () =>
    server.rows<{ status: string; attempts: number }>(
      'select status, jsonb_array_length(attempts::jsonb) as attempts from webhook_deliveries where webhook_id = $1',
      [id],
    );
  await client.messages.send({ inbox_id, to: 'ada@remote.example', subject: 'Theirs soon' });
  await eventually('the attempt to be recorded', async () => (await statuses())[0]?.attempts === 1);
  await update(made.id, { inbox_ids: [things.ids.inbox] });
  clock.advance(3_600_000);
  await expect.poll(statuses).toEqual([{ status: 'failed', attempts: 1 }]);
  expect(receiver.requests).toHaveLength(1);
});

test('Interface 11 Keys: a scheduled draft of a key that lost the inbox fails', async () => {
  const made = await create({ inbox_ids: [things.ids.inbox] });
  const at = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const body = { inbox_id: things.ids.inbox, to: ['ada@remote.example'], subject: 'Later', text: 'Hi' };
  const { id } = await clientOf(made).drafts.create({ ...body, scheduled_at: at });
  await update(made.id, { inbox_ids: [] });
  clock.advance(3_601_000);
  await expect.poll(async () => (await server.client.drafts.get(id)).failure).toBe('not_found');
});

test('Interface 11 Keys: POSTRIDER_BOOTSTRAP limits keys, by ids and addresses, from each start on', async () => {
  const key = `pr_live_${'k'.repeat(43)}`;
  const entry = { name: 'agents', key, inbox_ids: ['agent@postrider.test'], read_only: true };
  const env = { POSTRIDER_BOOTSTRAP: JSON.stringify([{ ...entry, policy: { send: 'approve' } }]) };
  const other = await startTestServer({ env });
  const client = new Postrider({ apiKey: key, baseURL: `${other.url}/v1`, maxRetries: 0 });
  const { inboxes } = await client.inboxes.list();
  expect(inboxes.map(({ address }) => address)).toEqual(['agent@postrider.test']);
  expect(await client.policy.get()).toMatchObject({ send: 'approve', read_only: true });
  await catchApiError(
    client.inboxes.update(inboxes[0]?.id ?? '', { display_name: 'A' }),
    'sending_not_allowed',
  );
  await other.stop();
});
