import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { SinkPoint } from '@postrider/testkit/smtp/sink-script.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const minute = 60_000;
const hour = 60 * minute;
/** Ten times as fast, so that the worker looks for what is due ten times a second. */
const timeScale = 10;
const clock = createMovingClock();
const pass = (durationMs: number) => clock.advance(durationMs / timeScale);
const looked = () => new Promise((resolve) => setTimeout(resolve, 250));
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({
    clock,
    env: { POSTRIDER_TIME_SCALE: String(timeScale) },
  });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => {
  clock.goOn();
  sink.clearScript();
});
afterAll(() => running.stop());

const address = (name = 'rcpt') => `${server.freshName(name)}@remote.example`;
const send = (to: string | string[], more: { client_id?: string; text?: string } = {}) =>
  server.client.messages.send({ inbox_id: inbox.id, to: [to].flat(), subject: 's', text: 't', ...more });
const eventsOf = (id: string) =>
  server.rows<{ event: string; extra: Record<string, unknown> }>(
    'select event, extra from events where message_id = $1 order by insertion',
    [id],
  );
const suppressionOf = async (recipient: string) =>
  (await server.rows('select reason, message_id from suppressions where address = $1', [recipient]))[0];
const statesOf = (message: Message) => message.recipients.map(({ status, detail }) => [status, detail]);
const settled = (id: string, status: string) =>
  eventually(`${id} to be ${status}`, async () => {
    const message = await server.client.messages.get(id);
    return message.delivery_status === status ? message : null;
  });

test('Message delivery_status: what the relay accepts is sent, with what it said and the id it gave', async () => {
  const to = address();
  const receipt = await send(to);
  const message = await server.client.messages.get(receipt.id);
  expect([message.delivery_status, message.provider_message_id]).toEqual(['sent', 'SINK']);
  expect(statesOf(message)).toEqual([['sent', '250 2.0.0 Ok: queued as SINK']]);
  expect(await eventsOf(receipt.id)).toEqual([{ event: 'message.sent', extra: { recipient: to } }]);
});

test('States Recipient address message.bounced: a 5xx for a recipient is a hard bounce: event, suppression, and dropped from later sends', async () => {
  const points: { at: SinkPoint; reply: string; code: string }[] = [
    { at: 'rcpt', reply: '550 5.1.1 No such user', code: '5.1.1' },
    { at: 'rcpt', reply: '550 nobody here', code: '550' },
    { at: 'dot', reply: '552 5.2.2 Mailbox full', code: '5.2.2' },
  ];
  for (const { at, reply, code } of points) {
    const to = address();
    sink.script({ at, reply, times: 1 });
    const receipt = await send(to);
    expect([reply, receipt.delivery_status]).toEqual([reply, 'bounced']);
    expect(statesOf(await server.client.messages.get(receipt.id))).toEqual([['bounced', reply]]);
    expect(await eventsOf(receipt.id)).toEqual([
      {
        event: 'message.bounced',
        extra: { recipient: to, bounce: { type: 'hard', code, diagnostic: reply } },
      },
    ]);
    expect(await suppressionOf(to)).toEqual({ reason: 'hard_bounce', message_id: receipt.id });
    sink.clearScript();
    await catchApiError(send(to), 'no_deliverable_recipients', {
      blocked: [{ address: to, reason: 'suppressed' }],
    });
  }
});

test('Errors 422 message_rejected: a 5xx for the sender or the message; it is stored as rejected and nobody is suppressed', async () => {
  const points: { at: SinkPoint; reply: string }[] = [
    { at: 'mail', reply: '550 5.7.1 Sender not allowed' },
    { at: 'rcpt', reply: '554 5.7.1 Message blocked by policy' },
    { at: 'data', reply: '554 No thanks' },
    { at: 'dot', reply: '554 5.6.0 Content rejected' },
  ];
  for (const step of points) {
    const to = address();
    sink.script({ ...step, times: 1 });
    const { id } = await catchApiError(send(to), 'message_rejected', { reason: step.reply });
    const message = await server.client.messages.get(String(id));
    expect([message.delivery_status, statesOf(message)]).toEqual(['rejected', [['rejected', step.reply]]]);
    expect(await eventsOf(message.id)).toEqual([
      { event: 'message.rejected', extra: { recipient: to, reason: step.reply } },
    ]);
    expect(await suppressionOf(to)).toBeUndefined();
    expect((await send(to)).delivery_status).toBe('sent');
  }
});

