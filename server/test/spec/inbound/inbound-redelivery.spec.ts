/* A mail that was answered with 250 is there once, despite lost answers, redeliveries, and a database that is away or refuses. */
import { limits } from '@postrider/contract';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { findTraces } from '@postrider/testkit/mail/inbox-traces.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
const ada = 'ada@remote.example';
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
});
afterAll(() => server.stop());

const messagesOf = async (inbox: Inbox): Promise<Message[]> => {
  await server.filed();
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  return Promise.all(messages.map(({ id }) => server.client.messages.get(id)));
};
const greeted = () => RawSmtpClient.greet(server.smtpPort);

/** Sends a mail and vanishes before its answer can be read. */
const sendAndVanish = async (to: string, data: string): Promise<void> => {
  const client = await greeted();
  await client.codes(`MAIL FROM:<${ada}>`, `RCPT TO:<${to}>`, 'DATA');
  client.write(`${data}\r\n.\r\n`);
  await eventually('the mail to be stored', async () => {
    const rows = await server.rows('select 1 from messages where $1 = any(envelope_to)', [to]);
    return rows.length > 0;
  });
  client.destroy();
};

test('Architecture 5.3: a mail that comes again after a lost answer is stored once within 72 hours', async () => {
  const inbox = await server.inbox();
  const data = 'Message-ID: <lost@remote.example>\r\nSubject: once\r\n\r\nHi';
  await sendAndVanish(inbox.address, data);
  const again = async (from = ada, bytes = data) => {
    const client = await greeted();
    const { lines } = await client.deliver(`${bytes}\r\n.\r\n`, from, inbox.address);
    client.destroy();
    return lines[0];
  };
  const [first] = await messagesOf(inbox);
  expect(await again()).toBe(`250 2.0.0 Ok: ${first?.id}`);
  clock.advance(limits.redeliveryWindowMs - 60_000);
  expect(await again()).toBe(`250 2.0.0 Ok: ${first?.id}`);
  expect(await messagesOf(inbox)).toHaveLength(1);
  expect((await server.client.threads.get(first?.thread_id ?? '')).message_count).toBe(1);
  clock.advance(61_000);
  expect(await again()).not.toContain(first?.id);
  expect(await again('eve@remote.example')).toMatch(/^250 /);
  const all = await messagesOf(inbox);
  expect(all).toHaveLength(3);
  // A stranger who takes an id that is known joins no conversation.
  const threads = all.map(({ thread_id, envelope_from }) => [envelope_from, thread_id === first?.thread_id]);
  expect(threads.sort()).toEqual([
    [ada, true],
    [ada, true],
    ['eve@remote.example', false],
  ]);
});

test('Architecture 5.3: twenty redeliveries at once are one message', async () => {
  const inbox = await server.inbox();
  const lines = ['Subject: at once', '', 'Hi'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => sendLines(server.smtpPort, { from: ada, to: inbox.address }, lines)),
  );
  expect(answers.filter(({ response }) => !response.startsWith('250 '))).toEqual([]);
  await server.filed();
  expect(await messagesOf(inbox)).toHaveLength(1);
  const events = await server.rows(
    "select count(*)::int as count from events where inbox_id = $1 and event = 'message.received'",
    [inbox.id],
  );
  expect(events).toEqual([{ count: 1 }]);
});

test('Architecture 5.3: the same Message-ID with other bytes is another message of the same thread', async () => {
  const inbox = await server.inbox();
  const to = inbox.address;
  const mail = (text: string) => ['Message-ID: <same@remote.example>', 'Subject: same', '', text];
  for (const text of ['One', 'Two', 'One']) await sendLines(server.smtpPort, { from: ada, to }, mail(text));
  const received = await messagesOf(inbox);
  expect(received.map(({ body_text }) => body_text)).toEqual(['Two\n', 'One\n']);
  expect(new Set(received.map(({ thread_id }) => thread_id)).size).toBe(1);
});

