/* Interface 18: an event for what is sent, held, put off, changed and deleted, and for what becomes of drafts. */
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { receiveMessage } from '@postrider/testkit/mail/received-message.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { Postrider, type PostriderEvent } from 'postrider';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { newId } from '../../../src/lib/ids.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const clock = createMovingClock();
const outside = 'ada@remote.example';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

/** The events of a workspace, once there are as many as `kinds`, without what every event has. */
const log = (owner: TestWorkspace, ...kinds: PostriderEvent['event'][]) =>
  eventually(`the events ${kinds.join(', ')}`, async () => {
    const { events } = await owner.client.events.list({ limit: 100 });
    if (events.length < kinds.length) return false;
    expect(events.map(({ event }) => event)).toEqual(kinds);
    return events;
  });
const desk = async () => {
  const owner = await server.workspace();
  return { owner, inbox: await server.inbox(owner), own: { ...server, client: owner.client } };
};
const approving = (owner: TestWorkspace) =>
  setPolicy(
    server.server.deps,
    { workspaceId: owner.id, level: 'workspace', subjectId: owner.id },
    { send: 'approve' },
    operator,
  );

test('Interface 9, Interface 18: the sandbox keeps mail to the outside as a relay takes it: sent, sandboxed, and message.sent', async () => {
  const { owner, inbox } = await desk();
  const other = await server.inbox(owner);
  const sent = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: [outside, other.address],
    subject: 'Hello',
    text: 'Hi',
  });
  expect(sent.delivery_status).toBe('sent');
  const { recipients } = await owner.client.messages.get(sent.id);
  expect(recipients).toMatchObject([
    { address: outside, status: 'sent', detail: 'sandbox: not sent', sandboxed: true },
    { address: other.address, status: 'delivered', sandboxed: false },
  ]);
  const events = await eventually('three events', async () => {
    const page = await owner.client.events.list();
    return page.events.length === 3 && page.events;
  });
  const told = events.map((event) => `${event.event} ${'recipient' in event ? event.recipient : ''}`);
  expect(told.sort()).toEqual([
    `message.delivered ${other.address}`,
    'message.received ',
    `message.sent ${outside}`,
  ]);
  expect(events.find(({ event }) => event === 'message.sent')).toMatchObject({
    message_ref: sent.id,
    message: { id: sent.id, delivery_status: 'sent' },
  });
});

test('Interface 18: message.deferred tells of the first time that a recipient is put off, and of no other', async () => {
  const { owner, inbox } = await desk();
  const to = 'defer@simulator.postrider.test';
  const { id } = await owner.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hi' });
  const status = async () => (await owner.client.messages.get(id)).delivery_status;
  await eventually('the delivery', async () => {
    clock.advance(5_000);
    return (await status()) === 'delivered';
  });
  const [deferred] = await log(owner, 'message.deferred', 'message.delivered');
  expect(deferred).toMatchObject({
    message_ref: id,
    recipient: to,
    detail: expect.stringMatching(/^4\d\d /),
  });
});

test('Interface 18: message.updated names what a request changed, and a request that changes nothing makes no event', async () => {
  const { owner, inbox, own } = await desk();
  const message = await receiveMessage(own, { inbox });
  const { messages, labels } = owner.client;
  const { id: label } = await labels.create({ name: 'kept' });
  await messages.update(message.id, { add_labels: [label, 'made'], read: true, metadata: { a: '1' } });
  await messages.update(message.id, { add_labels: ['Kept'], read: true, metadata: { a: '1' } });
  await messages.update(message.id, { remove_labels: [label], add_labels: [label] });
  await messages.update(message.id, { remove_labels: ['never made'] });
  await messages.update(message.id, {});
  await messages.update(message.id, { metadata: {} });
  await labels.assign(label, { message_id: message.id });
  await labels.unassign(label, { message_id: message.id });
  await labels.unassign(label, { message_id: message.id });
  await labels.assign(label, { message_id: message.id });
  await labels.delete(label);
  const [, ...updates] = await log(
    owner,
    'message.received',
    'message.updated',
    'message.updated',
    'message.updated',
    'message.updated',
  );
  expect(updates.map((event) => 'changed' in event && event.changed)).toEqual([
    ['labels', 'read', 'metadata'],
    ['metadata'],
    ['labels'],
    ['labels'],
  ]);
  for (const { message_ref, thread_id } of updates)
    expect([message_ref, thread_id]).toEqual([message.id, message.thread_id]);
});

test('Interface 18: a request that is refused makes no event', async () => {
  const { owner, inbox, own } = await desk();
  const message = await receiveMessage(own, { inbox });
  const { messages } = owner.client;
  const wrong = { read: true, metadata: { a: '1' }, add_labels: [newId('lbl')] };
  await catchApiError(messages.update(message.id, wrong), 'not_found');
  await messages.update(message.id, { metadata: { b: '2' } });
  const [, updated] = await log(owner, 'message.received', 'message.updated');
  expect(updated).toMatchObject({ changed: ['metadata'] });
});

