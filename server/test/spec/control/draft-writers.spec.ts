/* Interface 11 Policy: whose policies hold for a draft that a key and a person work on together. */
import type { ApprovalSummary } from '@postrider/contract/console';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { type Draft, type Inbox, Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
/** Has the policy `approve`. */
let agent: Postrider;
/** Has no policy. */
let free: Postrider;
/** The ids of their keys. */
let keys: { agent: string; free: string };
let person: Awaited<ReturnType<typeof signedIn>>;
let inbox: Inbox;
beforeAll(async () => {
  server = await startTestServer();
  const workspace = await server.workspace();
  agent = workspace.client;
  inbox = await server.inbox(workspace);
  const place = { workspaceId: workspace.id, level: 'key', subjectId: workspace.keyId } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  const { key, id } = await createKey(server.server.deps, workspace.name, 'free');
  keys = { agent: workspace.keyId, free: id };
  free = new Postrider({ apiKey: key, baseURL: `${server.url}/v1` });
  person = await signedIn(server, 'owner', workspace);
});
afterAll(() => server.stop());

const later = '2090-01-31T09:00:00.000Z';
const letter = () => ({ inbox_id: inbox.id, to: ['ada@x.example'], subject: 'Hello', text: 'Hello' });

/** Changes a draft as a person; by default in the state that it has. */
async function rewrite(id: string, change: object, seen = true): Promise<Draft> {
  const { updated_at } = await agent.drafts.get(id);
  const body = { ...change, ...(seen && { seen_updated_at: updated_at }) };
  const { status, body: draft } = await person.request(`/v1/drafts/${id}`, { method: 'PATCH', body });
  expect(status).toBe(200);
  return draft as unknown as Draft;
}

/** Sends a draft as a person, and returns whether it waits for approval. */
async function isHeld(id: string): Promise<boolean> {
  const { status, body } = await person.request(`/v1/drafts/${id}/send`, { method: 'POST', body: {} });
  expect(status).toBe(201);
  return (body as { delivery_status?: string }).delivery_status === 'held';
}

/** Waits until a draft is sent at its time, and returns whether it waits for approval. */
async function isHeldAtItsTime(id: string): Promise<boolean> {
  const messageId = await eventually('its time', async () => (await agent.drafts.get(id)).message_id);
  return (await agent.messages.get(messageId)).delivery_status === 'held';
}

test("Interface 11 Policy: a draft that a person only touches is still the key's", async () => {
  const { id } = await agent.drafts.create({ ...letter(), scheduled_at: later });
  await rewrite(id, { metadata: { seen: 'yes' } });
  await rewrite(id, { scheduled_at: null });
  await agent.drafts.update(id, { text: 'Rewritten' });
  await rewrite(id, { to: ['bob@x.example'], subject: 'Changed', attachments: [] });
  await rewrite(id, { scheduled_at: new Date().toISOString() });
  expect(await isHeldAtItsTime(id)).toBe(true);
  const seen = await agent.drafts.create(letter());
  expect(await isHeld(seen.id)).toBe(true);
});

test('Interface 11 Policy: a person who writes the whole body anew is the writer', async () => {
  const plain = await agent.drafts.create(letter());
  await rewrite(plain.id, { text: 'Written by a person' });
  await rewrite(plain.id, { subject: 'And the subject' });
  expect(await isHeld(plain.id)).toBe(false);
  const formatted = await agent.drafts.create({ ...letter(), html: '<p>Hello</p>' });
  await rewrite(formatted.id, { text: 'Written by a person', html: null });
  expect(await isHeld(formatted.id)).toBe(false);
  const both = await agent.drafts.create({ ...letter(), html: '<p>Hello</p>' });
  await rewrite(both.id, { text: 'Written by a person' });
  expect(await isHeld(both.id)).toBe(true);
});

test('Interface 11 Policy: a person is not the writer of what a key has changed unseen', async () => {
  const { id, updated_at } = await agent.drafts.create(letter());
  await agent.drafts.update(id, { to: ['eve@x.example'] });
  await rewrite(id, { text: 'Written by a person', seen_updated_at: updated_at }, false);
  await rewrite(id, { text: 'Written by a person, who says nothing' }, false);
  expect(await isHeld(id)).toBe(true);
  const { body } = await person.request('/v1/drafts', { method: 'POST', body: letter() });
  const own = body as unknown as Draft;
  await agent.drafts.update(own.id, { text: 'Changed by a key' });
  expect(await isHeld(own.id)).toBe(true);
});

test('Interface 11 Policy: the key that wrote a draft and the key that schedules it are both bound', async () => {
  const written = await agent.drafts.create(letter());
  await free.drafts.update(written.id, { scheduled_at: new Date().toISOString() });
  expect(await isHeldAtItsTime(written.id)).toBe(true);
  const scheduled = await free.drafts.create(letter());
  await agent.drafts.update(scheduled.id, { scheduled_at: new Date().toISOString() });
  expect(await isHeldAtItsTime(scheduled.id)).toBe(true);
  const { body } = await person.request('/v1/drafts', { method: 'POST', body: letter() });
  const own = body as unknown as Draft;
  await agent.drafts.update(own.id, { scheduled_at: new Date().toISOString() });
  expect(await isHeldAtItsTime(own.id)).toBe(true);
});

test('Interface 11 Approval: people see the key that wrote a draft and the key that sends it', async () => {
  const summaryOf = async (messageId: string) => {
    const { body } = await person.request('/approvals?state=held');
    const found = (body.approvals as unknown as ApprovalSummary[]).find(
      ({ message_id }) => message_id === messageId,
    );
    return { key: found?.key?.id ?? null, writer: found?.writer?.id ?? null };
  };
  const draft = () => agent.drafts.create(letter());
  const [byKey, byItself, byPerson] = [await draft(), await draft(), await draft()];
  expect(await summaryOf((await free.drafts.send(byKey.id)).id)).toEqual({
    key: keys.free,
    writer: keys.agent,
  });
  expect(await summaryOf((await agent.drafts.send(byItself.id)).id)).toEqual({
    key: keys.agent,
    writer: null,
  });
  await isHeld(byPerson.id);
  const { message_id } = await agent.drafts.get(byPerson.id);
  expect(await summaryOf(message_id ?? '')).toEqual({ key: null, writer: keys.agent });
});
