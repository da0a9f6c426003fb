import { limits, reservedNames } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeWorkspace } from '../../../src/workspaces/manage-workspaces.ts';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

test('Inboxes POST /inboxes, Inbox id, Inbox address: answers 201 with the inbox, whose address is on the shared domain and takes mail at once', async () => {
  const local_part = server.freshName();
  const { data, response } = await server.client.inboxes
    .create({ local_part, display_name: 'Support Agent' })
    .withResponse();
  expect(response.status).toBe(201);
  expect(data).toEqual({
    id: expect.stringMatching(/^inb_/),
    local_part,
    display_name: 'Support Agent',
    domain_id: null,
    address: `${local_part}@postrider.test`,
    metadata: {},
    created_at: expect.any(String),
  });
  const mail = { from: 'ada@example.com', to: data.address, subject: 'Hello', text: 'Hi' };
  expect((await sendMail(server.smtpPort, mail)).accepted).toEqual([data.address]);
});

test('Inbox local_part: is lowercased and made of a-z, 0-9, dot, underscore and hyphen', async () => {
  const name = server.freshName();
  for (const spelling of [
    name.toUpperCase(),
    `a.b_c-d.${name}`,
    `-${name}-`,
    `_${name}`,
    '0'.repeat(53) + name.slice(4),
  ])
    expect((await server.client.inboxes.create({ local_part: spelling })).local_part).toBe(
      spelling.toLowerCase(),
    );
  const bad = [
    '',
    ' ',
    '.a',
    'a.',
    'a..b',
    'a b',
    'a+b',
    'ä',
    'İ',
    'ſ',
    'a@b',
    'a/b',
    '"a"',
    'a\u200d',
    '用户',
    'x'.repeat(65),
  ];
  for (const local_part of bad)
    expect([local_part, await invalidFields(server.client.inboxes.create({ local_part }))]).toEqual([
      local_part,
      ['local_part'],
    ]);
});

test('Inbox display_name: is optional, may be null, and has at most 128 characters', async () => {
  const create = (display_name?: string | null) =>
    server.client.inboxes.create({ local_part: server.freshName(), display_name });
  expect((await create()).display_name).toBeNull();
  expect((await create(null)).display_name).toBeNull();
  expect((await create('Zoë "the" Ünïcode 🦊, Esq.')).display_name).toBe('Zoë "the" Ünïcode 🦊, Esq.');
  expect((await create('🦊'.repeat(128))).display_name).toBe('🦊'.repeat(128));
  expect(await invalidFields(create('x'.repeat(129)))).toEqual(['display_name']);
  expect((await create('cut \ud83e')).display_name).toBe('cut \ufffd');
});

test('Inbox domain_id: one that is no verified domain of the workspace is a 404', async () => {
  for (const domain_id of ['x', 'dom_01m7yyvjvwe8jaq5vhx1nbc48k'])
    await catchApiError(
      server.client.inboxes.create({ local_part: server.freshName(), domain_id }),
      'not_found',
    );
});

test('Inboxes POST /inboxes: answers 409 address_taken for an address in use, also to twenty at once', async () => {
  const local_part = server.freshName();
  const workspaces = [server, await server.workspace()];
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => workspaces[i % 2]?.client.inboxes.create({ local_part })),
  );
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  for (const answer of answers)
    if (answer.status === 'rejected') await catchApiError(Promise.reject(answer.reason), 'address_taken');
});

test('Inboxes POST /inboxes: answers 409 address_taken for a reserved name', async () => {
  expect(reservedNames).toHaveLength(13);
  for (const name of reservedNames)
    await catchApiError(server.client.inboxes.create({ local_part: name.toUpperCase() }), 'address_taken');
});

test('Limits Inboxes, Free: five, which is exact for twenty creations at once', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { client } = owner;
  const create = () => client.inboxes.create({ local_part: server.freshName() });
  const answers = await Promise.allSettled(Array.from({ length: 20 }, create));
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(5);
  for (const answer of answers)
    if (answer.status === 'rejected')
      await catchApiError(Promise.reject(answer.reason), 'inbox_limit_reached', { upgrade: true, limit: 5 });
  await changeWorkspace(server.server.deps, owner, { plan: 'pro' });
  await create();
  await changeWorkspace(server.server.deps, owner, { plan: 'free' });
  await catchApiError(create(), 'inbox_limit_reached');
  const { inboxes } = await client.inboxes.list();
  for (const inbox of inboxes.slice(0, 2)) await client.inboxes.delete(inbox.id);
  await create();
  await catchApiError(create(), 'inbox_limit_reached');
});

test('Limits Inboxes, Free: of twenty creations at once right after two deletions two succeed, time and again', async () => {
  const { client } = await server.workspace({ plan: 'free' });
  const create = () => client.inboxes.create({ local_part: server.freshName() });
  for (let count = 0; count < 5; count += 1) await create();
  for (let round = 0; round < 3; round += 1) {
    const { inboxes } = await client.inboxes.list({ limit: 2 });
    await Promise.all(inboxes.map(({ id }) => client.inboxes.delete(id)));
    const answers = await Promise.allSettled(Array.from({ length: 20 }, create));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(2);
    expect((await client.account.get()).usage.inboxes).toBe(5);
  }
});

