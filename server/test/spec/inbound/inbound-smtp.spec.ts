import { domainToASCII } from 'node:url';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendBytes, sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { createTransport } from 'nodemailer';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const from = 'ada@remote.example';
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const newest = async (of: Inbox = inbox, owner: TestWorkspace = server) =>
  (await owner.client.messages.list({ inbox_id: of.id, limit: 1 })).messages[0] ??
  expect.fail('There is no mail.');
const count = async (of: Inbox, owner: TestWorkspace = server) =>
  (await owner.client.messages.list({ inbox_id: of.id, limit: 100 })).messages.length;
const mail = (subject: string) => [`From: ${from}`, `Subject: ${subject}`, '', subject];

test('Message id, Message direction, Message from_addr, Message subject, Message body_text: a mail that was answered 250 is there, with what the envelope and the header say', async () => {
  const { response } = await sendMail(server.smtpPort, {
    envelope: { from: 'bounces@remote.example', to: inbox.address },
    from: 'Ada Lovelace <Ada@Remote.Example>',
    to: ['Support <support@elsewhere.example>', inbox.address],
    cc: 'copy@remote.example',
    replyTo: 'Desk <desk@remote.example>',
    subject: 'Grüße 🦊',
    text: 'Hällo',
    html: '<p>Hällo</p>',
    messageId: '<m1@remote.example>',
    inReplyTo: '<m0@remote.example>',
    references: ['<r@remote.example>', '<m0@remote.example>'],
  });
  expect(response).toMatch(/^250 2\.0\.0 /);
  expect(await newest()).toMatchObject({
    direction: 'inbound',
    delivery_status: 'received',
    from_addr: 'ada@remote.example',
    from_name: 'Ada Lovelace',
    to_addrs: ['support@elsewhere.example', inbox.address],
    cc_addrs: ['copy@remote.example'],
    bcc_addrs: [],
    reply_to_addrs: ['desk@remote.example'],
    envelope_from: 'bounces@remote.example',
    envelope_to: [inbox.address],
    subject: 'Grüße 🦊',
    body_text: expect.stringContaining('Hällo'),
    body_html: expect.stringContaining('<p>Hällo</p>'),
    message_id: '<m1@remote.example>',
    in_reply_to: '<m0@remote.example>',
    references: ['<r@remote.example>', '<m0@remote.example>'],
    recipients: [],
    client_id: null,
    provider_message_id: null,
    auto_submitted: false,
  });
});

test('Interface 3 Message: the null sender of a report is envelope_from null', async () => {
  await sendLines(server.smtpPort, { from: '', to: inbox.address }, mail('report'));
  expect(await newest()).toMatchObject({ envelope_from: null, from_addr: from, auto_submitted: true });
});

test('Interface 3 Inbox: mail to local+anything@ reaches local@, in any case', async () => {
  const { local_part } = inbox;
  const given = [
    `${local_part}+order-17@postrider.test`,
    `${local_part.toUpperCase()}+A+b@PostRider.TEST`,
    `${local_part}+@postrider.test`,
  ];
  for (const to of given) {
    await sendLines(server.smtpPort, { from, to }, mail(`to ${to}`));
    const { subject, envelope_to } = await newest();
    expect(subject).toBe(`to ${to}`);
    expect(envelope_to[0]?.toLowerCase()).toBe(to.toLowerCase());
  }
});

test('Inbound: an inbox that is named twice, by two tags, gets one copy that names both', async () => {
  const box = await server.inbox();
  const to = [box.address, box.address.replace('@', '+a@'), box.address.replace('@', '+b@')];
  await sendLines(server.smtpPort, { from, to }, mail('once'));
  expect([await count(box), (await newest(box)).envelope_to]).toEqual([1, to]);
});

