import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { SendMailOptions } from 'nodemailer';
import { type Inbox, type Message, RateLimitError } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Few answers, so that each test needs few mails. */
const most = 4;
const minute = 60_000;
const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_LOOP_ANSWERS: String(most) } });
});
afterAll(() => server.stop());

const freshAddress = () => `${server.freshName('peer')}@remote.example`;

/** Delivers a mail to an inbox and returns the message. */
const receive = async (
  inbox: Inbox,
  from: string,
  mail: SendMailOptions = {},
  { client, smtpPort }: Pick<TestServer, 'client' | 'smtpPort'> = server,
): Promise<Message> => {
  const messageId = `<${server.freshName('m')}@remote.example>`;
  const envelope = { from: 'envelope@remote.example', to: inbox.address };
  await sendMail(smtpPort, {
    from,
    to: inbox.address,
    subject: 'Hi',
    text: 'Hi.',
    messageId,
    envelope,
    ...mail,
  });
  const { messages } = await client.messages.list({ inbox_id: inbox.id, direction: 'inbound', limit: 1 });
  if (messages[0]?.message_id !== messageId) throw new Error('The mail is not there.');
  return messages[0];
};

const answer = ({ id }: Message, { client }: Pick<TestWorkspace, 'client'> = server) =>
  client.messages.reply(id, { text: 'Indeed.' });

/** Lets an inbox and a correspondent exchange so many mails, each in a thread of its own. */
const exchange = async (inbox: Inbox, from: string, count: number) => {
  for (let n = 0; n < count; n++) await answer(await receive(inbox, from));
};

/** Returns the error of a message that is one answer too many. */
const refusal = async (sending: Promise<unknown>) => {
  const error = await sending.catch((reason: unknown) => reason);
  if (!(error instanceof RateLimitError) || error.code !== 'rate_limited')
    throw error ?? new Error('It was sent.');
  expect(error.reason).toBe('loop');
  return error;
};

test('Interface 2 rate_limited loop: the 21st answer to one correspondent within 10 minutes is 429, until the oldest is 10 minutes old', async () => {
  const usual = await startTestServer({ clock });
  clock.stop();
  const inbox = await usual.inbox();
  const from = freshAddress();
  try {
    await answer(await receive(inbox, from, {}, usual), usual);
    clock.advance(minute);
    for (let n = 1; n < limits.loopAnswersMax; n++)
      await answer(await receive(inbox, from, {}, usual), usual);
    const last = await receive(inbox, from, {}, usual);
    const error = await refusal(answer(last, usual));
    expect(error.status).toBe(429);
    expect(error.retry_after_seconds).toBe(9 * 60);
    expect(error.headers.get('retry-after')).toBe(String(error.retry_after_seconds));
    expect(error.message).toContain(`20 replies to ${from} in 10 minutes`);
    clock.advance(error.retry_after_seconds * 1_000 + 1);
    expect((await answer(last, usual)).in_reply_to).toBe(last.message_id);
    await refusal(answer(await receive(inbox, from, {}, usual), usual));
  } finally {
    clock.goOn();
    await usual.stop();
  }
});

test('Interface 2 rate_limited loop: a thread has its own limit for each correspondent who writes into it, and a send that names it obeys', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const [one, two, three] = [freshAddress(), freshAddress(), freshAddress()];
  const first = await receive(inbox, one, { replyTo: freshAddress() });
  const next = (from: string) =>
    receive(inbox, from, { replyTo: freshAddress(), references: first.message_id });
  await answer(first);
  for (let n = 1; n < most; n++) await answer(await next(one));
  const last = await next(one.replace('@', '+tag@'));
  expect(last.thread_id).toBe(first.thread_id);
  expect((await refusal(answer(last))).message).toContain(`${most} replies in this thread`);
  const message = { inbox_id: inbox.id, to: [freshAddress()], subject: 'Hi' };
  await refusal(messages.forward(last.id, { to: [freshAddress()] }));
  await refusal(messages.send({ ...message, in_reply_to: last.message_id }));
  await refusal(messages.send({ ...message, references: ['<unknown@x.example>', first.message_id] }));
  expect((await messages.send(message)).thread_id).not.toBe(first.thread_id);
  await answer(await next(two));
  for (let n = 1; n < most; n++) await answer(await next(two));
  expect((await refusal(answer(last))).message).toContain(`${2 * most} replies in this thread`);
  await answer(await next(three));
});

