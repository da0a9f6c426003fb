import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { EventStream, Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const deliver = (to: string, subject: string, more: { text?: string; html?: string; from?: string } = {}) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to, subject, ...more });

/** Mail that answers a message, as a mail program or a machine would send it. */
const answer = (to: Inbox, messageId: string, subject: string, ...headers: string[]) =>
  sendLines(server.smtpPort, { from: 'ada@example.com', to: to.address }, [
    'From: ada@example.com',
    `To: ${to.address}`,
    `Subject: ${subject}`,
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    ...headers,
    '',
    subject,
  ]);

const take = async (stream: EventStream, count: number) => {
  const events = [];
  while (events.length < count) {
    const { value } = await stream.next();
    if (value) events.push(value);
  }
  return events;
};

test('Interface 4 wait_seconds: 60 waits at once each get the mail of their inbox that was sent right after the call', async () => {
  const inboxes = await Promise.all(Array.from({ length: 20 }, () => server.inbox()));
  const { messages } = server.client;
  const waits = inboxes.map(({ id }) => messages.waitFor({ inbox_id: id, timeout: 300_000 }));
  const sends = inboxes.map(({ id, address }) =>
    messages.send({ inbox_id: id, to: [address], subject: `to ${address}`, text: 'Hi' }),
  );
  await Promise.all(sends);
  const subjects = (await Promise.all(waits)).map(({ subject }) => subject);
  expect(subjects).toEqual(inboxes.map(({ address }) => `to ${address}`));
});

const subjectsOf = (senders: number, each: number) =>
  Array.from({ length: senders }, (_, sender) =>
    Array.from({ length: each }, (_, index) => `mail ${sender}/${index}`),
  );

/** Sends what each sender has, one after the other, all senders at once. */
const sendAll = (to: string, subjects: string[][]) =>
  Promise.all(
    subjects.map(async (ofSender) => {
      for (const subject of ofSender) await deliver(to, subject);
    }),
  );

test('Interface 4 wait_seconds: waitFor in a loop with the message before as after gives every mail once, while 20 senders send', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const subjects = subjectsOf(20, 3);
  const sends = sendAll(inbox.address, subjects);
  const got: string[] = [];
  let after: Message | string = inbox.created_at;
  while (got.length < 60) {
    const message: Message = await messages.waitFor({ inbox_id: inbox.id, after, timeout: 300_000 });
    got.push(message.subject);
    after = message;
  }
  await sends;
  expect(got.toSorted()).toEqual(subjects.flat().toSorted());
  await deliver(inbox.address, 'the last');
  expect((await messages.waitFor({ inbox_id: inbox.id, after, timeout: 300_000 })).subject).toBe('the last');
});

test('Interface 5: a stream of messages that is begun anew from its cursor gives every mail once, while 20 senders send', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const subjects = subjectsOf(20, 3);
  const got: string[] = [];
  const take = async (after: string, count: number) => {
    const stream = owner.client.messages.stream({ inbox_id: inbox.id, after });
    let cursor = await stream.ready();
    for (let index = 0; index < count; index++) {
      const { value } = await stream.next();
      if (value) got.push(value.subject);
      cursor = stream.cursor ?? cursor;
    }
    await stream.return();
    return cursor;
  };
  let after = inbox.created_at;
  await deliver(inbox.address, 'early');
  const sends = sendAll(inbox.address, subjects);
  for (let round = 0; got.length < 61; round++)
    after = await take(after, Math.min(round % 4, 61 - got.length));
  await sends;
  expect(got.toSorted()).toEqual(['early', ...subjects.flat()].toSorted());
  await deliver(inbox.address, 'the last');
  await take(after, 1);
  expect(got.at(-1)).toBe('the last');
});

test('Interface 5: a stream of messages from now on gives what this client causes right after it', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  await deliver(inbox.address, 'before');
  const stream = messages.stream({ inbox_id: inbox.id, subject: 'wanted' });
  await messages.send({ inbox_id: inbox.id, to: [inbox.address], subject: 'other', text: 'Hi' });
  await messages.send({ inbox_id: inbox.id, to: [inbox.address], subject: 'wanted', text: 'Hi' });
  expect((await stream.next()).value).toMatchObject({ subject: 'wanted', direction: 'inbound' });
  await stream.return();
});