test('Inbound: several recipients over several workspaces each get a copy and see nothing of the others', async () => {
  const owners = [server, await server.workspace(), await server.workspace()];
  const boxes = await Promise.all(owners.map((owner) => server.inbox(owner)));
  const second = await server.inbox();
  const to = [...boxes.map((box) => box.address), second.address];
  await sendLines(server.smtpPort, { from, to }, mail('for all'));
  const messages = [];
  for (const [index, owner] of owners.entries()) messages.push(await newest(boxes[index], owner));
  messages.push(await newest(second));
  expect(new Set(messages.map((message) => message.id)).size).toBe(4);
  expect(messages.map((message) => message.envelope_to)).toEqual(to.map((address) => [address]));
});

test('Inbound: an unknown recipient is 550 5.1.1, the others of the same mail get it', async () => {
  const unknown = `${server.freshName('nobody')}@postrider.test`;
  const refusal = await catchRefusal(sendLines(server.smtpPort, { from, to: unknown }, mail('x')));
  expect([refusal.responseCode, refusal.response]).toEqual([550, expect.stringContaining('5.1.1')]);
  const answer = await sendLines(server.smtpPort, { from, to: [unknown, inbox.address] }, mail('partly'));
  expect([answer.accepted, answer.rejected]).toEqual([[inbox.address], [unknown]]);
  expect((await newest()).subject).toBe('partly');
});

test('Inbound: there is no relaying, and no way around it', async () => {
  const client = await RawSmtpClient.greet(server.smtpPort);
  const { local_part } = inbox;
  const others = [
    'victim@elsewhere.example',
    `${local_part}%elsewhere.example@postrider.test`,
    `"victim@elsewhere.example"@postrider.test`,
    `${local_part}@postrider.test.elsewhere.example`,
    `@postrider.test:victim@elsewhere.example`,
    `elsewhere.example!victim@postrider.test`,
    local_part,
    `${local_part}@[127.0.0.1]`,
    `${local_part}@localhost`,
  ];
  await client.command(`MAIL FROM:<${from}>`);
  for (const to of others)
    expect([to, (await client.command(`RCPT TO:<${to}>`)).code]).toEqual([
      to,
      expect.toSatisfy((code: number) => code >= 500),
    ]);
  client.destroy();
});

test('Inbound: a deleted inbox is refused like an unknown one', async () => {
  const box = await server.inbox();
  await server.client.inboxes.delete(box.id);
  const refusal = await catchRefusal(sendLines(server.smtpPort, { from, to: box.address }, mail('x')));
  expect(refusal.responseCode).toBe(550);
});

test('Inbound: addresses in UTF-8 and international domains are taken and read', async () => {
  const lines = [
    'From: Jürgen <jürgen@bücher.example>',
    'To: 用户@例え.example',
    'Subject: Größe 発送',
    '',
    'Tschüß',
  ];
  await sendLines(server.smtpPort, { from: 'jürgen@bücher.example', to: inbox.address }, lines);
  expect(await newest()).toMatchObject({
    from_addr: `jürgen@${domainToASCII('bücher.example')}`,
    from_name: 'Jürgen',
    to_addrs: [`用户@${domainToASCII('例え.example')}`],
    subject: 'Größe 発送',
    body_text: expect.stringContaining('Tschüß'),
  });
});

test('Inbound: STARTTLS is offered and used', async () => {
  const transport = createTransport({
    host: '127.0.0.1',
    port: server.smtpPort,
    requireTLS: true,
    tls: { rejectUnauthorized: false, servername: 'mx.postrider.test' },
  });
  await transport.sendMail({ from, to: inbox.address, subject: 'secret', text: 'x' });
  transport.close();
  expect((await newest()).subject).toBe('secret');
});

