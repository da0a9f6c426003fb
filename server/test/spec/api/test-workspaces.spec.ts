/* Interface 9: a test workspace always uses the sandbox, and delivers to test workspaces only. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';

const notSent = 'sandbox: not sent';
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let tester: TestWorkspace;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink();
  ({ server, sink } = running);
  tester = await server.workspace({ isTest: true });
  inbox = await server.inbox(tester);
});
afterAll(() => running.stop());

const send = async (to: string[], from = inbox, owner: TestWorkspace = tester) => {
  const body = { inbox_id: from.id, to, subject: 'Hello', text: 'Hi' };
  const { id } = await owner.client.messages.send(body);
  return owner.client.messages.get(id);
};
const inboxOf = async (owner: TestWorkspace) => {
  const made = await server.inbox(owner);
  return {
    ...made,
    received: async () => (await owner.client.messages.list({ inbox_id: made.id })).messages,
  };
};

test('Interface 1: the keys of a test workspace start with pr_test_, those of others with pr_live_', async () => {
  const { deps } = server.server;
  expect(tester.key).toMatch(/^pr_test_[0-9A-Za-z]{43}$/);
  expect((await createKey(deps, tester.name, 'second')).key).toMatch(/^pr_test_/);
  expect((await createKey(deps, server.name, 'second')).key).toMatch(/^pr_live_/);
});

test('Message provider_message_id: sandbox and simulator give what they accept an id, and what they refuse none', async () => {
  const simulated = (name: string) => `${server.freshName(`${name}+`)}@simulator.postrider.test`;
  const ids = new Set<unknown>();
  for (const to of ['ada@remote.example', inbox.address, simulated('success'), simulated('echo')]) {
    const body = { inbox_id: inbox.id, to: [to], subject: 'Hello', text: 'Hi' };
    const receipt = await tester.client.messages.send(body);
    expect(receipt.provider_message_id, to).toMatch(/^(sandbox|simulator)-[\w-]+$/);
    const read = await tester.client.messages.get(receipt.id);
    expect(read.provider_message_id).toBe(receipt.provider_message_id);
    ids.add(receipt.provider_message_id);
  }
  expect(ids.size).toBe(4);
  const refused = await send([simulated('bounce')]);
  expect([refused.delivery_status, refused.provider_message_id]).toEqual(['bounced', null]);
});

test('Interface 9: mail of a test workspace never leaves by the relay, and says so', async () => {
  const message = await send(['ada@remote.example', 'bob@remote.example']);
  expect(message.delivery_status).toBe('sent');
  expect(message.recipients.map(({ status, detail, sandboxed }) => [status, detail, sandboxed])).toEqual(
    Array(2).fill(['sent', notSent, true]),
  );
  const reply = await tester.client.messages.reply(message.id, { text: 'And this.' });
  const forward = await tester.client.messages.forward(message.id, { to: ['carol@remote.example'] });
  expect([reply.delivery_status, forward.delivery_status]).toEqual(['sent', 'sent']);
  expect(sink.messages).toEqual([]);
  const events = await server.rows(
    'select event, extra from events where message_id = $1 order by insertion',
    [message.id],
  );
  expect(events).toMatchObject([
    { event: 'message.sent', extra: { recipient: expect.any(String) } },
    { event: 'message.sent', extra: { recipient: expect.any(String) } },
  ]);
});

test('Interface 9: mail between test workspaces is really delivered, through the inbound path', async () => {
  const other = await server.workspace({ isTest: true });
  const theirs = await inboxOf(other);
  const own = await inboxOf(tester);
  const sent = await send([theirs.address, own.address, `${own.local_part}+tag@postrider.test`]);
  expect(sent.recipients.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']);
  const [received] = await theirs.received();
  expect(received).toMatchObject({
    from_addr: inbox.address,
    message_id: sent.message_id,
    envelope_from: inbox.address,
    envelope_to: [theirs.address],
    authentication: null,
    body_text: expect.stringContaining('Hi'),
  });
  const answer = await other.client.messages.reply(received?.id ?? '', { text: 'Thank you.' });
  expect(answer.delivery_status).toBe('delivered');
  expect(
    (await tester.client.threads.get(sent.thread_id)).messages.map(({ direction }) => direction),
  ).toEqual(['outbound', 'inbound']);
  expect((await own.received()).length).toBeGreaterThan(0);
  expect(sink.messages).toEqual([]);
});

test('Interface 9: replies, forwards and drafts of a test workspace reach who is there, and nobody else', async () => {
  const near = await inboxOf(tester);
  const tagged = near.address.replace('@', '+tag@');
  const to = [tagged, 'ada@remote.example'];
  const { messages, drafts } = tester.client;
  const first = await send([tagged]);
  const [received] = await near.received();
  const letter = { inbox_id: inbox.id, to, subject: 'Draft' };
  const due = new Date(Date.now() + 1_000).toISOString();
  await drafts.create({ ...letter, subject: 'Due', scheduled_at: due });
  const sent = [
    await messages.reply(first.id, { text: 'Again' }),
    await messages.reply(received?.id ?? '', { text: 'Thank you' }),
    await messages.forward(first.id, { to }),
    await drafts.send((await drafts.create(letter)).id),
  ];
  const notDelivered = sent.map(async ({ id }) =>
    (await messages.get(id)).recipients.filter(({ detail }) => detail === notSent),
  );
  const ada = [{ address: 'ada@remote.example' }];
  expect(await Promise.all(notDelivered)).toMatchObject([[], [], ada, ada]);
  const subjects = async () => (await near.received()).map(({ subject }) => subject);
  await eventually('the draft that was due', async () => (await subjects()).includes('Due'));
  expect(await subjects()).toEqual(expect.arrayContaining(['Hello', 'Re: Hello', 'Fwd: Hello', 'Draft']));
  expect(sink.messages).toEqual([]);
});

test('Interface 9: mail of a test workspace reaches no inbox of another workspace', async () => {
  const live = await inboxOf(server);
  const message = await send([live.address]);
  expect(message.recipients).toMatchObject([{ status: 'sent', detail: notSent, sandboxed: true }]);
  expect(await live.received()).toEqual([]);
  expect(sink.messages).toEqual([]);
});

test('Interface 9: other workspaces send by the relay, also to an inbox of a test workspace, which takes mail from outside', async () => {
  const target = await inboxOf(tester);
  const from = await server.inbox();
  const message = await send([target.address], from, server);
  expect(message.recipients).toMatchObject([{ status: 'sent' }]);
  expect(sink.copiesFor(target.address)).toHaveLength(1);
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to: target.address, text: 'From outside' });
  expect((await target.received()).map(({ from_addr }) => from_addr)).toEqual(['ada@remote.example']);
});

test('Interface 9: an inbox that is deleted meanwhile, and an address that never was, go nowhere', async () => {
  const gone = await server.inbox(tester);
  await tester.client.inboxes.delete(gone.id);
  const message = await send([gone.address, `${server.freshName()}@postrider.test`]);
  expect(message.recipients.map(({ status }) => status)).toEqual(['sent', 'sent']);
  expect(sink.messages.filter(({ recipients }) => recipients.includes(gone.address))).toEqual([]);
});

test('Interface 9: with the sandbox as the transport, live workspaces reach each other and test workspaces only their own kind', async () => {
  const sandboxed = await joinTestServer();
  try {
    const check = await (await fetch(`${sandboxed.url}/readyz`)).text();
    expect(check).toContain('sandbox');
    const box = await sandboxed.workspace({ isTest: true });
    const [live, tested] = [await sandboxed.inbox(), await sandboxed.inbox(box)];
    const mail = { to: [live.address, tested.address, 'ada@remote.example'], subject: 's' };
    const statesOf = async (owner: TestWorkspace, from: Inbox) => {
      const { id } = await owner.client.messages.send({ inbox_id: from.id, ...mail });
      return (await owner.client.messages.get(id)).recipients.map(({ detail }) => detail === notSent);
    };
    expect(await statesOf(box, tested)).toEqual([true, false, true]);
    expect(await statesOf(sandboxed, live)).toEqual([false, false, true]);
    const inbound = (owner: TestWorkspace) => owner.client.messages.list({ direction: 'inbound' });
    expect((await inbound(sandboxed)).messages).toHaveLength(1);
    expect((await inbound(box)).messages).toHaveLength(2);
  } finally {
    await sandboxed.stop();
  }
});