test('Interface 5: a stream of events that was left before its first event goes on from its cursor', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const { events } = owner.client;
  for (const subject of ['in an empty log', 'behind an event']) {
    const stream = events.stream({ inbox_id: inbox.id });
    const after = await stream.ready();
    await stream.return();
    await deliver(inbox.address, subject);
    const [event] = await take(events.stream({ after, inbox_id: inbox.id }), 1);
    expect(event?.message?.subject).toBe(subject);
  }
});

test('Interface 4 wait_seconds: waitForCode with after gives the newest code that is there, and then only newer ones', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const code = (text: string) => deliver(inbox.address, 'Sign in', { text: `Your code is ${text}.` });
  await code('111222');
  await code('333444');
  await server.filed();
  const found = await messages.waitForCode({ inbox_id: inbox.id, after: inbox.created_at, timeout: 300_000 });
  expect(found.code).toBe('333444');
  const next = messages.waitForCode({ inbox_id: inbox.id, after: found.message, timeout: 300_000 });
  await code('555666');
  expect((await next).code).toBe('555666');
});

test('Interface 4 wait_seconds: a wait with filters ends with the mail that passes them, as GET /messages has it', async () => {
  const [inbox, other] = [await server.inbox(), await server.inbox()];
  const foreign = await server.inbox(await server.workspace());
  const filters = { inbox_id: inbox.id, from: 'example.org', subject: 'wanted', has_attachment: false };
  const wait = server.client.messages.waitFor({ ...filters, timeout: 300_000 });
  for (const { address } of [other, foreign]) await deliver(address, 'wanted', { from: 'ada@example.org' });
  await deliver(inbox.address, 'wanted');
  await deliver(inbox.address, 'unwanted', { from: 'ada@example.org' });
  await deliver(inbox.address, 'This is wanted', { from: 'ada@sub.example.org' });
  await deliver(inbox.address, 'This is wanted', { from: 'ada@example.org' });
  const { subject, from_addr } = await wait;
  expect([subject, from_addr]).toEqual(['This is wanted', 'ada@example.org']);
});

test('Interface 2: a wait for an inbox, thread or label that is unknown or of another workspace is a 404 at once', async () => {
  const stranger = await server.workspace();
  const foreign = await server.inbox(stranger);
  const { messages } = server.client;
  const { id: label_id } = await stranger.client.labels.create({ name: 'theirs' });
  await catchApiError(messages.waitFor({ inbox_id: foreign.id }), 'not_found');
  await catchApiError(messages.waitForCode({ inbox_id: 'inb_unknown' }), 'not_found');
  await catchApiError(messages.waitFor({ thread_id: 'thr_unknown' }), 'not_found');
  await catchApiError(messages.waitForLink({ label_id }), 'not_found');
  await catchApiError(messages.waitForReply({ id: 'msg_unknown' }), 'not_found');
});

test('Interface 4 wait_seconds: waitForReply gives the first reply of a person, whether it came before the call or after it', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const send = () =>
    messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Lunch?', text: '?' });
  const early = await send();
  await answer(inbox, early.message_id, 'I am away', 'Auto-Submitted: auto-replied');
  await answer(inbox, early.message_id, 'Re: Lunch?');
  await deliver(inbox.address, 'elsewhere');
  expect((await messages.waitForReply(early)).subject).toBe('Re: Lunch?');
  expect((await messages.waitForReply(early, { automatic: true })).subject).toBe('I am away');
  const late = await send();
  const wait = messages.waitForReply(late, { timeout: 300_000 });
  await answer(inbox, early.message_id, 'not this one');
  await answer(inbox, late.message_id, 'I am away', 'Auto-Submitted: auto-replied');
  await answer(inbox, late.message_id, 'Gladly');
  expect((await wait).subject).toBe('Gladly');
});

