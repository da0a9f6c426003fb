import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { isAcknowledged, madeUpMails, startIntake } from '@postrider/testkit/smtp/steady-intake.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let sink: MailSink;
let home: ServerHome;

beforeAll(async () => {
  sink = await MailSink.start();
});

afterAll(() => sink.close());

beforeEach(async () => {
  home = await makeServerHome({
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
  });
});

afterEach(() => home.remove());

const messageIds = async (client: Awaited<ReturnType<ServerHome['start']>>['client'], inbox: string) => {
  const ids: string[] = [];
  for await (const message of client.messages.list({ inbox_id: inbox, limit: 100 }))
    ids.push(message.message_id);
  return ids;
};

describe('a server that is told to stop', () => {
  test('under load ends in time with code 0, and every mail that it acknowledged is there once', async () => {
    const first = await home.start();
    const inbox = await first.client.inboxes.create({ local_part: 'load' });
    const open = await RawSmtpClient.greet(first.smtpPort);
    const waiting = first.client.messages.list({
      inbox_id: inbox.id,
      direction: 'outbound',
      wait_seconds: 60,
    });
    expect(await open.codes('MAIL FROM:<slow@sender.example>', `RCPT TO:<${inbox.address}>`, 'DATA')).toEqual(
      [250, 250, 354],
    );
    open.write('Message-ID: <open@sender.example>\r\nSubject: open\r\n\r\n');
    const intake = startIntake({
      port: first.smtpPort,
      to: inbox.address,
      sessions: 8,
      mails: madeUpMails('stop', inbox.address),
    });
    await eventually('some mail', async () => intake.acknowledged() >= 100);
    const stopping = first.stop();
    const page = await waiting;
    open.write('the rest\r\n.\r\n');
    const answer = await open.reply();
    expect([250, 421]).toContain(answer.code);
    const { code, output } = await stopping;
    await intake.ended;
    expect(code).toBe(0);
    expect(page.messages).toEqual([]);
    expect(output).not.toMatch(/"level":(50|60)/);

    const second = await home.start();
    const acknowledged = intake.mails.filter(isAcknowledged).map(({ messageId }) => messageId);
    if (answer.code === 250) acknowledged.push('<open@sender.example>');
    const ids = await eventually('every acknowledged mail', async () => {
      const found = await messageIds(second.client, inbox.id);
      return acknowledged.every((id) => found.includes(id)) && found;
    });
    expect(new Set(ids).size).toBe(ids.length);
    await second.stop();
  });

  // They hang for longer than a test may take, so that only a server that waits for none of them passes.
  test('ends in time with code 0 though clients and peers hang', async () => {
    const server = await home.start();
    const inbox = await server.client.inboxes.create({ local_part: 'hang' });
    sink.script({ at: 'dot', recipient: 'silent@example.com', hang: true });
    const to = ['silent@example.com'];
    const sending = server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hang', text: 'x' });
    await sink.waitForMessages(1);
    const open = await RawSmtpClient.greet(server.smtpPort);
    await open.codes('MAIL FROM:<slow@sender.example>', `RCPT TO:<${inbox.address}>`, 'DATA');
    open.write('Subject: never ends\r\n');
    const { code } = await server.stop();
    expect(code).toBe(0);
    const { id } = await sending;
    await open.closed();

    const second = await home.start();
    const message = await second.client.messages.get(id);
    expect(message.recipients).toMatchObject([
      { status: 'failed', detail: expect.stringMatching(/^unconfirmed: /) },
    ]);
    expect(sink.copiesFor('silent@example.com')).toHaveLength(1);
    await second.stop();
  });
});
