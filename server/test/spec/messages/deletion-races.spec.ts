/* Interface 3, Inbox: deleting hides the inbox and all in it at once, cancels what it still had to send, and removes the rest. */
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { findOrphans, findTraces } from '@postrider/testkit/mail/inbox-traces.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';

/** Ten times as fast, so that the worker looks for what is due ten times a second. */
const timeScale = 10;
const clock = createMovingClock();
const pass = (durationMs: number) => clock.advance(durationMs / timeScale);
const looked = () => sleep(300);
const rounds = 6;
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;

beforeAll(async () => {
  running = await startServerWithSink({
    clock,
    env: { POSTRIDER_RATE_LIMITS: 'off', POSTRIDER_TIME_SCALE: String(timeScale) },
  });
  ({ server, sink } = running);
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const mailTo = ({ address }: Inbox, text = 'Is it sound?') => ({
  from: 'ada@remote.example',
  to: address,
  subject: 'The plan',
  text,
  attachments: [{ filename: 'plan.txt', content: text }],
});
const send = (inbox: Inbox, to: string[]) =>
  server.client.messages.send({ inbox_id: inbox.id, to, subject: 's', text: 't' });
const address = () => `${server.freshName('rcpt')}@remote.example`;
const removed = (inbox: Inbox) =>
  eventually(
    `${inbox.id} to be removed`,
    async () => Object.keys(await findTraces(server, { workspaceId: server.id, id: inbox.id })).length === 0,
  );

/** Reads an inbox in every way that could show it, and returns everything that the API still shows. */
const visibleOf = async ({ id }: Inbox): Promise<string[]> => {
  const { client } = server;
  const { inboxes } = await client.inboxes.list({ limit: 100 });
  const { messages } = await client.messages.list({ limit: 100 });
  const { threads } = await client.threads.list({ limit: 100 });
  const things = [...inboxes, ...messages, ...threads] as { id: string; inbox_id?: string }[];
  return things.filter((each) => each.id === id || each.inbox_id === id).map((each) => each.id);
};

/** Sends mails one after another until the inbox is gone, and gives the code that each was answered with. */
const pourInto = async ({ address }: Inbox, number: number, codes: number[]): Promise<void> => {
  const client = await RawSmtpClient.greet(server.smtpPort);
  for (let count = 0; codes.at(-1) !== 550 && count < 500; count += 1) {
    const [, recipient = 0] = await client.codes('MAIL FROM:<ada@remote.example>', `RCPT TO:<${address}>`);
    if (recipient === 250) {
      await client.command('DATA');
      client.write(`Subject: ${count} of ${number}\r\n\r\nIs it sound?\r\n.\r\n`);
      codes.push((await client.reply()).code);
    } else codes.push(recipient);
  }
  client.destroy();
};

test('Interface 3 Inbox: mail that comes in while its inbox is deleted is stored before or refused, six times over', async () => {
  const inboxes: Inbox[] = [];
  const seen: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const inbox = await server.inbox();
    const answers: number[][] = [[], [], [], []];
    const pouring = answers.map((codes, number) => pourInto(inbox, number, codes));
    await eventually(
      'a mail to be stored',
      async () => round % 8 === 0 || answers.flat().length >= round % 8,
    );
    await sleep(Math.random() * 20);
    await server.client.inboxes.delete(inbox.id);
    const stored = answers.flat().length;
    for (let look = 0; look < 2; look += 1) expect(await visibleOf(inbox)).toEqual([]);
    await Promise.all(pouring);
    expect(answers.flat().filter((code) => code !== 250 && code !== 550)).toEqual([]);
    // A mail that was begun before the response to the deletion may still get a 250, one on each connection.
    expect(answers.flat().filter((code) => code === 250).length).toBeLessThanOrEqual(stored + answers.length);
    expect(await visibleOf(inbox)).toEqual([]);
    inboxes.push(inbox);
    seen.push(...answers.flat());
  }
  const count = (code: number) => seen.filter((each) => each === code).length;
  console.log(`${count(250)} mails were stored before, ${count(550)} refused after`);
  expect(count(250)).toBeGreaterThan(rounds);
  expect(count(550)).toBe(4 * rounds);
  for (const inbox of inboxes) await removed(inbox);
  expect(await findOrphans(server)).toEqual({});
});

test('Interface 3 Inbox: a mail whose recipient was accepted before the deletion is refused after DATA', async () => {
  const inbox = await server.inbox();
  const other = await server.inbox();
  for (const recipients of [[inbox], [inbox, other]]) {
    const target = recipients[0] === inbox && recipients.length === 1 ? inbox : await server.inbox();
    const all = [target, ...recipients.slice(1)];
    const client = await RawSmtpClient.greet(server.smtpPort);
    const rcpt = all.map((each) => `RCPT TO:<${each.address}>`);
    expect((await client.codes('MAIL FROM:<ada@remote.example>', ...rcpt, 'DATA')).at(-1)).toBe(354);
    await server.client.inboxes.delete(target.id);
    client.write('Subject: late\r\n\r\nHello.\r\n.\r\n');
    expect((await client.reply()).lines.join()).toMatch(all.length === 1 ? /^550 5\.1\.1 / : /^250 /);
    client.destroy();
    expect(await visibleOf(target)).toEqual([]);
  }
  const { messages } = await server.client.messages.list({ inbox_id: other.id });
  expect(messages.map((message) => message.subject)).toEqual(['late']);
});

test('Interface 3 Inbox: a deleted inbox takes its messages, threads, links and files along at once', async () => {
  const { client } = server;
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, mailTo(inbox));
  const { messages } = await client.messages.list({ inbox_id: inbox.id });
  const message = messages[0];
  const attachment = message?.attachments[0];
  if (!message || !attachment) throw new Error('The mail was not listed.');
  const raw = await client.messages.raw(message.id);
  for (const url of [attachment.url, raw.url]) expect((await fetch(url)).status).toBe(200);
  await client.inboxes.delete(inbox.id);
  const refused = [
    () => client.messages.get(message.id),
    () => client.messages.raw(message.id),
    () => client.messages.reply(message.id, { text: 'Yes.' }),
    () => client.messages.forward(message.id, { to: [address()] }),
    () => client.messages.list({ inbox_id: inbox.id }),
    () => client.messages.list({ thread_id: message.thread_id }),
    () => client.threads.get(message.thread_id),
    () => client.threads.list({ inbox_id: inbox.id }),
    () => client.attachments.get(attachment.id),
    () => client.inboxes.delete(inbox.id),
  ];
  for (const each of refused) await catchApiError(each(), 'not_found');
  for (const url of [attachment.url, raw.url]) expect((await fetch(url)).status).toBe(404);
  expect(await visibleOf(inbox)).toEqual([]);
  await removed(inbox);
  for (const url of [attachment.url, raw.url]) expect((await fetch(url)).status).toBe(404);
});