test('Interface 3 Thread: waitForReply finds a reply by a thread id that was merged into another', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const parent = `<${crypto.randomUUID()}@example.com>`;
  await answer(inbox, parent, 'an earlier answer to what is not there yet');
  const sent = await messages.send({
    inbox_id: inbox.id,
    to: ['ada@example.com'],
    subject: 'Hi',
    references: [parent],
  });
  await sendLines(server.smtpPort, { from: 'ada@example.com', to: inbox.address }, [
    'From: ada@example.com',
    'Subject: the parent',
    `Message-ID: ${parent}`,
    `In-Reply-To: ${sent.message_id}`,
    '',
    'It comes late.',
  ]);
  const found = await messages.waitForReply(sent, { timeout: 300_000 });
  expect(['the parent', 'an earlier answer to what is not there yet']).toContain(found.subject);
});

test('Interface 4 wait_seconds: waitForCode and waitForLink find what is in text and in mail that has only HTML', async () => {
  const inbox = await server.inbox();
  const { messages } = server.client;
  const code = messages.waitForCode({ inbox_id: inbox.id, timeout: 300_000 });
  const link = messages.waitForLink({ inbox_id: inbox.id, timeout: 300_000 });
  await deliver(inbox.address, 'Welcome', { text: 'Welcome to Example, since 2026.' });
  const long = `<!-- ${'x'.repeat(70_000)} -->`;
  await deliver(inbox.address, 'Sign in', {
    html: `<html><body>${long}<p>Your sign-in code</p><p><b>482&nbsp;913</b></p><a href="https://example.com/login?t=1&amp;u=2">Sign in</a></body></html>`,
  });
  expect(await code).toMatchObject({ code: '482913', message: { subject: 'Sign in' } });
  expect(await link).toMatchObject({ url: 'https://example.com/login?t=1&u=2' });
});

test.each(['socket', 'sse', 'poll'] as const)(
  'Interface 5: a stream by %s gives the events of 20 senders once and in the order of the log',
  async (transport) => {
    const owner = await server.workspace();
    const inbox = await server.inbox(owner);
    const other = await server.inbox(owner);
    const { events } = owner.client;
    await deliver(inbox.address, 'before');
    await events.list({ wait_seconds: 60 });
    const all = events.stream({ transport });
    const some = events.stream({ transport, inbox_id: inbox.id, events: ['message.received'] });
    const first = Promise.all([take(all, 1), take(some, 1)]);
    // The streams of this client begin before its next request.
    await owner.client.account.get();
    const sends = Array.from({ length: 20 }, async (_, index) => {
      for (let round = 0; round < 3; round++) {
        await deliver((index % 2 ? inbox : other).address, `${index}/${round}`);
      }
    });
    const [[one], [oneOfSome]] = await first;
    const rest = await take(all, 59);
    const restOfSome = await take(some, 29);
    await Promise.all(sends);
    const ids = [one, ...rest].map((event) => event?.id);
    const log = [];
    for await (const event of events.list({ limit: 100 })) log.push(event);
    expect(ids).toEqual(log.slice(1).map(({ id }) => id));
    const ofInbox = log.slice(1).filter(({ inbox_id }) => inbox_id === inbox.id);
    expect([oneOfSome, ...restOfSome].map((event) => event?.id)).toEqual(ofInbox.map(({ id }) => id));
    await Promise.all([all.return(), some.return()]);
    const resumed = events.stream({ transport, after: ids[29] ?? '' });
    expect((await take(resumed, 30)).map(({ id }) => id)).toEqual(ids.slice(30));
    await resumed.return();
  },
);

test('Interface 5: a stream behind an unknown event, or of an unknown inbox, ends with the error of the log', async () => {
  for (const transport of ['socket', 'sse', 'poll'] as const) {
    const { events } = server.client;
    await catchApiError(events.stream({ transport, after: 'evt_unknown' }).next(), 'invalid_request');
    await catchApiError(events.stream({ transport, inbox_id: 'inb_unknown' }).next(), 'not_found');
  }
});
