/* Interface 20: what a key has set up ends with it, unless people keep that. */
import type { AuditEntry, RevokedApiKey } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { type Inbox, Postrider } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pickAdminDeps } from '../../../src/admin/command.ts';
import { keyCommands } from '../../../src/admin/keys.ts';
import type { KeyLimits } from '../../../src/keys/change-key.ts';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

const clock = createMovingClock();
let server: TestServer;
let receiver: WebhookReceiver;
let owner: TestWorkspace;
let inbox: Inbox;
let person: ConsoleBrowser;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTestServer({ clock }), startWebhookReceiver()]);
});
afterAll(() => Promise.all([server.stop(), receiver.close()]));
beforeEach(async () => {
  receiver.reset();
  owner = await server.workspace();
  inbox = await server.inbox(owner);
  person = await signedIn(server, 'owner', owner);
});

const agent = async (limits: Partial<KeyLimits> = {}) => {
  const { id, key } = await createKey(server.server.deps, owner.name, 'agent', null, limits);
  const client = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const hook = await client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  const at = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const body = { inbox_id: inbox.id, to: 'ada@remote.example', text: 'Hi', scheduled_at: at };
  const draft = await client.drafts.create({ ...body, subject: 'Later' });
  return { id, client, hook, draft, body };
};
const revoke = async (id: string, body?: object) => {
  const answer = await person.request(`/keys/${id}/revoke`, { method: 'POST', ...(body && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as unknown as RevokedApiKey;
};
const mailComes = async () => {
  const { id } = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: inbox.address,
    subject: 'News',
    text: 'x',
  });
  await eventually('the mail to come', async () => {
    const { messages } = await owner.client.messages.list({ inbox_id: inbox.id, direction: 'inbound' });
    return messages.length > 0;
  });
  return id;
};
const dueNow = () => {
  clock.advance(3_600_000);
  server.server.deps.wakeups.wake(owner.id, 'drafts');
};

test('Interface 20 Keys: what a revoked key had set up is stopped and named, also without an answer', async () => {
  const { id, hook, draft } = await agent();
  receiver.always(500);
  await mailComes();
  await receiver.waitFor(1);
  const works = await person.request(`/keys/${id}/works`);
  const named = {
    webhooks: [{ id: hook.id, url: hook.url }],
    drafts: [{ id: draft.id, inbox_id: inbox.id, subject: 'Later', scheduled_at: draft.scheduled_at }],
    draft_count: 1,
  };
  expect(works.body).toEqual(named);
  expect(await revoke(id)).toMatchObject({ id, kept: false, ...named });
  expect((await owner.client.webhooks.get(hook.id)).enabled).toBe(false);
  expect(await owner.client.drafts.get(draft.id)).toMatchObject({ status: 'draft', scheduled_at: null });
  const { deliveries } = await owner.client.webhooks.deliveries(hook.id);
  expect(deliveries.map(({ status }) => status)).toEqual(['failed']);
  const posted = receiver.requests.length;
  await mailComes();
  dueNow();
  const last = await owner.client.webhooks.create({
    url: `${receiver.url}/last`,
    events: ['message.received'],
  });
  receiver.always(204);
  await owner.client.webhooks.test(last.id);
  expect(receiver.requests.slice(posted).map(({ path }) => path)).toEqual(['/hooks/last']);
  expect((await owner.client.drafts.get(draft.id)).status).toBe('draft');
  const { body } = await person.request('/audit?action=key.revoked');
  const [entry] = (body as unknown as { entries: AuditEntry[] }).entries;
  expect(entry).toMatchObject({
    target: id,
    after: { kept: false, webhooks: [hook.id], drafts: [draft.id], draft_count: 1 },
  });
  expect(await revoke(id, { keep: true })).toMatchObject({ webhooks: [], drafts: [], draft_count: 0 });
  expect((await owner.client.webhooks.get(hook.id)).enabled).toBe(false);
});

test('Interface 20 Keys: it goes on if people keep it', async () => {
  const { id, hook, draft } = await agent();
  expect(await revoke(id, { keep: true })).toMatchObject({
    kept: true,
    webhooks: [{ id: hook.id }],
    draft_count: 1,
  });
  await mailComes();
  await receiver.waitFor(1);
  dueNow();
  await eventually(
    'the draft to be sent',
    async () => (await owner.client.drafts.get(draft.id)).status === 'sent',
  );
});

test('Interface 20 Keys: expiry changes nothing of it', async () => {
  const { client, draft } = await agent({ expiresAt: new Date(clock.now().getTime() + 600_000) });
  dueNow();
  await eventually(
    'the draft to be sent',
    async () => (await owner.client.drafts.get(draft.id)).status === 'sent',
  );
  await expect(client.account.get()).rejects.toMatchObject({ code: 'invalid_token' });
  await mailComes();
  await receiver.waitFor(1);
});

test('Interface 20 Keys: what is set up at the moment of the revocation is stopped or refused', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, client, hook, draft, body } = await agent();
    const { scheduled_at: _, ...unscheduled } = body;
    const unsent = await Promise.all(
      Array.from({ length: 4 }, () => client.drafts.create({ ...unscheduled, subject: 'Now' })),
    );
    const timed = await Promise.all(
      Array.from({ length: 4 }, () => client.drafts.create({ ...body, subject: 'Soon' })),
    );
    if (round % 2 === 0) dueNow();
    const making = Promise.allSettled([
      ...unsent.map((one) => client.drafts.send(one.id)),
      ...timed.map((one) => owner.client.drafts.send(one.id)),
      owner.client.webhooks.update(hook.id, { events: ['message.delivered'] }),
      ...Array.from({ length: 4 }, () =>
        client.webhooks.create({ url: receiver.url, events: ['message.received'] }),
      ),
      ...Array.from({ length: 4 }, () => client.drafts.create({ ...body, subject: 'At that moment' })),
      client.drafts.update(draft.id, { subject: 'Changed' }),
      client.webhooks.update(hook.id, { enabled: true }),
    ]);
    await revokeKey(server.server.deps, id);
    const refusals = (await making).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refusals.filter((code) => !['invalid_token', 'draft_already_sent'].includes(code))).toEqual([]);
    const left = await server.rows(
      `select id from webhooks where actor_id = $1 and enabled
        union all select id from drafts where actor_id = $1 and due_at is not null and message_id is null`,
      [id],
    );
    expect(left).toEqual([]);
  }
});