test('Inbound: over 25 MB is 552, announced or not, and 25 MB is taken', async () => {
  const client = await RawSmtpClient.greet(server.smtpPort);
  expect((await client.command(`MAIL FROM:<${from}> SIZE=26214401`)).code).toBe(552);
  client.destroy();
  const header = Buffer.from(`From: ${from}\r\nSubject: large\r\n\r\n`);
  const body = Buffer.alloc(26_214_400 - header.length, `${'x'.repeat(76)}\r\n`);
  body.write('\r\n', body.length - 2);
  await sendBytes(server.smtpPort, { from, to: inbox.address }, Buffer.concat([header, body]));
  const taken = await newest();
  expect([taken.subject, taken.size_bytes]).toEqual(['large', 26_214_400]);
  const tooLarge = Buffer.concat([header, body, Buffer.from('x\r\n')]);
  const refusal = await catchRefusal(sendBytes(server.smtpPort, { from, to: inbox.address }, tooLarge));
  expect([refusal.responseCode, refusal.response]).toEqual([552, expect.stringContaining('5.3.4')]);
});

test('Inbound: more than 50 Received lines are 554 5.4.6, and 50 are taken', async () => {
  const received = (lines: number) => [
    ...Array(lines).fill('Received: from a by b; Mon, 1 Jan 2024 00:00:00 +0000'),
    ...mail('hops'),
  ];
  const refusal = await catchRefusal(sendLines(server.smtpPort, { from, to: inbox.address }, received(51)));
  expect([refusal.responseCode, refusal.response]).toEqual([554, expect.stringContaining('5.4.6')]);
  const logged = await eventually('the verdict', () =>
    server
      .rows(
        "select workspace_id, inbox_id, verdict from smtp_decisions where rcpt_to = $1 and reply like '554 5.4.6%'",
        [inbox.address],
      )
      .then((rows) => rows.length > 0 && rows),
  );
  expect(logged).toEqual([{ workspace_id: server.id, inbox_id: inbox.id, verdict: 'refused' }]);
  await sendLines(server.smtpPort, { from, to: inbox.address }, received(50));
  expect((await newest()).subject).toBe('hops');
});

test('Inbound: our own failures are 4xx, the mail is tried again, and nothing is lost or stored twice', async () => {
  const box = await server.inbox();
  const failures = { '57P03': '451 4.3.0', XX000: '451 4.3.0', '53100': '452 4.3.1' };
  for (const [sqlstate, expected] of Object.entries(failures)) {
    await failOn(server, { table: 'messages', sqlstate, message: 'secret' }, async () => {
      const refusal = await catchRefusal(
        sendLines(server.smtpPort, { from, to: box.address }, mail(sqlstate)),
      );
      expect(refusal.response).toMatch(new RegExp(`^${expected} `));
      expect(refusal.response).not.toContain('secret');
    });
    await sendLines(server.smtpPort, { from, to: box.address }, mail(sqlstate));
    await sendLines(server.smtpPort, { from, to: box.address }, mail(sqlstate));
    expect((await newest(box)).subject).toBe(sqlstate);
  }
  expect(await count(box)).toBe(3);
});

test('Inbound: every verdict is in the decision log', async () => {
  const box = await server.inbox();
  const unknown = `${server.freshName('nobody')}@postrider.test`;
  await sendLines(server.smtpPort, { from, to: [unknown, box.address] }, mail('logged'));
  await sendLines(server.smtpPort, { from, to: box.address }, mail('logged'));
  const message = await newest(box);
  const rows = await eventually('three verdicts', async () => {
    const found = await server.rows(
      'select verdict, rcpt_to, mail_from, workspace_id, message_id, remote_address, helo, left(reply, 9) as reply from smtp_decisions where rcpt_to in ($1, $2) order by id',
      [unknown, box.address],
    );
    return found.length === 3 && found;
  });
  const shared = { mail_from: from, remote_address: '127.0.0.1', helo: 'sender.example' };
  const ours = {
    ...shared,
    rcpt_to: box.address,
    workspace_id: server.id,
    message_id: message.id,
    reply: '250 2.0.0',
  };
  expect(rows).toEqual([
    {
      ...shared,
      rcpt_to: unknown,
      workspace_id: null,
      message_id: null,
      verdict: 'refused',
      reply: '550 5.1.1',
    },
    { ...ours, verdict: 'accepted' },
    { ...ours, verdict: 'repeated' },
  ]);
});
