import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Message } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** How often the server is killed at any moment. */
const kills = 2;

let sink: MailSink;
let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  sink = await MailSink.start();
  home = await makeServerHome({
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
    // A lease is then three seconds, and so is the time to the first retry; a relay that hangs is given up later than that.
    POSTRIDER_TIME_SCALE: '20',
  });
  server = await home.start();
});

afterAll(async () => {
  await home.remove();
  await sink.close();
});

const crashAndStart = async () => {
  await server.crash();
  sink.clearScript();
  server = await home.start();
};

const statusOf = (message: Message, address: string) =>
  message.recipients.find((recipient) => recipient.address === address)?.status;

/** The message once nothing is left to do for it. */
const settled = (id: string): Promise<Message> =>
  eventually('the outcome of every recipient', async () => {
    const message = await server.client.messages.get(id);
    const open = ['queued', 'sending', 'deferred'];
    return message.recipients.every(({ status }) => !open.includes(status)) && message;
  });

/** Expects, whenever the server was killed, that no recipient has two copies, and that every status tells the truth. */
const expectHonest = (message: Message): void => {
  for (const { address, status, detail } of message.recipients) {
    const copies = sink.copiesFor(address);
    expect([address, new Set(copies.map(({ messageId }) => messageId)).size <= 1]).toEqual([address, true]);
    if (status === 'sent') expect([address, copies.length]).toEqual([address, 1]);
    else {
      expect([address, status, detail]).toEqual([address, 'failed', expect.stringMatching(/^unconfirmed: /)]);
      expect(copies.length).toBeLessThanOrEqual(1);
    }
  }
};

const text = 'A line of a text that is long enough to be on its way for a while.\n'.repeat(3_000);

describe('a server that is killed while it sends', () => {
  test('before, within and after the content: tries again what had not gone and never what may have', async () => {
    const { client } = server;
    const inbox = await client.inboxes.create({ local_part: 'points' });
    const at = (point: string) => `${point}@example.com`;
    sink.script(
      { at: 'data', recipient: at('before'), hang: true },
      { at: 'content', recipient: at('within'), hang: true, afterBytes: 1_000 },
      { at: 'dot', recipient: at('after'), hang: true },
      { at: 'rcpt', recipient: at('deferred'), reply: '451 4.7.1 Later' },
    );
    const to = ['before', 'within', 'after', 'deferred', 'done'].map(at);
    const { id } = await client.messages.send({ inbox_id: inbox.id, to, subject: 'Points', text });
    // The relay says what has begun, because a busy server may give one recipient up before the next one gets this far.
    const isAtEveryPoint = async () =>
      sink.commands.includes(`RCPT TO:<${at('before')}>`) &&
      sink.contents.some(({ recipients }) => recipients.includes(at('within'))) &&
      sink.copiesFor(at('after')).length === 1 &&
      statusOf(await client.messages.get(id), at('done')) === 'sent';
    await eventually('every point', isAtEveryPoint);
    await crashAndStart();
    const message = await settled(id);
    expectHonest(message);
    const states = message.recipients.map(({ address, status }) => [address.replace(/@.*/, ''), status]);
    expect(Object.fromEntries(states)).toEqual({
      before: 'sent',
      within: 'failed',
      after: 'failed',
      deferred: 'sent',
      done: 'sent',
    });
    expect(sink.copiesFor(at('within'))).toEqual([]);
    expect(sink.copiesFor(at('after'))).toHaveLength(1);
  });

  test('at any moment: whoever was answered finds every recipient settled, and a repeat sends no second message', async () => {
    const inbox = await server.client.inboxes.create({ local_part: 'sender' });
    const requests = Array.from({ length: kills }, (_, round) => ({
      inbox_id: inbox.id,
      to: Array.from({ length: 40 }, (_unused, index) => `any-${round}-${index}@example.com`),
      subject: `Round ${round}`,
      text,
      client_id: `round-${round}`,
    }));
    const answered: string[] = [];
    for (const [round, request] of requests.entries()) {
      const before = sink.messages.length;
      const asked = server.client.messages.send(request).then(
        ({ id }) => answered.push(id),
        () => undefined,
      );
      await sink.waitForMessages(before + 1 + round * 12);
      await crashAndStart();
      await asked;
    }
    for (const request of requests) {
      const { client } = server;
      const { id } = await client.messages.send(request);
      const message = await settled(id);
      expectHonest(message);
      const messageIds = request.to
        .flatMap((address) => sink.copiesFor(address))
        .map((copy) => copy.messageId);
      expect(new Set(messageIds)).toEqual(new Set([message.message_id]));
      expect(await client.messages.send(request)).toMatchObject({ id, idempotent: true });
    }
    const page = await server.client.messages.list({ inbox_id: inbox.id });
    expect(page.messages).toHaveLength(requests.length);
    expect(answered.filter((id) => !page.messages.some((message) => message.id === id))).toEqual([]);
  });
});