test('Interface 20 Keys: what the key wrote and others scheduled loses its time, too', async () => {
  const { id, client, body } = await agent();
  const { scheduled_at, ...unscheduled } = body;
  const { id: draftId } = await client.drafts.create({ ...unscheduled, subject: 'Words of the agent' });
  await owner.client.drafts.update(draftId, { scheduled_at });
  expect(await revoke(id)).toMatchObject({ draft_count: 2 });
  expect((await owner.client.drafts.get(draftId)).status).toBe('draft');
});

test('Interface 20 Keys: the verb keeps or stops it', async () => {
  const deps = pickAdminDeps(server.server.deps);
  const [kept, stopped] = [await agent(), await agent()];
  expect(await keyCommands['keys revoke'](deps, { id: kept.id, keep: true })).toMatchObject({
    revoked: true,
    kept: true,
    webhooks: [{ id: kept.hook.id }],
  });
  expect(await keyCommands['keys revoke'](deps, { id: stopped.id })).toMatchObject({
    kept: false,
    webhooks: [{ id: stopped.hook.id }],
    drafts: [{ id: stopped.draft.id }],
  });
  expect((await owner.client.webhooks.get(kept.hook.id)).enabled).toBe(true);
  expect((await owner.client.webhooks.get(stopped.hook.id)).enabled).toBe(false);
});
