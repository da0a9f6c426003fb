/* Section 7: attachments of both directions count, only sends with attachments are refused, and what is deleted is free at once. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import {
  joinTestServer,
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { purgeInbox } from '../../../src/inboxes/purge-inbox.ts';
import { rollUpUsage } from '../../../src/workspaces/usage-days.ts';

const cap = 10_000;
const gib = 1_073_741_824;
let server: TestServer;
let full: TestWorkspace;
let inbox: Inbox;

beforeAll(async () => {
  server = await startTestServer({
    env: { POSTRIDER_PLANS: JSON.stringify({ free: { storage_bytes: cap, mail_bytes: gib } }) },
  });
  full = await server.workspace({ plan: 'free' });
  inbox = await server.inbox(full);
});
afterAll(() => server.stop());

const to = ['ada@remote.example'];
const fileOf = (bytes: number) => ({ filename: 'x.bin', content: Buffer.alloc(bytes, 'x') });
const send = ({ client }: TestWorkspace, from: Inbox, bytes?: number) =>
  client.messages.send({
    inbox_id: from.id,
    to,
    subject: 's',
    text: 't',
    ...(bytes !== undefined && { attachments: [fileOf(bytes)] }),
  });
const storageOf = async ({ client }: TestWorkspace) => (await client.account.get()).usage.storage_bytes;
const receive = (at: Inbox, bytes: number) =>
  sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: at.address,
    subject: 'File',
    text: `Of ${bytes} bytes`,
    attachments: [fileOf(bytes)],
  });

test.each([
  { rule: 'Interface 7 attachment storage, Pro', plan: 'pro', limit_bytes: 20 * gib, upgrade: true },
  { rule: 'Interface 7 attachment storage, Scale', plan: 'scale', limit_bytes: 100 * gib, upgrade: true },
  {
    rule: 'Interface 7 attachment storage, Business',
    plan: 'business',
    limit_bytes: 500 * gib,
    upgrade: false,
  },
] as const)('$rule: $limit_bytes bytes, and then 402 with upgrade $upgrade', async (row) => {
  const { plan, limit_bytes, upgrade } = row;
  const owner = await server.workspace({ plan });
  const from = await server.inbox(owner);
  await server.rows(
    "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'storage_bytes', $2, now())",
    [owner.id, limit_bytes - 1],
  );
  await send(owner, from, 1);
  await catchApiError(send(owner, from, 1), 'storage_limit_reached', { upgrade, limit_bytes });
});

test('Errors 402 storage_limit_reached: a send with attachments at the cap of the plan is refused, with limit_bytes and upgrade', async () => {
  await send(full, inbox, 4_000);
  await receive(inbox, 5_999);
  expect(await storageOf(full)).toBe(cap - 1);
  await send(full, inbox, 2_000);
  await catchApiError(send(full, inbox, 1), 'storage_limit_reached', { upgrade: true, limit_bytes: cap });
  await catchApiError(send(full, inbox, 0), 'storage_limit_reached');
});

test('Interface 7: at the storage cap mail without attachments is sent, and inbound mail is taken with its attachments', async () => {
  const before = await storageOf(full);
  expect(before).toBeGreaterThanOrEqual(cap);
  await send(full, inbox);
  expect((await receive(inbox, 3_000)).accepted).toEqual([inbox.address]);
  expect(await storageOf(full)).toBe(before + 3_000);
});

test('Interface 7: replies and forwards with attachments are refused at the storage cap, and without them they are sent', async () => {
  const { messages } = full.client;
  const [original] = (await messages.list({ direction: 'inbound', has_attachment: true })).messages;
  const id = original?.id ?? '';
  const withFile = { attachments: [fileOf(1)] };
  await catchApiError(messages.reply(id, { text: 'Here', ...withFile }), 'storage_limit_reached');
  await catchApiError(messages.forward(id, { to }), 'storage_limit_reached');
  await messages.reply(id, { text: 'Yes' });
  const forwarded = await messages.forward(id, { to, include_attachments: false });
  expect(forwarded.attachments).toEqual([]);
});

test('Interface 3 Inbox: deleting frees its attachments at once, before they are removed, and only once', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const kept = await server.inbox(owner);
  const gone = await server.inbox(owner);
  await send(owner, kept, 1_000);
  await send(owner, gone, 5_000);
  await receive(gone, 4_500);
  await catchApiError(send(owner, kept, 1), 'storage_limit_reached');
  const deletions = Array.from({ length: 20 }, () => owner.client.inboxes.delete(gone.id));
  const answers = await Promise.allSettled(deletions);
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  expect(await storageOf(owner)).toBe(1_000);
  await send(owner, kept, 500);
  const { deps } = server.server;
  await rollUpUsage(deps).run({});
  await purgeInbox(deps).run({ workspaceId: owner.id, inboxId: gone.id });
  expect(await storageOf(owner)).toBe(1_500);
});

test('Interface 3 Inbox: however deletions race with mail that has attachments, what is left is what the figure says', async () => {
  const owner = await server.workspace({ plan: 'business' });
  for (let round = 0; round < 5; round += 1) {
    const racing = await server.inbox(owner);
    const mails = Array.from({ length: 8 }, (_, i) => receive(racing, 100 + i).catch(() => null));
    const sends = Array.from({ length: 8 }, () => send(owner, racing, 50).catch(() => null));
    await Promise.race([...mails, ...sends]);
    await owner.client.inboxes.delete(racing.id);
    await Promise.all([...mails, ...sends]);
    await server.filed();
    expect(await storageOf(owner)).toBe(0);
  }
});

test('Limits Free plan attachment storage: 5 GB unless configuration says otherwise', async () => {
  const usual = await joinTestServer();
  const owner = await usual.workspace({ plan: 'free' });
  expect((await owner.client.account.get()).limits.storage_bytes).toBe(5 * gib);
  expect((await full.client.account.get()).limits.storage_bytes).toBe(cap);
  await usual.rows(
    "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'storage_bytes', $2, now())",
    [owner.id, 5 * gib],
  );
  const from = await usual.inbox(owner);
  await catchApiError(send(owner, from, 1), 'storage_limit_reached', { upgrade: true, limit_bytes: 5 * gib });
  await usual.stop();
});