test('Interface 2 rate_limited loop: the answers to an announcement are answered, five times as many as of one correspondent', async () => {
  const inbox = await server.inbox();
  const customers = Array.from({ length: 5 * most + 1 }, freshAddress);
  const { messages } = server.client;
  const news = await messages.send({
    inbox_id: inbox.id,
    to: customers.slice(0, 1),
    bcc: customers.slice(1),
    subject: 'News',
  });
  const within = { references: news.message_id };
  for (const customer of customers.slice(1)) {
    const question = await receive(inbox, customer, within);
    expect((await answer(question)).thread_id).toBe(news.thread_id);
  }
  const last = await receive(inbox, customers[0] ?? '', within);
  expect((await refusal(answer(last))).message).toContain(`${5 * most} replies in this thread`);
});

test('Interface 2 rate_limited loop: an address with its plus tag, in From or in Reply-To, has the limit, and with all its tags five times as many', async () => {
  const inbox = await server.inbox();
  const name = server.freshName('desk');
  const ticket = (n: number) => `${name}+${n}@remote.example`;
  const bare = `${name}@remote.example`;
  const send = (to: string) => server.client.messages.send({ inbox_id: inbox.id, to: [to], subject: 'Hi' });
  const relayed = (replyTo: string) => receive(inbox, 'notifications@remote.example', { replyTo });
  for (let n = 0; n < most; n++) {
    await (n % 2 ? relayed(ticket(0)) : receive(inbox, ticket(0)));
    await send(ticket(0));
  }
  await relayed(ticket(0));
  expect((await refusal(send(ticket(0)))).message).toContain(`${most} replies to ${ticket(0)} in`);
  await send(bare);
  for (let n = 1; n < 4 * most; n++) {
    await (n % 2 ? relayed(ticket(n)) : receive(inbox, ticket(n)));
    await send(ticket(n));
  }
  await receive(inbox, ticket(1));
  const { message } = await refusal(send(ticket(1_000)));
  expect(message).toContain(`${5 * most} replies to ${bare} with its plus tags`);
  await refusal(send(bare));
  await refusal(
    server.client.messages.send({
      inbox_id: inbox.id,
      to: [freshAddress()],
      bcc: [ticket(7)],
      subject: 'Hi',
    }),
  );
  await send(freshAddress());
});

test('Interface 2 rate_limited loop: an inbox that wrote before it received anything is counted from the first mail on', async () => {
  const inbox = await server.inbox();
  const other = await server.inbox();
  const { messages } = server.client;
  const write = (from: Inbox, to: Inbox) =>
    messages.send({ inbox_id: from.id, to: [to.address], subject: 'Hi' });
  const arrived = async (at: Inbox, count: number) =>
    eventually(
      'the mail to arrive',
      async () => (await messages.list({ inbox_id: at.id, direction: 'inbound' })).messages.length === count,
    );
  await messages.send({ inbox_id: other.id, to: [freshAddress()], subject: 'Hi' });
  for (let n = 1; n <= most + 1; n++) {
    await write(inbox, other);
    await arrived(other, n);
    if (n > most) break;
    await write(other, inbox);
    await arrived(inbox, n);
  }
  await refusal(write(other, inbox));
});

test('Interface 2 rate_limited loop: another inbox and another workspace are not affected', async () => {
  const from = freshAddress();
  const inbox = await server.inbox();
  await exchange(inbox, from, most);
  await refusal(answer(await receive(inbox, from)));
  await exchange(await server.inbox(), from, most);
  const other = await server.workspace();
  const theirs = await server.inbox(other);
  const here = { client: other.client, smtpPort: server.smtpPort };
  for (let n = 0; n < most; n++) await answer(await receive(theirs, from, {}, here), other);
  await refusal(answer(await receive(theirs, from, {}, here), other));
});

test('Interface 2 rate_limited loop: what nobody answers is no loop, however much it is', async () => {
  const inbox = await server.inbox();
  const peer = freshAddress();
  const { messages } = server.client;
  const first = await messages.send({ inbox_id: inbox.id, to: [peer], subject: 'News' });
  for (let n = 0; n < 3 * most; n++) await messages.send({ inbox_id: inbox.id, to: [peer], subject: 'News' });
  for (let n = 0; n < 3 * most; n++) await messages.reply(first.id, { text: 'More.' });
  const question = await receive(inbox, peer);
  for (let n = 0; n < 3 * most; n++) await answer(question);
  expect((await server.client.threads.get(question.thread_id)).message_count).toBe(3 * most + 1);
});

test('Interface 2 rate_limited loop: mail of more than 10 minutes ago may all be answered at once', async () => {
  const inbox = await server.inbox();
  const from = freshAddress();
  const waiting: Message[] = [];
  for (let n = 0; n < 2 * most; n++) waiting.push(await receive(inbox, from));
  clock.advance(limits.loopWindowMs + 1);
  for (const message of waiting) await answer(message);
});

