/* The lists and mail that is sent. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer, TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { CreateRule, Inbox, Rule } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** So that the worker looks for what is due ten times a second. */
const timeScale = 10;
const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;

beforeAll(async () => {
  const env = { POSTRIDER_RATE_LIMITS: 'off', POSTRIDER_TIME_SCALE: String(timeScale) };
  running = await startServerWithSink({ clock, env });
  ({ server } = running);
});
afterAll(() => running.stop());

const host = () => `${server.freshName('h')}.example`;
const block = (
  pattern: string,
  direction: CreateRule['direction'] = 'outbound',
  owner: TestWorkspace = server,
) => owner.client.rules.create({ kind: 'block', direction, pattern });
const allow = (pattern: string) =>
  server.client.rules.create({ kind: 'allow', direction: 'outbound', pattern });
const droppedBy = (address: string, { id }: Rule) => ({ address, reason: 'rule', rule_id: id });

const send = async (to: string[], from?: Inbox, owner: TestWorkspace = server) =>
  owner.client.messages.send({
    inbox_id: (from ?? (await server.inbox(owner))).id,
    to,
    subject: 'Hi',
    text: 'x',
  });

test('Rules 1, Messages 2, States Rule POST /lists: a recipient that an outbound block matches is dropped from the next send, with the rule, and the rest is sent to', async () => {
  const [domain, other] = [host(), host()];
  const rule = await block(domain);
  const person = await block(`ada@${other}`, 'both');
  const to = [`a@${domain}`, `A@mail.${domain}`, `ada@${other}`, `"Ada+Tag"@${other}`, `bob@${other}`];
  const receipt = await send(to);
  expect(receipt.dropped).toEqual([
    droppedBy(`a@${domain}`, rule),
    droppedBy(`a@mail.${domain}`, rule),
    droppedBy(`ada@${other}`, person),
    droppedBy(`ada+tag@${other}`, person),
  ]);
  const { recipients } = await server.client.messages.get(receipt.id);
  expect(recipients.map(({ address }) => address)).toEqual([`bob@${other}`]);
  for (const address of to.slice(0, 4)) expect(running.sink.copiesFor(address.toLowerCase())).toEqual([]);
});

test('Errors 422 no_deliverable_recipients: names everybody with the rule that matched, and stores nothing', async () => {
  const domain = host();
  const rule = await block(domain);
  const inbox = await server.inbox();
  await catchApiError(send([`a@${domain}`, `b@${domain}`], inbox), 'no_deliverable_recipients', {
    blocked: [droppedBy(`a@${domain}`, rule), droppedBy(`b@${domain}`, rule)],
  });
  expect((await server.client.messages.list({ inbox_id: inbox.id })).messages).toEqual([]);
});

test('Rules 3, Interface 3 Rule: an allow lets an address through a block of its domain, the longest domain decides, and on a tie the block wins', async () => {
  const domain = host();
  const rule = await block(domain);
  await allow(`vip@${domain}`);
  await allow(`in.${domain}`);
  const deep = await block(`deep.in.${domain}`);
  await allow(`deep.in.${domain}`);
  const { dropped } = await send(
    ['vip', 'vip+a', 'other']
      .map((name) => `${name}@${domain}`)
      .concat(`a@x.in.${domain}`, `a@deep.in.${domain}`),
  );
  expect(dropped).toEqual([droppedBy(`other@${domain}`, rule), droppedBy(`a@deep.in.${domain}`, deep)]);
});

test('Interface 3 Rule: an allow never overrides a suppression, which is the reason that is named first', async () => {
  const domain = host();
  await running.suppress(server.id, `gone@${domain}`);
  await allow(`gone@${domain}`);
  const { dropped } = await send([`gone@${domain}`, `b@${domain}`]);
  expect(dropped).toEqual([{ address: `gone@${domain}`, reason: 'suppressed' }]);
  await block(domain);
  await catchApiError(send([`gone@${domain}`]), 'no_deliverable_recipients', {
    blocked: [{ address: `gone@${domain}`, reason: 'suppressed' }],
  });
});

test('Rule direction: an inbound rule and a rule of another workspace change nothing for what is sent', async () => {
  const domain = host();
  await block(domain, 'inbound');
  await block(domain, 'both', await server.workspace());
  expect((await send([`a@${domain}`])).dropped).toEqual([]);
});

test('States Rule DELETE /lists/{id}: a rule stops applying to the next send', async () => {
  const domain = host();
  for (let round = 0; round < 10; round++) {
    const { id } = await block(domain);
    await catchApiError(send([`a@${domain}`]), 'no_deliverable_recipients');
    await server.client.rules.delete(id);
    expect((await send([`a@${domain}`])).dropped).toEqual([]);
  }
});

test('Rules 1: reply, reply_all and forward drop whom a rule blocks; a repeat of a client_id answers what was dropped then', async () => {
  const domain = host();
  const inbox = await server.inbox();
  const lines = [
    `From: ada@${domain}`,
    `To: ${inbox.address}, carl@${domain}, eve@ok.${domain}`,
    'Subject: x',
    '',
    'x',
  ];
  await sendLines(server.smtpPort, { from: `ada@${domain}`, to: inbox.address }, lines);
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  const original = messages[0]!.id;
  const rule = await block(domain);
  await allow(`ok.${domain}`);
  const { client } = server;
  await catchApiError(client.messages.reply(original, { text: 'x' }), 'no_deliverable_recipients', {
    blocked: [droppedBy(`ada@${domain}`, rule)],
  });
  const client_id = server.freshName();
  const all = await client.messages.reply(original, { text: 'x', reply_all: true, client_id });
  const dropped = [droppedBy(`ada@${domain}`, rule), droppedBy(`carl@${domain}`, rule)];
  expect([all.dropped, all.recipients.map(({ address }) => address)]).toEqual([
    dropped,
    [`eve@ok.${domain}`],
  ]);
  const to = [`b@${domain}`, `b@ok.${domain}`];
  expect((await client.messages.forward(original, { to })).dropped).toEqual([droppedBy(`b@${domain}`, rule)]);
  await client.rules.delete(rule.id);
  const again = await client.messages.reply(original, { text: 'x', reply_all: true, client_id });
  expect([again.idempotent, again.dropped]).toEqual([true, dropped]);
});

test('Rules 1: what was accepted before a rule is still sent, also where it was deferred', async () => {
  const to = `a@${host()}`;
  running.sink.script({ at: 'rcpt', recipient: to, times: 1, reply: '451 4.2.0 Try again later' });
  clock.stop();
  const { id } = await send([to]);
  const status = async () => (await server.client.messages.get(id)).delivery_status;
  await eventually('the first attempt', async () => (await status()) === 'deferred');
  await block(to);
  clock.goOn();
  clock.advance(61_000 / timeScale);
  await eventually('the second attempt', async () => (await status()) === 'sent');
});