test('Interface 18: message.deleted comes once for a message, also with its thread, and none for an inbox', async () => {
  const { owner, inbox, own } = await desk();
  const alone = await receiveMessage(own, { inbox });
  const first = await receiveMessage(own, { inbox });
  const reply = await owner.client.messages.reply(first.id, { text: 'Thanks' });
  await log(owner, 'message.received', 'message.received', 'message.sent');
  await owner.client.messages.delete(alone.id);
  await owner.client.threads.delete(first.thread_id);
  const events = await log(
    owner,
    'message.received',
    'message.received',
    'message.sent',
    'message.deleted',
    'message.deleted',
    'message.deleted',
  );
  expect(events.map(({ message, message_ref }) => [message, message_ref])).toEqual(
    [alone.id, first.id, reply.id, alone.id, first.id, reply.id].map((id) => [null, id]),
  );
  expect(events.at(-1)).toMatchObject({ inbox_id: inbox.id, thread_id: first.thread_id });
  await receiveMessage(own, { inbox: await server.inbox(owner) });
  const before = (await owner.client.events.list({ after: 'latest' })).next_cursor;
  await owner.client.inboxes.delete(inbox.id);
  const later = await owner.client.events.list({ after: before ?? '', wait_seconds: 1 });
  expect(later.events.filter(({ event }) => event === 'message.deleted')).toEqual([]);
});

test('Interface 18: draft.sent has the message, and draft.failed the error code, with the inbox of the draft', async () => {
  const { owner, inbox } = await desk();
  const { drafts, suppressions } = owner.client;
  const letter = { inbox_id: inbox.id, subject: 'Hello', text: 'Hi' };
  const now = await drafts.create({ ...letter, to: outside });
  const sent = await drafts.send(now.id);
  await log(owner, 'draft.sent', 'message.sent');
  await suppressions.create({ address: 'gone@remote.example' });
  const scheduled_at = new Date(clock.now().getTime() + 60_000).toISOString();
  const due = await drafts.create({ ...letter, to: 'gone@remote.example', scheduled_at });
  clock.advance(61_000);
  const [first, , failed] = await log(owner, 'draft.sent', 'message.sent', 'draft.failed');
  expect(first).toMatchObject({ draft_id: now.id, message_ref: sent.id, message: { id: sent.id } });
  expect(failed).toMatchObject({
    draft_id: due.id,
    inbox_id: inbox.id,
    thread_id: null,
    message_ref: null,
    message: null,
    failure: 'no_deliverable_recipients',
  });
});

test('Interface 18: message.held tells that a message waits for people, also that of a draft', async () => {
  const { owner, inbox } = await desk();
  await approving(owner);
  const letter = { inbox_id: inbox.id, to: outside, subject: 'Hello', text: 'Hi' };
  const held = await owner.client.messages.send(letter);
  const draft = await owner.client.drafts.create(letter);
  const drafted = await owner.client.drafts.send(draft.id);
  const events = await log(owner, 'message.held', 'draft.sent', 'message.held');
  expect(events.map(({ message_ref }) => message_ref)).toEqual([held.id, drafted.id, drafted.id]);
});

test('Interface 11 Keys, Interface 18: a key for some inboxes sees the new events of these alone, in the log and on its socket', async () => {
  const { owner, inbox, own } = await desk();
  const foreign = await server.inbox(owner);
  const { key } = await createKey(server.server.deps, owner.name, 'limited', null, { inboxIds: [inbox.id] });
  const limited = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const socket = await openRealtime(server.url, key);
  onTestFinished(async () => void (await socket.close()));
  const { messages, drafts } = owner.client;
  for (const one of [foreign, inbox]) {
    const message = await receiveMessage(own, { inbox: one });
    await messages.update(message.id, { read: true });
    await messages.delete(message.id);
    const draft = await drafts.create({ inbox_id: one.id, to: outside, subject: 'Hello', text: 'Hi' });
    await drafts.send(draft.id);
  }
  const kinds = ['message.received', 'message.updated', 'message.deleted', 'draft.sent', 'message.sent'];
  await eventually('all events', async () => (await owner.client.events.list()).events.length === 10);
  const { events } = await limited.events.list();
  expect(events.map(({ event }) => event)).toEqual(kinds);
  expect(new Set(events.map(({ inbox_id }) => inbox_id))).toEqual(new Set([inbox.id]));
  await eventually('the frames', async () => socket.events.length === kinds.length);
  expect(socket.events.map(({ event }) => event)).toEqual(kinds);
});

test('Interface 18: a webhook gets the new kinds when it names them, and no others', async () => {
  const { owner, inbox, own } = await desk();
  const [named, other] = [await startWebhookReceiver(), await startWebhookReceiver()];
  onTestFinished(async () => {
    await Promise.all([named.close(), other.close()]);
  });
  const { webhooks, messages } = owner.client;
  await webhooks.create({ url: named.url, events: ['message.updated', 'message.deleted'] });
  await webhooks.create({ url: other.url, events: ['message.received', 'message.delivered'] });
  const message = await receiveMessage(own, { inbox });
  await messages.update(message.id, { read: true });
  await messages.delete(message.id);
  const posts = await named.waitFor(2);
  const bodies = posts.map(({ event }) => event);
  expect(bodies.map(({ event }) => event).sort()).toEqual(['message.deleted', 'message.updated']);
  for (const { message_ref } of bodies) expect(message_ref).toBe(message.id);
  await other.waitFor(1);
  expect(other.requests).toHaveLength(1);
});