test('Architecture 5.4: while the database is away or full the answer is 451 or 452, and the mail is taken the next time', async () => {
  const inbox = await server.inbox();
  const send = () =>
    sendLines(server.smtpPort, { from: ada, to: inbox.address }, ['Subject: patient', '', 'x']);
  const failures = [
    { sqlstate: '57P03', message: 'the database system is starting up', answer: /^451 4\.3\.0 / },
    { sqlstate: '53100', message: 'could not extend file: No space left on device', answer: /^452 4\.3\.1 / },
    { sqlstate: '40001', message: 'could not serialize access', answer: /^451 4\.3\.0 / },
  ];
  for (const { answer, ...failure } of failures)
    await failOn(server, { table: 'events', ...failure }, async () => {
      expect((await catchRefusal(send())).response).toMatch(answer);
    });
  expect(await messagesOf(inbox)).toEqual([]);
  const home = { workspaceId: server.id, id: inbox.id };
  expect(await findTraces(server, home)).toEqual({ inboxes: 1 });
  expect((await send()).response).toMatch(/^250 /);
  expect(await messagesOf(inbox)).toHaveLength(1);
  expect(await findTraces(server, home)).toMatchObject({ messages: 1, originals: 1 });
});

test('Architecture 5.3, 5.4: a mail that one of three inboxes cannot store is 451, in the two others once, and the decision log says so', async () => {
  const inboxes = [await server.inbox(), await server.inbox(), await server.inbox()];
  const to = inboxes.map(({ address }) => address);
  const send = () => sendLines(server.smtpPort, { from: ada, to }, ['Subject: three', '', 'x']);
  const verdicts = async () => {
    const sql = 'select verdict from smtp_decisions where inbox_id = $1 order by at, id';
    return Promise.all(inboxes.map(({ id }) => server.rows<{ verdict: string }>(sql, [id])));
  };
  const broken = { table: 'messages', sqlstate: '53200', message: 'out of memory' };
  await failOn(server, { ...broken, when: `new.inbox_id = '${inboxes[0]?.id}'` }, async () => {
    expect((await catchRefusal(send())).response).toMatch(/^451 4\.3\.0 /);
  });
  expect((await Promise.all(inboxes.map(messagesOf))).map(({ length }) => length)).toEqual([0, 1, 1]);
  expect((await send()).response).toMatch(/^250 /);
  expect((await Promise.all(inboxes.map(messagesOf))).map(({ length }) => length)).toEqual([1, 1, 1]);
  await eventually('six verdicts', async () => (await verdicts()).flat().length === 6);
  expect((await verdicts()).map((rows) => rows.map(({ verdict }) => verdict))).toEqual([
    ['deferred', 'accepted'],
    ['accepted', 'repeated'],
    ['accepted', 'repeated'],
  ]);
});

test('Architecture 5.5: a mail whose texts the database refuses is stored with its original and a minimal row', async () => {
  const inbox = await server.inbox();
  await server.rows(`create function refuse_subject() returns trigger language plpgsql as $$ begin
    if new.subject = 'poison' then raise exception 'untranslatable character' using errcode = '22P05'; end if;
    return new; end $$`);
  await server.rows(
    'create trigger refuse_subject before insert on messages for each row execute function refuse_subject()',
  );
  try {
    const lines = [`From: Ada <${ada}>`, 'Subject: poison', 'Message-ID: <poison@remote.example>', '', 'Hi'];
    expect((await sendLines(server.smtpPort, { from: ada, to: inbox.address }, lines)).response).toMatch(
      /^250 /,
    );
    const [message] = await messagesOf(inbox);
    expect(message).toMatchObject({
      subject: '',
      body_text: null,
      from_addr: ada,
      message_id: '<poison@remote.example>',
    });
    const { url } = await server.client.messages.raw(message?.id ?? '');
    expect(await (await fetch(url)).text()).toBe(`${lines.join('\r\n')}\r\n`);
  } finally {
    await server.rows('drop trigger refuse_subject on messages');
  }
});