test.each([
  { rule: 'Limits Inboxes, Pro', plan: 'pro', limit: 100, upgrade: true },
  { rule: 'Limits Inboxes, Scale', plan: 'scale', limit: 1_500, upgrade: true },
  { rule: 'Limits Inboxes, Business', plan: 'business', limit: 15_000, upgrade: false },
] as const)('$rule: $limit', async ({ plan, limit, upgrade }) => {
  const owner = await server.workspace({ plan });
  await server.rows(
    `insert into inboxes (id, workspace_id, local_part, address, created_at)
      select $1 || '_' || n, $1, n, $1 || n, now() from generate_series(2, $2::int) n`,
    [owner.id, limit],
  );
  await server.inbox(owner);
  await catchApiError(server.inbox(owner), 'inbox_limit_reached', { upgrade, limit });
});

test('Inboxes GET /inboxes, Inbox created timestamp: lists the inboxes of the workspace with id, address, display name and created timestamp', async () => {
  const workspace = await server.workspace();
  expect(await workspace.client.inboxes.list()).toMatchObject({ inboxes: [], next_cursor: null });
  const first = await server.inbox(workspace);
  const second = await server.inbox(workspace);
  expect((await workspace.client.inboxes.list()).inboxes).toEqual([second, first]);
});

test('Interface 6: GET /inboxes/{id} answers the inbox', async () => {
  const inbox = await server.inbox();
  expect(await server.client.inboxes.get(inbox.id)).toEqual(inbox);
});

test('Interface 4: PATCH /inboxes/{id} changes the display name and nothing else', async () => {
  const inbox = await server.inbox();
  const { client } = server;
  const named = await client.inboxes.update(inbox.id, { display_name: 'Renamed' });
  expect(named).toEqual({ ...inbox, display_name: 'Renamed' });
  expect(await client.inboxes.update(inbox.id, { display_name: null })).toEqual(inbox);
  const extra = client.inboxes.update(inbox.id, { display_name: 'x', local_part: 'y' } as {
    display_name: string;
  });
  expect(await invalidFields(extra)).toEqual(['local_part']);
  expect(await client.inboxes.update(inbox.id, {})).toEqual(inbox);
});

test('Inboxes DELETE /inboxes/{id}: answers 204 without a body, then everything about the inbox is a 404', async () => {
  const inbox = await server.inbox();
  const { response } = await server.client.inboxes.delete(inbox.id).withResponse();
  expect([response.status, await response.text()]).toEqual([204, '']);
  await catchApiError(server.client.inboxes.get(inbox.id), 'not_found');
  await catchApiError(server.client.inboxes.update(inbox.id, { display_name: 'x' }), 'not_found');
  await catchApiError(server.client.inboxes.delete(inbox.id), 'not_found');
  await catchApiError(
    server.client.messages.send({ inbox_id: inbox.id, to: ['a@b.example'], subject: 's' }),
    'not_found',
  );
  const ids = (await server.client.inboxes.list({ limit: 100 })).inboxes.map((each) => each.id);
  expect(ids).not.toContain(inbox.id);
});

test('Inboxes DELETE /inboxes/{id}: ten deletes at once: one 204, the others 404', async () => {
  const inbox = await server.inbox();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.request(`/v1/inboxes/${inbox.id}`, { method: 'DELETE' })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array(9).fill(404)]);
});

test('Interface 3 Inbox: a deleted address cannot be claimed by another workspace for 30 days', async () => {
  const inbox = await server.inbox();
  const other = await server.workspace();
  await server.client.inboxes.delete(inbox.id);
  const claim = () => other.client.inboxes.create({ local_part: inbox.local_part });
  await catchApiError(claim(), 'address_taken');
  clock.advance(limits.addressHoldMs - 60_000);
  await catchApiError(claim(), 'address_taken');
  clock.advance(61_000);
  expect((await claim()).address).toBe(inbox.address);
  await catchApiError(server.client.inboxes.create({ local_part: inbox.local_part }), 'address_taken');
});

test('Interface 3 Inbox: the workspace that deleted an address may claim it again at once', async () => {
  const inbox = await server.inbox();
  await server.client.inboxes.delete(inbox.id);
  const again = await server.client.inboxes.create({ local_part: inbox.local_part });
  expect(again.address).toBe(inbox.address);
  expect(again.id).not.toBe(inbox.id);
  await sendMail(server.smtpPort, { from: 'ada@example.com', to: again.address, subject: 'New', text: 'x' });
  const { messages } = await server.client.messages.list({ inbox_id: again.id });
  expect(messages.map((message) => message.subject)).toEqual(['New']);
  await server.client.inboxes.delete(again.id);
  await catchApiError(
    (await server.workspace()).client.inboxes.create({ local_part: inbox.local_part }),
    'address_taken',
  );
});