test('Interface 4 client_id: a repeat of a rejected message repeats the 422 and sends nothing', async () => {
  const to = address();
  const client_id = server.freshName();
  sink.script({ at: 'dot', reply: '554 5.7.1 Spam', times: 1 });
  const first = await catchApiError(send(to, { client_id }), 'message_rejected');
  const repeats = await Promise.all(
    Array.from({ length: 5 }, () => catchApiError(send(to, { client_id }), 'message_rejected')),
  );
  for (const repeat of repeats) expect([repeat.id, repeat.reason]).toEqual([first.id, '554 5.7.1 Spam']);
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('Interface 3 delivery_status: each recipient has its own, and the message has the worst', async () => {
  const [fine, unknown, later] = [address('fine'), address('unknown'), address('later')];
  sink.script(
    { at: 'dot', recipient: unknown, reply: '550 5.1.1 Gone' },
    { at: 'dot', recipient: later, reply: '451 4.2.1 Busy' },
  );
  const { id, delivery_status } = await send([fine, unknown, later]);
  expect(delivery_status).toBe('bounced');
  const message = await server.client.messages.get(id);
  expect(message.recipients.map((each) => [each.address, each.status])).toEqual([
    [fine, 'sent'],
    [unknown, 'bounced'],
    [later, 'deferred'],
  ]);
  const some = address('some');
  sink.script({ at: 'dot', recipient: some, reply: '554 5.7.1 Spam' });
  const partly = await send([address(), some]);
  expect(partly.delivery_status).toBe('rejected');
});

test('Interface 3 delivery_status: a 4xx for a recipient is deferred, tried again, and then sent once', async () => {
  for (const step of [
    { at: 'rcpt' as const, reply: '450 4.2.1 Greylisted' },
    { at: 'dot' as const, reply: '451 4.3.0 Later' },
  ]) {
    const to = address();
    sink.script({ ...step, recipient: to, times: 2 });
    const receipt = await send(to);
    expect([receipt.delivery_status, receipt.provider_message_id]).toEqual(['deferred', null]);
    expect(statesOf(await server.client.messages.get(receipt.id))).toEqual([['deferred', step.reply]]);
    const before = sink.copiesFor(to).length;
    clock.stop();
    pass(50_000);
    await looked();
    expect(sink.copiesFor(to).length).toBe(before);
    pass(20_000);
    await eventually('the end of the second try', async () => {
      const tried = sink.commands.filter((line) => line.includes(to)).length;
      return tried === 2 && (await dueInMs(receipt.id)) > minute / timeScale;
    });
    pass(6 * minute);
    expect((await settled(receipt.id, 'sent')).provider_message_id).toBe('SINK');
    expect(sink.copiesFor(to).filter((copy) => copy.answer?.startsWith('2'))).toHaveLength(1);
    expect(new Set(sink.copiesFor(to).map((copy) => copy.messageId))).toEqual(new Set([receipt.message_id]));
  }
});

const dueInMs = async (id: string) => {
  const rows = await server.rows<{ due_at: Date }>(
    'select due_at from message_recipients where message_id = $1',
    [id],
  );
  return (rows[0]?.due_at ?? clock.now()).getTime() - clock.now().getTime();
};

const attemptsOf = async (id: string) =>
  (
    await server.rows<{ attempts: number }>('select attempts from message_recipients where message_id = $1', [
      id,
    ])
  )[0]?.attempts;

test('States Recipient address message.bounced: a 4xx for a recipient until expiry after 48 hours is a soft bounce: event, suppression', async () => {
  const to = address();
  sink.script({ at: 'rcpt', reply: '450 4.2.2 Mailbox full' });
  const { id } = await send(to);
  pass(47 * hour);
  await eventually('a try before the expiry', async () => ((await attemptsOf(id)) ?? 0) > 1);
  await settled(id, 'deferred');
  pass(2 * hour);
  const message = await settled(id, 'bounced');
  expect(statesOf(message)).toEqual([['bounced', '450 4.2.2 Mailbox full']]);
  expect(await eventsOf(id)).toEqual([
    { event: 'message.deferred', extra: { recipient: to, detail: '450 4.2.2 Mailbox full' } },
    {
      event: 'message.bounced',
      extra: { recipient: to, bounce: { type: 'soft', code: '4.2.2', diagnostic: '450 4.2.2 Mailbox full' } },
    },
  ]);
  expect(await suppressionOf(to)).toEqual({ reason: 'soft_bounce', message_id: id });
});

test('Interface 3 delivery_status: the relay refusing us until expiry is failed, with message.rejected and no suppression', async () => {
  const to = address();
  sink.cut();
  sink.script({ at: 'greeting', reply: '421 4.3.2 Not now', drop: true });
  const { id, delivery_status } = await send(to);
  expect(delivery_status).toBe('deferred');
  pass(49 * hour);
  const message = await settled(id, 'failed');
  expect(message.recipients[0]?.detail).toMatch(/^expired: /);
  expect(await eventsOf(id)).toEqual([
    { event: 'message.deferred', extra: { recipient: to, detail: expect.any(String) } },
    { event: 'message.rejected', extra: { recipient: to, reason: 'expired' } },
  ]);
  expect(await suppressionOf(to)).toBeUndefined();
});

test('Interface 3 delivery_status: a connection lost before the final dot is deferred, and one copy arrives in the end', async () => {
  const points: SinkPoint[] = ['mail', 'rcpt', 'data', 'content'];
  for (const at of points) {
    const to = address();
    // Nothing else falls due, and the next attempt waits for this test.
    clock.stop();
    // On a connection of its own, since one that was used before is replaced at once.
    sink.cut();
    await eventually('no connection to be open', async () => sink.openConnections === 0);
    await looked();
    sink.script({ at, drop: true, times: 1 });
    // A small message leaves in one piece with its final dot, and nobody could tell where the connection broke.
    const text = at === 'content' ? 'x'.repeat(4 * 1_048_576) : 't';
    const { id } = await send(to, { text });
    await settled(id, 'deferred');
    pass(2 * minute);
    await settled(id, 'sent');
    expect([at, sink.copiesFor(to).length]).toEqual([at, 1]);
    sink.clearScript();
  }
});

test('Interface 3 delivery_status: a connection lost between the last byte and the answer is failed as unconfirmed and never sent again', async () => {
  for (const step of [
    { drop: true },
    { reply: '354 still waiting', drop: true },
    { reply: 'gibberish', drop: true },
  ]) {
    const to = address();
    sink.script({ at: 'dot', recipient: to, ...step });
    const { id } = await send(to);
    const message = await settled(id, 'failed');
    expect(message.recipients[0]?.detail).toMatch(/^unconfirmed: /);
    expect(await suppressionOf(to)).toBeUndefined();
    pass(50 * hour);
    await looked();
    expect((await server.client.messages.get(id)).delivery_status).toBe('failed');
    expect(sink.copiesFor(to)).toHaveLength(1);
  }
});

test('Interface 3 delivery_status: while the answer to the last byte is awaited the recipient is sending', async () => {
  const to = address();
  const answered = Promise.withResolvers<void>();
  sink.script({ at: 'dot', recipient: to, until: answered.promise });
  const sending = send(to);
  await sink.waitForMessages(sink.messages.length + 1);
  const [{ id } = { id: '' }] = await server.rows<{ id: string }>(
    'select id from messages order by id desc limit 1',
  );
  expect((await server.client.messages.get(id)).delivery_status).toBe('sending');
  answered.resolve();
  expect((await sending).delivery_status).toBe('sent');
});
