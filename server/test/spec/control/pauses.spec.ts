/* Interface 11 Pause: what is sent waits, goes on after the resume, and expires on time; mail is received as ever. */
import type { ApprovalSummary } from '@postrider/contract/console';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { deliverMail } from '@postrider/testkit/mail/thread-mail.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer, TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { type Inbox, Postrider } from 'postrider';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { type PausePlace, pause, resume, wholeServer } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

/** At this scale a deferred recipient is due after a second, and a worker looks sixty times a second. */
const timeScale = 60;
const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let workspace: TestWorkspace;
let client: Postrider;
let inbox: Inbox;
const paused: PausePlace[] = [];

beforeAll(async () => {
  running = await startServerWithSink({
    clock,
    waits: { peerMs: 300_000 },
    env: { POSTRIDER_TIME_SCALE: String(timeScale), POSTRIDER_MAIL_DOMAIN: 'agents.test' },
  });
  ({ server, sink } = running);
});
afterAll(() => running.stop());

beforeEach(async () => {
  workspace = await server.workspace();
  ({ client } = workspace);
  inbox = await server.inbox(workspace);
});
afterEach(async () => {
  clock.goOn();
  sink.clearScript();
  for (const place of paused.splice(0)) await resume(server.server.deps, place, operator);
});