test('Interface 3 Inbox: an address that is claimed again by its workspace shows none of the old mail', async () => {
  const { client } = server;
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, mailTo(inbox));
  const old = (await client.messages.list({ inbox_id: inbox.id })).messages[0];
  await client.inboxes.delete(inbox.id);
  const again = await client.inboxes.create({ local_part: inbox.local_part });
  expect((await client.messages.list({ inbox_id: again.id })).messages).toEqual([]);
  const answer = { ...mailTo(again), inReplyTo: old?.message_id ?? '', references: old?.message_id ?? '' };
  await sendMail(server.smtpPort, answer);
  const { threads } = await client.threads.list({ inbox_id: again.id });
  expect(threads).toMatchObject([{ message_count: 1 }]);
  expect(threads[0]?.id).not.toBe(old?.thread_id);
  await removed(inbox);
  expect((await client.messages.list({ inbox_id: again.id })).messages).toHaveLength(1);
});

test('Interface 3 Inbox: another workspace that claims the address after 30 days sees none of the old mail', async () => {
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, mailTo(inbox));
  await server.client.inboxes.delete(inbox.id);
  const other = await server.workspace();
  await catchApiError(other.client.inboxes.create({ local_part: inbox.local_part }), 'address_taken');
  pass(limits.addressHoldMs + 60_000);
  const claimed = await other.client.inboxes.create({ local_part: inbox.local_part });
  expect(claimed.address).toBe(inbox.address);
  expect((await other.client.messages.list()).messages).toEqual([]);
  await sendMail(server.smtpPort, mailTo(claimed));
  expect((await other.client.messages.list()).messages).toHaveLength(1);
  expect(await visibleOf(inbox)).toEqual([]);
});

