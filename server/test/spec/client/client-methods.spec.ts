import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import { APIError, NotFoundError, Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

test('Interface 3 Inbox: getOrCreate gives the inbox of the workspace, also where ten ask at once, and no other one', async () => {
  const owner = await server.workspace();
  const local_part = server.freshName();
  const all = await Promise.all(
    Array.from({ length: 10 }, () => owner.client.inboxes.getOrCreate({ local_part, display_name: 'Agent' })),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(await owner.client.inboxes.getOrCreate({ local_part: local_part.toUpperCase() })).toEqual(all[0]);
  const stranger = await server.workspace();
  await catchApiError(stranger.client.inboxes.getOrCreate({ local_part }), 'address_taken');
  await catchApiError(owner.client.inboxes.getOrCreate({ local_part: 'postmaster' }), 'address_taken');
});

test('Limits Inboxes: getOrCreate finds an inbox where the plan has no room for another one', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { inboxes } = owner.client;
  const names = Array.from({ length: 5 }, () => server.freshName());
  const made = [];
  for (const local_part of names) made.push(await inboxes.getOrCreate({ local_part }));
  for (const [index, local_part] of names.entries())
    expect(await inboxes.getOrCreate({ local_part })).toEqual(made[index]);
  await catchApiError(inboxes.getOrCreate({ local_part: server.freshName() }), 'inbox_limit_reached');
});

test('Interface 3 Webhook: ensure creates a webhook once, and sets its events when they are others', async () => {
  const { webhooks } = (await server.workspace()).client;
  const url = 'https://agent.example.com/hooks';
  const first = await webhooks.ensure({ url, events: ['message.received'] });
  expect(first.secret).toMatch(/^whsec_/);
  await webhooks.update(first.id, { enabled: false });
  const again = await webhooks.ensure({ url, events: ['message.received', 'message.bounced'] });
  expect(again).toMatchObject({
    id: first.id,
    enabled: true,
    events: ['message.received', 'message.bounced'],
  });
  expect(await webhooks.ensure({ url, events: ['message.bounced', 'message.received'] })).toEqual(again);
  expect(await webhooks.list().toArray({ limit: 10 })).toHaveLength(1);
});

test('Interface 3 Webhook: ensure called by five programs at once leaves one webhook', async () => {
  const { webhooks } = (await server.workspace()).client;
  const params = { url: 'https://agent.example.com/hooks', events: ['message.received' as const] };
  const ensured = await Promise.all(Array.from({ length: 5 }, () => webhooks.ensure(params)));
  const left = await webhooks.list().toArray({ limit: 10 });
  expect(left).toHaveLength(1);
  expect(new Set(ensured.map(({ id }) => id))).toEqual(new Set([left[0]?.id]));
});

test('Interface 3 Attachment: download gives the bytes of a file as they were sent', async () => {
  const inbox = await server.inbox();
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
  await sendLines(server.smtpPort, { from: 'ada@example.com', to: inbox.address }, [
    'From: ada@example.com',
    'Subject: A file',
    'Content-Type: application/octet-stream; name="data.bin"',
    'Content-Disposition: attachment; filename="data.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
  ]);
  const { messages, attachments } = server.client;
  const { attachments: files } = await messages.waitFor({
    inbox_id: inbox.id,
    after: inbox.created_at,
    timeout: 300_000,
  });
  const [file] = files;
  expect(Buffer.from(await attachments.download(file?.id ?? '')).equals(bytes)).toBe(true);
  await expect(attachments.download('att_unknown')).rejects.toThrow(NotFoundError);
});

test('Interface 2: a client calls endpoints by their path, with other options than those of the client', async () => {
  const { client } = server;
  const inbox = await server.inbox();
  const { data, requestId } = await client
    .request<{ inboxes: { id: string }[] }>('GET', '/inboxes', { query: { limit: 1 } })
    .withResponse();
  expect([data.inboxes.length, typeof requestId]).toEqual([1, 'string']);
  const label = await client.request<{ id: string }>('POST', '/labels', {
    body: { name: server.freshName() },
  });
  await client.request('DELETE', `/labels/${label.id}`);
  const refused = await client.request('GET', `/messages/${label.id}`).catch((reason: unknown) => reason);
  expect(refused).toBeInstanceOf(APIError);
  const patient = client.withOptions({ timeout: 300_000 });
  expect(patient).toBeInstanceOf(Postrider);
  expect(await patient.inboxes.get(inbox.id)).toEqual(inbox);
});