const ofWorkspace = (): PausePlace => ({
  level: 'workspace',
  workspaceId: workspace.id,
  subjectId: workspace.id,
});
const ofInbox = (): PausePlace => ({ level: 'inbox', workspaceId: workspace.id, subjectId: inbox.id });
const ofKey = (): PausePlace => ({ level: 'key', workspaceId: workspace.id, subjectId: workspace.keyId });
const stop = (place: PausePlace) => {
  paused.push(place);
  return pause(server.server.deps, place, null, operator);
};
const goOn = (place: PausePlace) => resume(server.server.deps, place, operator);
const freshAddress = () => `${server.freshName('rcpt')}@remote.example`;
const letter = (to = freshAddress()) => ({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello' });
const statusOf = async (id: string) => (await client.messages.get(id)).recipients[0]?.status;
const reaches = (id: string, status: string) =>
  eventually(`${id} to be ${status}`, async () => (await statusOf(id)) === status);
/** Sends a message that the relay defers, and stops the clock: it is due again after a second, which may pass before the pause begins. */
const sendDeferred = async () => {
  clock.stop();
  const to = freshAddress();
  sink.script({ at: 'rcpt', recipient: to, reply: '451 4.7.1 Later', times: 1 });
  const { id } = await client.messages.send(letter(to));
  return { id, to };
};
/** Resolves once a worker has looked at what is due, and so lets it wait. */
const waits = (to: string) => {
  clock.goOn();
  return eventually(`mail to ${to} to wait`, async () => {
    const rows = await server.rows(
      'select from message_recipients where address = $1 and resume_at is not null',
      [to],
    );
    return rows.length === 1;
  });
};

for (const [level, place] of [
  ['key', ofKey],
  ['inbox', ofInbox],
  ['workspace', ofWorkspace],
  ['server', () => wholeServer],
] as const)
  test(`Interface 11 Pause: deferred mail waits while the ${level} is paused, and goes on after the resume`, async () => {
    const { id, to } = await sendDeferred();
    await stop(place());
    await waits(to);
    expect(await statusOf(id)).toBe('deferred');
    await goOn(place());
    await reaches(id, 'sent');
    expect(sink.copiesFor(to)).toHaveLength(1);
  });

test('Interface 11 Pause: mail that another key sent waits while the key that wrote its draft is paused', async () => {
  const { key } = await createKey(server.server.deps, workspace.name, 'other');
  const other = new Postrider({ apiKey: key, baseURL: `${server.url}/v1` });
  const to = freshAddress();
  sink.script({ at: 'rcpt', recipient: to, reply: '451 4.7.1 Later', times: 1 });
  const draft = await client.drafts.create({ ...letter(), to: [to] });
  clock.stop();
  const { id } = await other.drafts.send(draft.id);
  await stop(ofKey());
  await waits(to);
  const further = await client.drafts.create({ ...letter(), to: [to] });
  await expect(other.drafts.send(further.id)).rejects.toMatchObject({ status: 409, body: { at: 'key' } });
  expect(sink.copiesFor(to)).toEqual([]);
  await goOn(ofKey());
  await reaches(id, 'sent');
});

test('Interface 11 Pause: mail that the relay was about to take waits, and goes on at once after the resume', async () => {
  const to = freshAddress();
  // The message is stored before the relay agrees to take it.
  const agreed = Promise.withResolvers<void>();
  sink.script({ at: 'data', recipient: to, until: agreed.promise, times: 1 });
  const sending = client.messages.send(letter(to));
  await eventually('the message to be stored', async () => {
    const rows = await server.rows(
      "select from message_recipients where address = $1 and status = 'queued'",
      [to],
    );
    return rows.length === 1;
  });
  expect(await stop(ofInbox())).toEqual({ underWay: 0 });
  agreed.resolve();
  await waits(to);
  const { id } = await sending;
  expect(sink.copiesFor(to)).toEqual([]);
  expect(await statusOf(id)).toBe('queued');
  await goOn(ofInbox());
  await reaches(id, 'sent');
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('Interface 11 Pause: of two pauses the end of one keeps the other', async () => {
  const { id, to } = await sendDeferred();
  await stop(ofInbox());
  await stop(ofWorkspace());
  await waits(to);
  await goOn(ofWorkspace());
  await expect(client.messages.send(letter())).rejects.toMatchObject({ status: 409, body: { at: 'inbox' } });
  await waits(to);
  expect(sink.copiesFor(to)).toEqual([]);
  await goOn(ofInbox());
  await reaches(id, 'sent');
});

test('Interface 11 Pause: another inbox, key or workspace is not concerned', async () => {
  await stop(ofInbox());
  const other = await server.inbox(workspace);
  await client.messages.send({ ...letter(), inbox_id: other.id });
  await goOn(ofInbox());
  await stop(ofKey());
  const { key } = await createKey(server.server.deps, workspace.name, 'other');
  await new Postrider({ apiKey: key, baseURL: `${server.url}/v1` }).messages.send(letter());
  await stop(ofWorkspace());
  const elsewhere = await server.workspace();
  const theirs = await server.inbox(elsewhere);
  await elsewhere.client.messages.send({ ...letter(), inbox_id: theirs.id });
});

test('Interface 11 Pause: every way to send is a 409, and a repeat of a client_id answers as before', async () => {
  const first = { ...letter(), client_id: server.freshName() };
  const { id } = await client.messages.send(first);
  const draft = await client.drafts.create(letter());
  await stop(ofWorkspace());
  const refusal = { status: 409, code: 'sending_paused', body: { at: 'workspace' } };
  await expect(client.messages.send(letter())).rejects.toMatchObject(refusal);
  await expect(client.messages.reply(id, { text: 'Hi' })).rejects.toMatchObject(refusal);
  await expect(client.messages.forward(id, { to: freshAddress() })).rejects.toMatchObject(refusal);
  await expect(client.drafts.send(draft.id)).rejects.toMatchObject(refusal);
  expect(await client.messages.send(first)).toMatchObject({ id, idempotent: true });
  expect((await client.drafts.get(draft.id)).status).toBe('draft');
});

test('Interface 11 Pause: people cannot send in the console either', async () => {
  const person = await signedIn(server, 'owner', workspace);
  const send = () => person.request('/v1/messages', { method: 'POST', body: letter() });
  await stop(ofKey());
  expect((await send()).status).toBe(201);
  await stop(ofInbox());
  expect(await send()).toMatchObject({ status: 409, body: { error: 'sending_paused', at: 'inbox' } });
});

test('Interface 11 Pause: a scheduled draft waits, and goes out after the resume', async () => {
  const to = freshAddress();
  await stop(ofWorkspace());
  const scheduled_at = new Date(clock.now().getTime() + 60_000).toISOString();
  const { id } = await client.drafts.create({ ...letter(to), scheduled_at });
  clock.advance(61_000);
  // At this scale a claim ends after a second, and a pause is looked at again after a minute.
  await eventually('the draft to wait for longer than a claim', async () => {
    const rows = await server.rows(
      "select from drafts where id = $1 and due_at > scheduled_at + interval '45 seconds' and attempts > 0",
      [id],
    );
    return rows.length === 1;
  });
  expect(await client.drafts.get(id)).toMatchObject({ status: 'scheduled', failure: null });
  await goOn(ofWorkspace());
  await eventually('the draft to be sent', async () => (await client.drafts.get(id)).status === 'sent');
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('Interface 11 Pause: a message expires during the pause, and says so', async () => {
  const { id, to } = await sendDeferred();
  await stop(ofWorkspace());
  await waits(to);
  clock.advance(8 * 24 * 3_600_000);
  await reaches(id, 'failed');
  const { recipients } = await client.messages.get(id);
  expect(recipients[0]?.detail).toBe('expired: sending was paused until the message expired');
  const [event] = await eventually('its event', async () => {
    const { events } = await client.events.list({ events: ['message.rejected'] });
    return events.length > 0 && events;
  });
  expect(event).toMatchObject({ message: { id }, recipient: to, reason: 'expired' });
});

test('Interface 11 Pause: a message that expired while no worker looked is not sent after the resume', async () => {
  const { id, to } = await sendDeferred();
  await stop(ofInbox());
  await waits(to);
  // In one transaction, so that no worker looks in between.
  await server.rows('update message_recipients set expires_at = resume_at where address = $1', [to]);
  await goOn(ofInbox());
  await reaches(id, 'failed');
  expect(sink.copiesFor(to)).toEqual([]);
});

test('Interface 11 Pause: mail is received, and its events and webhooks come', async () => {
  const receiver = await startWebhookReceiver();
  await client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  await stop(ofWorkspace());
  await stop(wholeServer);
  const id = server.freshName('mail');
  await deliverMail(server, inbox.address, { id });
  const [request] = await receiver.waitFor(1);
  expect(request?.event).toMatchObject({ event: 'message.received' });
  const { messages } = await client.messages.list({ inbox_id: inbox.id });
  expect(messages).toHaveLength(1);
  await receiver.close();
});

test('Interface 11 Pause: simulated recipients and the sandbox wait as well', async () => {
  const simulated = `success+${server.freshName()}@simulator.agents.test`;
  const tested = await server.workspace({ isTest: true });
  const theirs = await server.inbox(tested);
  const sandboxed = freshAddress();
  await client.messages.send(letter(simulated));
  await tested.client.messages.send({ ...letter(sandboxed), inbox_id: theirs.id });
  await stop(wholeServer);
  const again = tested.client.messages.send({ ...letter(), inbox_id: theirs.id });
  await expect(again).rejects.toMatchObject({ status: 409 });
  // As if they had been deferred before.
  for (const to of [simulated, sandboxed]) {
    await server.rows("update message_recipients set status = 'deferred', due_at = $2 where address = $1", [
      to,
      clock.now(),
    ]);
    await waits(to);
  }
  await goOn(wholeServer);
  const outcomes = { [simulated]: 'delivered', [sandboxed]: 'sent' };
  for (const [to, status] of Object.entries(outcomes))
    await eventually('a delivery', async () => {
      const rows = await server.rows('select status from message_recipients where address = $1', [to]);
      return rows[0]?.status === status;
    });
});

test('Interface 11 Pause: held mail stays held, and once approved it waits for the resume', async () => {
  const place = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  const to = freshAddress();
  const { id } = await client.messages.send(letter(to));
  await stop(ofWorkspace());
  const person = await signedIn(server, 'owner', workspace);
  const shown = (await person.request(`/approvals/${id}`)).body as unknown as ApprovalSummary;
  const body = { decision: 'approve', messages: [{ message_id: id, content_hash: shown.content_hash }] };
  expect((await person.request('/approvals/decide', { method: 'POST', body })).status).toBe(200);
  await waits(to);
  expect(sink.copiesFor(to)).toEqual([]);
  await goOn(ofWorkspace());
  await reaches(id, 'sent');
  expect(sink.copiesFor(to)).toHaveLength(1);
});
