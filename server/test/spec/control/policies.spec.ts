/* Interface 11: of the policies of key, inbox and workspace the strictest holds, line by line, for everything that a key sends. */
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { pause, resume } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
let workspaceId: string;
let inboxId: string;
let keyId: string;
let client: Postrider;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'off' } });
  workspaceId = (await server.client.account.get()).workspace.id;
});
afterAll(() => server.stop());

beforeEach(async () => {
  const made = await createKey(server.server.deps, server.name, 'agent');
  keyId = made.id;
  client = new Postrider({ apiKey: made.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  count += 1;
  inboxId = (await server.client.inboxes.create({ local_part: `agent-${count}` })).id;
});

const set = (level: 'workspace' | 'inbox' | 'key', lines: Parameters<typeof setPolicy>[2]) => {
  const subjectId = { workspace: workspaceId, inbox: inboxId, key: keyId }[level];
  return setPolicy(server.server.deps, { workspaceId, level, subjectId }, lines, operator);
};
const send = (to: string | string[] = 'ada@remote.example') =>
  client.messages.send({ inbox_id: inboxId, to, subject: 'Hello', text: 'Hello' });

test('Interface 11 Policy: without one, everything is allowed', async () => {
  expect(await client.policy.get()).toMatchObject({
    send: 'allow',
    recipients: 'anyone',
    from: { send: 'default' },
  });
  expect(await send()).toMatchObject({ delivery_status: 'sent' });
});

test('Interface 11 Policy: never refuses a send and names the place', async () => {
  await set('inbox', { send: 'never' });
  await expect(send()).rejects.toMatchObject({
    status: 403,
    code: 'sending_not_allowed',
    body: { at: 'inbox' },
  });
  expect(await client.policy.get({ inbox_id: inboxId })).toMatchObject({
    send: 'never',
    from: { send: 'inbox' },
  });
  expect(await client.policy.get()).toMatchObject({ send: 'allow' });
});

test('Interface 11 Policy: approve stores the message as held', async () => {
  await set('key', { send: 'approve' });
  const sent = await send(['ada@remote.example', 'bob@remote.example']);
  expect(sent.delivery_status).toBe('held');
  const message = await client.messages.get(sent.id);
  expect(message.recipients.map(({ status }) => status)).toEqual(['held', 'held']);
  expect(
    await server.client.messages.send({ inbox_id: inboxId, to: 'a@remote.example', subject: 'x' }),
  ).toMatchObject({
    delivery_status: 'sent',
  });
});

test('Interface 11 Policy: recipients that are left out are dropped', async () => {
  await set('key', { recipients: ['remote.example', 'eve@other.example'] });
  const sent = await send(['ada@mail.remote.example', 'eve@other.example', 'bob@other.example']);
  expect(sent.dropped).toEqual([{ address: 'bob@other.example', reason: 'policy' }]);
  const body = await catchApiError(send('bob@other.example'), 'no_deliverable_recipients');
  expect(body.blocked).toEqual([{ address: 'bob@other.example', reason: 'policy' }]);
});

test('Interface 11 Policy: a cap counts each recipient, and deleting a message does not free it', async () => {
  await set('key', { per_hour: 3 });
  const { id } = await send(['ada@remote.example', 'bob@remote.example']);
  await server.client.messages.delete(id);
  await expect(send(['ada@remote.example', 'bob@remote.example'])).rejects.toMatchObject({
    status: 429,
    body: { reason: 'policy' },
  });
  await send();
  await expect(send()).rejects.toMatchObject({ status: 429 });
});

test('Interface 11 Policy: a recipient gets as many mails a day as the policy allows, under any plus tag', async () => {
  await set('inbox', { per_recipient_day: 2 });
  await send('ada+1@remote.example');
  await send('ada+2@remote.example');
  await expect(send('ada+3@remote.example')).rejects.toMatchObject({ status: 429 });
  await send('bob@remote.example');
});

test('Interface 11 Pause: sends are refused until it ends', async () => {
  const place = { level: 'key', workspaceId, subjectId: keyId } as const;
  await pause(server.server.deps, place, 'it writes nonsense', operator);
  await expect(send()).rejects.toMatchObject({ status: 409, code: 'sending_paused', body: { at: 'key' } });
  expect(await client.policy.get()).toMatchObject({ paused: 'key' });
  await resume(server.server.deps, place, operator);
  expect(await send()).toMatchObject({ delivery_status: 'sent' });
});