test('Interface 3 Inbox: requests that wait for mail of a deleted inbox end at once', async () => {
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, mailTo(inbox));
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  await byWakeups(server, async () => {
    const waits = [
      { inbox_id: inbox.id, subject: 'something else' },
      { thread_id: messages[0]?.thread_id ?? '', direction: 'outbound' as const },
    ].map((filter) =>
      catchApiError(server.client.messages.list({ ...filter, wait_seconds: 60 }), 'not_found'),
    );
    await eventually(
      'the requests to wait',
      async () => waitingRequests(server.server.deps).countOf(server.id) === 2,
    );
    await server.client.inboxes.delete(inbox.id);
    await Promise.all(waits);
  });
});

test('Interface 3 Inbox: recipients that were deferred are not tried again once the inbox is deleted', async () => {
  const inbox = await server.inbox();
  const to = [address(), address()];
  sink.script({ at: 'rcpt', reply: '451 4.2.1 Try again later' });
  const { id, delivery_status } = await send(inbox, to);
  expect(delivery_status).toBe('deferred');
  await server.client.inboxes.delete(inbox.id);
  sink.clearScript();
  const asked = sink.commands.length;
  pass(24 * 3_600_000);
  await looked();
  expect(sink.commands.slice(asked).filter((line) => to.some((each) => line.includes(each)))).toEqual([]);
  await catchApiError(server.client.messages.get(id), 'not_found');
});

test('Interface 3 Inbox: a send that is under way when the inbox is deleted is cancelled until it is handed over, and is not tried again', async () => {
  const steps = [
    { at: 'rcpt' },
    { at: 'data' },
    { at: 'dot' },
    { at: 'dot', reply: '451 4.3.0 Try again later' },
    { at: 'dot', reply: '550 5.1.1 No such user' },
  ] as const;
  const inboxes: Inbox[] = [];
  for (const step of steps) {
    const inbox = await server.inbox();
    const to = address();
    const asked = sink.commands.length;
    const deleted = Promise.withResolvers<void>();
    sink.script({ ...step, recipient: to, until: deleted.promise });
    const sending = send(inbox, [to]).then(
      () => 201,
      (error: { status?: number }) => error.status,
    );
    const point = step.at === 'rcpt' ? 'RCPT' : 'DATA';
    await eventually(`the ${step.at}`, async () =>
      sink.commands.slice(asked).some((line) => line.startsWith(point)),
    );
    if (step.at === 'dot') await eventually('the dot', async () => sink.copiesFor(to).length > 0);
    await server.client.inboxes.delete(inbox.id);
    deleted.resolve();
    // A slow machine answers that it is on its way before the deletion.
    expect([201, 404]).toContain(await sending);
    pass(24 * 3_600_000);
    await looked();
    // A message that was not handed over yet is cancelled, in the middle of its session too.
    expect([step, sink.copiesFor(to).length]).toEqual([step, step.at === 'dot' ? 1 : 0]);
    const tries = sink.commands.slice(asked).filter((line) => line.includes(to));
    expect(tries).toHaveLength(1);
    inboxes.push(inbox);
    sink.clearScript();
  }
  for (const inbox of inboxes) await removed(inbox);
  expect(await findOrphans(server)).toEqual({});
});

test('Interface 3 Inbox: of sends that race the deletion each was stored and handed over, or is a 404 that sent nothing', async () => {
  const inboxes: Inbox[] = [];
  const sent: string[] = [];
  let stored = 0;
  for (let round = 0; round < 8; round += 1) {
    const inbox = await server.inbox();
    const recipients = Array.from({ length: 6 }, address);
    const sends = recipients.map((to) =>
      send(inbox, [to]).then(
        () => true,
        (error: { status?: number }) => error.status,
      ),
    );
    await sleep(Math.random() * 150);
    await server.client.inboxes.delete(inbox.id);
    const answers = await Promise.all(sends);
    expect(answers.filter((answer) => answer !== true && answer !== 404)).toEqual([]);
    expect(await visibleOf(inbox)).toEqual([]);
    inboxes.push(inbox);
    sent.push(...recipients);
    stored += answers.filter((answer) => answer === true).length;
  }
  console.log(`${stored} of ${sent.length} sends were stored before the deletion`);
  for (const inbox of inboxes) await removed(inbox);
  for (const to of sent) expect(sink.copiesFor(to).length).toBeLessThanOrEqual(1);
  expect(await findOrphans(server)).toEqual({});
});
