/* The main job, on real mail: in by SMTP, read and answered by API, out by SMTP, and back again into the same thread. */
import { randomBytes } from 'node:crypto';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { type ParsedMail, simpleParser } from 'mailparser';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';

let server: TestServer;
let sink: MailSink;

beforeAll(async () => {
  sink = await MailSink.start();
  server = await startTestServer({
    env: { POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` },
  });
});
afterAll(async () => {
  await server.stop();
  await sink.close();
});

/** A correspondent with an address of their own at the sink. */
const correspondent = (address: string, inbox: Inbox) => {
  let sent = 0;
  return {
    /** Sends a mail as a mail program answers one, and gives its Message-ID. */
    async write(text: string, answered?: ParsedMail): Promise<string> {
      sent += 1;
      const messageId = `<${sent}.${randomBytes(6).toString('hex')}@${address.split('@')[1]}>`;
      const references = [answered?.references ?? [], answered?.messageId ?? []].flat();
      await sendMail(server.smtpPort, {
        from: address,
        to: inbox.address,
        subject: answered ? `RE: ${answered.subject}` : 'The plan',
        text,
        messageId,
        ...(answered?.messageId && { inReplyTo: answered.messageId, references }),
      });
      return messageId;
    },
    /** The mails that the sink has for them, as another program reads them. */
    mailbox: () => Promise.all(sink.copiesFor(address).map(({ raw }) => simpleParser(raw))),
  };
};

const newest = async (inbox: Inbox): Promise<Message> => {
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, direction: 'inbound' });
  return messages[0] as Message;
};

test('a waiting request is answered as soon as a mail is taken, with a file that comes back byte by byte', async () => {
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    for (let round = 1; round <= 5; round += 1) {
      const waiting = server.client.messages
        .list({ inbox_id: inbox.id, subject: `round${round}`, wait_seconds: 60 })
        .then(({ messages }) => messages);
      await eventually(
        'the request to wait',
        async () => waitingRequests(server.server.deps).countOf(server.id) === 1,
      );
      const content = randomBytes(200_000 * round);
      const { response } = await sendMail(server.smtpPort, {
        from: 'ada@engine.example',
        to: inbox.address,
        subject: `The plan, round${round}`,
        text: 'Is it sound?',
        attachments: [{ filename: 'plan.bin', content }],
      });
      expect(response).toMatch(/^250 /);
      const messages = await waiting;
      const [message] = messages;
      expect(messages).toHaveLength(1);
      expect(message?.attachments).toMatchObject([{ filename: 'plan.bin', size_bytes: content.length }]);
      const download = await fetch(message?.attachments[0]?.url ?? '');
      expect(content.equals(Buffer.from(await download.arrayBuffer()))).toBe(true);
    }
  });
});

test('five turns each way stay in one thread, and every reply names all that went before', async () => {
  const inbox = await server.inbox();
  const ada = correspondent('ada@five-turns.example', inbox);
  const chain = [await ada.write('Turn 1')];
  for (let turn = 1; turn <= 5; turn += 1) {
    const reply = await server.client.messages.reply((await newest(inbox)).id, { text: `Reply ${turn}` });
    expect(reply.delivery_status).toBe('sent');
    const received = (await ada.mailbox()).at(-1) as ParsedMail;
    expect(received).toMatchObject({ messageId: reply.message_id, inReplyTo: chain.at(-1) });
    expect(received.subject).toBe(turn === 1 ? 'Re: The plan' : 'RE: The plan');
    expect(received.references).toEqual([...chain, reply.message_id]);
    expect(received.from?.value[0]?.address).toBe(inbox.address);
    chain.push(reply.message_id);
    chain.push(await ada.write(`Turn ${turn + 1}`, { ...received, subject: 'The plan' }));
  }
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  expect(threads).toMatchObject([{ subject: 'The plan', message_count: 11 }]);
  const thread = await server.client.threads.get(threads[0]?.id ?? '');
  expect(thread.messages.map(({ message_id }) => message_id)).toEqual(chain);
  expect(thread.messages.map(({ direction }) => direction)).toEqual(
    chain.map((_, index) => (index % 2 === 0 ? 'inbound' : 'outbound')),
  );
});

test('two correspondents who write the same to one inbox have a thread each', async () => {
  const inbox = await server.inbox();
  const people = ['ada@one.example', 'bob@two.example'].map((address) => correspondent(address, inbox));
  for (const person of people) await person.write('Is it sound?');
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  for (const { id, from_addr } of messages)
    await server.client.messages.reply(id, { text: `Yes, ${from_addr}.` });
  for (const person of people) {
    const [received] = await person.mailbox();
    await person.write('Thank you.', { ...(received as ParsedMail), subject: 'The plan' });
  }
  const { threads } = await server.client.threads.list({ inbox_id: inbox.id });
  expect(threads.map(({ message_count }) => message_count)).toEqual([3, 3]);
  expect(threads.map(({ participants }) => participants.filter((one) => one !== inbox.address))).toEqual([
    ['bob@two.example'],
    ['ada@one.example'],
  ]);
});