test('Interface 2 rate_limited loop: answers at the same moment go over by what is under way at most, and end in 429', async () => {
  const inbox = await server.inbox();
  const from = freshAddress();
  const waiting: Message[] = [];
  for (let n = 0; n < 5 * most; n++) waiting.push(await receive(inbox, from));
  const atOnce = 2 * most;
  const outcomes = await Promise.allSettled(waiting.slice(0, atOnce).map((message) => answer(message)));
  const sent = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(sent).toBeGreaterThanOrEqual(most);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 429, reason: 'loop' });
  for (const message of waiting.slice(atOnce)) await refusal(answer(message));
});

test('Interface 2 rate_limited loop: force answers automatic mail and does not lift the limit; a repeat gets what was sent', async () => {
  const inbox = await server.inbox();
  const from = freshAddress();
  const { messages } = server.client;
  const headers = { 'Auto-Submitted': 'auto-replied' };
  const client_id = server.freshName('once');
  const first = await receive(inbox, from, { headers });
  await catchApiError(messages.reply(first.id, { text: 'Hm.' }), 'auto_reply_loop');
  const sent = await messages.reply(first.id, { text: 'Hm.', force: true, client_id });
  for (let n = 1; n < most; n++)
    await messages.reply((await receive(inbox, from, { headers })).id, { text: 'Hm.', force: true });
  const last = await receive(inbox, from, { headers });
  const refused = { text: 'Hm.', force: true, client_id: server.freshName('refused') };
  await refusal(messages.reply(last.id, refused));
  expect(await messages.reply(last.id, { text: 'Hm.', force: true, client_id })).toMatchObject({
    id: sent.id,
    idempotent: true,
  });
  clock.advance(limits.loopWindowMs + 1);
  expect((await messages.reply(last.id, refused)).idempotent).toBe(false);
});

test('Interface 2 rate_limited loop: a check says nothing of it, and a deleted message counts no more', async () => {
  const inbox = await server.inbox();
  const from = freshAddress();
  const { messages } = server.client;
  await exchange(inbox, from, most - 1);
  const next = await receive(inbox, from);
  const { id } = await answer(next);
  const last = await receive(inbox, from);
  await refusal(answer(last));
  const message = { inbox_id: inbox.id, to: [from], subject: 'Hi' };
  expect((await messages.check(message)).deliverable).toEqual([from]);
  await messages.delete(id);
  await answer(last);
});

test('Interface 2 rate_limited loop, Draft: a draft obeys it, and a scheduled one fails with the code and can be sent later', async () => {
  const inbox = await server.inbox();
  const from = freshAddress();
  const { drafts } = server.client;
  await exchange(inbox, from, most);
  const last = await receive(inbox, from);
  const body = { inbox_id: inbox.id, reply_to_message_id: last.id, text: 'Hm.' };
  const draft = await drafts.create(body);
  await refusal(drafts.send(draft.id));
  expect((await drafts.get(draft.id)).status).toBe('draft');
  const { id } = await drafts.create({
    ...body,
    scheduled_at: new Date(clock.now().getTime() - 1).toISOString(),
  });
  await eventually('the draft to fail', async () => (await drafts.get(id)).status === 'failed');
  expect(await drafts.get(id)).toMatchObject({ failure: 'rate_limited', message_id: null });
  clock.advance(limits.loopWindowMs + 1);
  expect((await drafts.send(id)).thread_id).toBe(last.thread_id);
});

test('Interface 10 POSTRIDER_LOOP_ANSWERS: off counts nothing; the window runs with the time scale', async () => {
  const off = await startTestServer({ env: { POSTRIDER_LOOP_ANSWERS: 'off' } });
  try {
    const inbox = await off.inbox();
    const from = freshAddress();
    for (let n = 0; n <= limits.loopAnswersMax; n++) await answer(await receive(inbox, from, {}, off), off);
  } finally {
    await off.stop();
  }
  const fast = await startTestServer({ env: { POSTRIDER_LOOP_ANSWERS: '1', POSTRIDER_TIME_SCALE: '200' } });
  try {
    const inbox = await fast.inbox();
    const from = freshAddress();
    // On a busy machine the window of three seconds may be over before the second answer.
    const { retry_after_seconds } = await eventually('a refusal', async () => {
      await answer(await receive(inbox, from, {}, fast), fast).catch(() => {});
      const second = answer(await receive(inbox, from, {}, fast), fast);
      return refusal(second).catch(() => null);
    });
    expect(retry_after_seconds).toBeLessThanOrEqual(3);
    await sleep(retry_after_seconds * 1_000);
    await answer(await receive(inbox, from, {}, fast), fast);
  } finally {
    await fast.stop();
  }
});
