/*
 * Interface 11: what a server remembers of policies, pauses and keys outlives no change, whichever of two servers on one database makes
 * it.
 */
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { type Inbox, Postrider } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { changeKey } from '../../../src/keys/change-key.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { pause, resume } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const clock = createMovingClock();
let database: FreshDatabase;
let one: TestServer;
let two: TestServer;
let workspaceId: string;
let inbox: Inbox;
let keyId: string;
let client: Postrider;

beforeAll(async () => {
  database = await freshDatabase();
  const env = { POSTRIDER_SECRET: 'a'.repeat(64) };
  one = await startTestServer({ database: database.settings, env, clock });
  two = await startTestServer({ database: database.settings, env, clock });
});
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await database.drop();
});

/** Lets the first server remember that a new key may send. */
beforeEach(async () => {
  const workspace = await one.workspace();
  workspaceId = workspace.id;
  inbox = await one.inbox(workspace);
  const { id, key } = await createKey(one.server.deps, workspace.name, 'sender');
  keyId = id;
  client = new Postrider({ apiKey: key, baseURL: `${one.url}/v1`, maxRetries: 0 });
  await send();
});

const send = (to = 'ann@remote.example') =>
  client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello' });
const set = (lines: Parameters<typeof setPolicy>[2]) =>
  setPolicy(two.server.deps, { workspaceId, level: 'key', subjectId: keyId }, lines, operator);

test('Interface 11 Policy: never, and its end', async () => {
  await set({ send: 'never' });
  await expect(send()).rejects.toMatchObject({ code: 'sending_not_allowed' });
  await set({ send: 'allow' });
  await send();
});

test('Interface 11 Approval: approve, and its end', async () => {
  await set({ send: 'approve' });
  expect((await send()).delivery_status).toBe('held');
  await set({ send: 'allow' });
  expect((await send()).delivery_status).not.toBe('held');
});

test('Interface 11 Policy: recipients, and more of them', async () => {
  await set({ recipients: ['other.example'] });
  await expect(send()).rejects.toMatchObject({ code: 'no_deliverable_recipients' });
  await set({ recipients: ['other.example', 'remote.example'] });
  await send();
  await set({ recipients: Array.from({ length: 60 }, (_, n) => `r${n}.example`) });
  await expect(send()).rejects.toMatchObject({ code: 'no_deliverable_recipients' });
});

test('Interface 11 Policy: a cap, and a higher one', async () => {
  await set({ per_day: 0 });
  await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
  await set({ per_day: 1, per_recipient_day: 5 });
  await send();
  await expect(send()).rejects.toMatchObject({ code: 'rate_limited' });
  await set({ per_day: 2 });
  await send();
});

test('Interface 11 Pause: a pause, and its end, which has no version of its own', async () => {
  const place = { level: 'key', workspaceId, subjectId: keyId } as const;
  await pause(two.server.deps, place, null, operator);
  await expect(send()).rejects.toMatchObject({ code: 'sending_paused' });
  await resume(two.server.deps, place, operator);
  await send();
});

test('Interface 11 Keys: a key that may only read, and may send again', async () => {
  const key = { workspaceId, id: keyId };
  await changeKey(two.server.deps, key, { readOnly: true }, operator);
  await expect(send()).rejects.toMatchObject({ status: 403 });
  await changeKey(two.server.deps, key, { readOnly: false }, operator);
  await send();
});

test('Interface 11 Keys: a key that has expired', async () => {
  const expiresAt = new Date(clock.now().getTime() + 60_000);
  await changeKey(two.server.deps, { workspaceId, id: keyId }, { expiresAt }, operator);
  await send();
  clock.advance(61_000);
  await expect(send()).rejects.toMatchObject({ code: 'invalid_token' });
});

test('Interface 2: an inbox that is no id is unknown under a policy, too, at the second time as at the first', async () => {
  await set({ recipients: 'known', per_recipient_day: 5 });
  for (const inbox_id of ['inb_\u0000', 'inb_\u0000', 'x'.repeat(100)])
    await expect(
      client.messages.send({ inbox_id, to: 'ann@remote.example', subject: 'Hello', text: 'Hello' }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/^(not_found|invalid_request)$/) });
});
