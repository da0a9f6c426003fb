/* The edges of inbound mail: spellings of addresses, smuggling, certificates, and what the decision log knows of refusals. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { createTransport } from 'nodemailer';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSelfSignedCertificate } from '../../../src/tls/tls-certificate.ts';

const ada = 'ada@remote.example';
let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const messagesOf = async (inbox: Inbox, owner: TestWorkspace = server): Promise<Message[]> => {
  const { messages } = await owner.client.messages.list({ inbox_id: inbox.id });
  return Promise.all(messages.map(({ id }) => owner.client.messages.get(id)));
};
const greeted = () => RawSmtpClient.greet(server.smtpPort);
const verdictsFor = (recipient: string, count: number) =>
  eventually(`${count} rows of the decision log`, async () => {
    const rows = await server.rows<Record<string, unknown>>(
      `select verdict, reply, mail_from, helo, remote_address, workspace_id, inbox_id, message_id
        from smtp_decisions where rcpt_to = $1 order by id`,
      [recipient],
    );
    return rows.length >= count ? rows : null;
  });

test('Interface 3 Inbox: mail to local+anything@ and in any case reaches local@', async () => {
  const inbox = await server.inbox();
  const { local_part: local } = inbox;
  const spellings = [
    `${local}+news@postrider.test`,
    `${local.toUpperCase()}+News+More@POSTRIDER.Test`,
    `${local}+@postrider.test`,
    `${local}+a.b-c_d=e@postrider.test`,
    `"${local}"@postrider.test`,
  ];
  const client = await greeted();
  for (const to of spellings)
    expect((await client.deliver(`Subject: ${to}\r\n\r\nHi\r\n.\r\n`, ada, to)).code).toBe(250);
  client.destroy();
  const received = await messagesOf(inbox);
  expect(received.map(({ envelope_to }) => envelope_to).reverse()).toEqual(spellings.map((to) => [to]));
  expect(received.map(({ envelope_from }) => envelope_from)).toEqual(spellings.map(() => ada));
});

test('Architecture 5.1: there is no relaying, by no spelling', async () => {
  const inbox = await server.inbox();
  const client = await greeted();
  await client.command(`MAIL FROM:<${inbox.address}>`);
  const elsewhere = [
    'bob@remote.example',
    'bob@mx.postrider.test',
    'bob@sub.postrider.test',
    'bob@postrider.test.remote.example',
    '@postrider.test:bob@remote.example',
    'bob%remote.example@postrider.test',
    'remote.example!bob@postrider.test',
    '"bob@remote.example"@postrider.test',
    `${inbox.address}@remote.example`,
    'bob@[127.0.0.1]',
    'bob@localhost',
    'bob',
  ];
  for (const recipient of elsewhere) {
    const { code } = await client.command(`RCPT TO:<${recipient}>`);
    expect([recipient, code >= 500]).toEqual([recipient, true]);
  }
  expect((await client.command('DATA')).code).toBe(503);
  client.destroy();
});

test('Architecture 5: the end of a message is CRLF, a dot and CRLF, and nothing else smuggles a second mail in', async () => {
  const inbox = await server.inbox();
  const inner = `MAIL FROM:<eve@evil.example>\r\nRCPT TO:<${inbox.address}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx`;
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\n\n.\r\n', '\r\n.\0\r\n']) {
    const client = await greeted();
    const { code } = await client.deliver(
      `Subject: one\r\n\r\nfirst${end}${inner}\r\n.\r\n`,
      ada,
      inbox.address,
    );
    expect([JSON.stringify(end), code]).toEqual([JSON.stringify(end), 250]);
    expect((await client.command('NOOP')).code).toBe(250);
    client.destroy();
  }
  const received = await messagesOf(inbox);
  expect(received.map(({ subject, envelope_from }) => [subject, envelope_from])).toEqual(
    Array(7).fill(['one', ada]),
  );
});

test('Architecture 5: SMTPUTF8 is offered: addresses and headers in UTF-8 are taken, and domains with other letters are compared as A-labels', async () => {
  const german = await startTestServer({ env: { POSTRIDER_MAIL_DOMAIN: 'xn--bcher-kva.test' } });
  try {
    const inbox = await german.inbox();
    expect(inbox.address).toBe(`${inbox.local_part}@xn--bcher-kva.test`);
    const client = await RawSmtpClient.greet(german.smtpPort);
    for (const domain of ['bücher.test', 'BÜCHER.test', 'xn--bcher-kva.test']) {
      const to = `${inbox.local_part}@${domain}`;
      const commands = [`MAIL FROM:<jörg@müller.example> SMTPUTF8`, `RCPT TO:<${to}>`, 'DATA'];
      expect(await client.codes(...commands)).toEqual([250, 250, 354]);
      client.write(
        `From: Jörg Müller <Jörg@MÜLLER.example>\r\nTo: <${to}>\r\nSubject: Grüße 🦊\r\n\r\nHällo\r\n.\r\n`,
      );
      expect((await client.reply()).code).toBe(250);
    }
    client.destroy();
    const { messages } = await german.client.messages.list({ inbox_id: inbox.id });
    expect(messages).toHaveLength(3);
    for (const message of messages)
      expect(message).toMatchObject({
        envelope_from: 'jörg@müller.example',
        from_addr: 'jörg@xn--mller-kva.example',
        from_name: 'Jörg Müller',
        to_addrs: [inbox.address],
        subject: 'Grüße 🦊',
        body_text: 'Hällo\n',
      });
  } finally {
    await german.stop();
  }
});

test('Interface 10 POSTRIDER_TLS_CERT: STARTTLS is offered with the configured certificate, else with one of its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-tls-'));
  const { cert, key } = makeSelfSignedCertificate('mx.postrider.test', new Date());
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const secured = await startTestServer({
    env: { POSTRIDER_TLS_CERT: join(folder, 'cert.pem'), POSTRIDER_TLS_KEY: join(folder, 'key.pem') },
  });
  try {
    const send = async ({ smtpPort: port }: TestServer, to: string) => {
      const tls = { ca: [cert], servername: 'mx.postrider.test' };
      const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls });
      return transport.sendMail({ from: ada, to, text: 'Hi' }).finally(() => transport.close());
    };
    expect((await send(secured, (await secured.inbox()).address)).response).toMatch(/^250 /);
    expect((await catchRefusal(send(server, (await server.inbox()).address))).message).toMatch(/self-signed/);
  } finally {
    await secured.stop();
    await rm(folder, { recursive: true });
  }
});

test('Architecture 5.1: a verdict of every kind is a row of the decision log', async () => {
  const inbox = await server.inbox();
  const to = inbox.address;
  const lines = ['Subject: logged', '', 'x'];
  await sendLines(server.smtpPort, { from: ada, to }, lines);
  await sendLines(server.smtpPort, { from: ada, to }, lines);
  await failOn(server, { table: 'messages', sqlstate: '57P03', message: 'starting up' }, async () => {
    await catchRefusal(sendLines(server.smtpPort, { from: ada, to }, ['Subject: away', '', 'x']));
  });
  await catchRefusal(
    sendLines(server.smtpPort, { from: ada, to }, [...Array(51).fill('Received: by a'), '', 'x']),
  );
  const rows = await verdictsFor(to, 4);
  const [message] = await messagesOf(inbox);
  const of = { workspace_id: server.id, inbox_id: inbox.id };
  const common = { mail_from: ada, helo: 'sender.example', remote_address: '127.0.0.1' };
  expect(rows).toMatchObject([
    {
      ...common,
      ...of,
      verdict: 'accepted',
      message_id: message?.id,
      reply: expect.stringMatching(/^250 2\.0\.0 /),
    },
    {
      ...common,
      ...of,
      verdict: 'repeated',
      message_id: message?.id,
      reply: expect.stringMatching(/^250 2\.0\.0 /),
    },
    {
      ...common,
      ...of,
      verdict: 'deferred',
      message_id: null,
      reply: expect.stringMatching(/^451 4\.3\.0 /),
    },
    { ...common, verdict: 'refused', message_id: null, reply: expect.stringMatching(/^554 5\.4\.6 /) },
  ]);
  const nobody = `${server.freshName()}@postrider.test`;
  await catchRefusal(sendMail(server.smtpPort, { from: ada, to: nobody, text: 'x' }));
  expect(await verdictsFor(nobody, 1)).toMatchObject([
    {
      ...common,
      verdict: 'refused',
      reply: expect.stringMatching(/^550 5\.1\.1 /),
      workspace_id: null,
      inbox_id: null,
    },
  ]);
});

test('Interface 3: a mail of 900 files keeps its text, its original and the first 100 of them', async () => {
  const inbox = await server.inbox();
  const files = Array.from(
    { length: 900 },
    (_, i) =>
      `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${i}.bin"\r\n\r\nx${i}\r\n`,
  );
  const raw = `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee below\r\n${files.join('')}--b--\r\n`;
  const client = await greeted();
  expect((await client.deliver(`${raw}.\r\n`, ada, inbox.address)).code).toBe(250);
  client.destroy();
  const [message] = await eventually('the mail', async () => {
    const found = await messagesOf(inbox);
    return found.length > 0 && found;
  });
  expect(message?.body_text).toContain('see below');
  expect(message?.attachments.map(({ filename }) => filename)).toEqual(
    Array.from({ length: 100 }, (_, i) => `${i}.bin`),
  );
  const file = await fetch(message?.attachments.at(-1)?.url ?? '');
  expect(await file.text()).toBe('x99');
  const original = await server.client.messages.raw(message?.id ?? '');
  expect(original.size_bytes).toBeGreaterThan(raw.length - 1);
});

test.each([
  ['In-Reply-To: <null>', 'In-Reply-To: <undefined>'],
  ['In-Reply-To: <>', 'References: <@>'],
  ['References: <1> <2>', 'In-Reply-To: null'],
  ['In-Reply-To: <null@null>', 'Message-ID: <null>'],
  ['Message-ID: <1>', 'Message-ID: <undefined@app.example>'],
  ['Message-ID: <message@app.example>', 'X-Nothing: x'],
])(
  'Interface 3 Thread: strangers whose mails have the same id of no mail share no thread: %s, %s',
  async (...fields) => {
    const inbox = await server.inbox();
    for (const name of ['ada', 'bob', 'cora']) {
      const from = `${name}@remote.example`;
      const own = fields.some((field) => field.startsWith('Message-ID'))
        ? []
        : [`Message-ID: <${crypto.randomUUID()}@x>`];
      for (const text of ['one', 'two'])
        await sendLines(server.smtpPort, { from, to: inbox.address }, [
          `From: ${from}`,
          `To: ${inbox.address}`,
          `Subject: ${text}`,
          ...own,
          ...fields,
          '',
          `${name} ${text}`,
        ]);
    }
    await server.filed();
    const received = await messagesOf(inbox);
    expect(received).toHaveLength(6);
    const authorsOf = Map.groupBy(received, ({ thread_id }) => thread_id);
    for (const messages of authorsOf.values())
      expect(new Set(messages.map(({ from_addr }) => from_addr)).size).toBe(1);
  },
);

test('Interface 3 Thread: an address in In-Reply-To is no id of a mail', async () => {
  const inbox = await server.inbox();
  for (const name of ['ada', 'bob']) {
    const from = `${name}@remote.example`;
    await sendLines(server.smtpPort, { from, to: inbox.address }, [
      `From: ${from}`,
      `In-Reply-To: Your message to <${inbox.address}>`,
      '',
      name,
    ]);
  }
  await server.filed();
  const received = await messagesOf(inbox);
  expect(new Set(received.map(({ thread_id }) => thread_id)).size).toBe(2);
});
