import { type InboundSmtp, startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { createTransport } from 'nodemailer';
import { afterEach, expect, test } from 'vitest';
import { ServedCertificates } from '../../tls/served-certificates.ts';
import { makeSelfSignedCertificate } from '../../tls/tls-certificate.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});
async function start(options?: Parameters<typeof startInboundSmtp>[0]): Promise<InboundSmtp> {
  const smtp = await startInboundSmtp(options);
  open.push(smtp);
  return smtp;
}
async function greet(smtp: InboundSmtp): Promise<RawSmtpClient> {
  const client = await RawSmtpClient.greet(smtp.port);
  open.push({ close: () => client.destroy() });
  return client;
}
const selfSigned = (hostname: string) =>
  new ServedCertificates(makeSelfSignedCertificate(hostname, new Date()));
const lines = (count: number) => 'Received: from x by y;\r\n'.repeat(count);

test('greets with its host name and offers its extensions', async () => {
  const smtp = await start({ settings: { tls: selfSigned('mx.postrider.test') } });
  const client = await RawSmtpClient.connect(smtp.port);
  open.push({ close: () => client.destroy() });
  expect((await client.reply()).lines).toEqual(['220 mx.postrider.test ESMTP']);
  expect((await client.command('EHLO client.example')).lines).toEqual([
    '250-mx.postrider.test greets [127.0.0.1]',
    '250-PIPELINING',
    '250-8BITMIME',
    '250-SMTPUTF8',
    '250-ENHANCEDSTATUSCODES',
    '250-STARTTLS',
    '250 SIZE 1000000',
  ]);
});

test('passes envelope, tags and bytes on and answers with the words of its owner', async () => {
  const smtp = await start();
  const client = await greet(smtp);
  await client.codes(
    'MAIL FROM:<A@Sender.example>',
    'RCPT TO:<Bob+Tag@Inbox.example>',
    'RCPT TO:<"odd one"@inbox.example>',
    'DATA',
  );
  client.write('Subject: x\r\n\r\n..dot\r\n.\r\n');
  expect((await client.reply()).lines).toEqual(['250 2.0.0 Stored as number 1']);
  expect(smtp.taken[0]?.envelope).toEqual({
    from: 'A@Sender.example',
    recipients: [
      { address: 'Bob+Tag@Inbox.example', tag: 'inbox of Bob+Tag@Inbox.example' },
      { address: '"odd one"@inbox.example', tag: 'inbox of "odd one"@inbox.example' },
    ],
    smtpUtf8: false,
  });
  expect(smtp.taken[0]?.session).toMatchObject({
    remoteAddress: '127.0.0.1',
    helo: 'client.example',
    tls: false,
  });
  expect(smtp.taken[0]?.raw.toString()).toBe('Subject: x\r\n\r\n.dot\r\n');
});

test('takes the null sender', async () => {
  const smtp = await start();
  expect((await (await greet(smtp)).deliver('bounce\r\n.\r\n', '')).code).toBe(250);
  expect(smtp.taken[0]?.envelope.from).toBe('');
});

test('a recipient that the owner refuses is refused in the owner’s words, in ASCII and on one line', async () => {
  const smtp = await start({
    callbacks: {
      onRcpt: async () => ({ accept: false, code: 550, enhanced: '5.7.1', text: 'Blocked:\r\n250 größe' }),
    },
  });
  const client = await greet(smtp);
  await client.command('MAIL FROM:<a@x.example>');
  expect((await client.command('RCPT TO:<bob@inbox.example>')).lines).toEqual([
    '550 5.7.1 Blocked:?250 gr?e',
  ]);
  expect((await client.command('DATA')).code).toBe(503);
  expect(smtp.refusals.filter(({ code }) => code === 550)).toEqual([]);
});

test('a mail library delivers over STARTTLS, and the session says so', async () => {
  const smtp = await start({ settings: { tls: selfSigned('localhost') } });
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  });
  await transport.sendMail({ from: 'a@x.example', to: 'bob@inbox.example', subject: 'Grüße', text: 'hallo' });
  transport.close();
  expect(smtp.taken[0]?.session.tls).toBe(true);
});

test('commands that were sent in clear text behind STARTTLS are not run inside TLS', async () => {
  const smtp = await start({ settings: { tls: selfSigned('localhost') } });
  const client = await greet(smtp);
  client.write('STARTTLS\r\nMAIL FROM:<evil@x.example>\r\nRCPT TO:<bob@inbox.example>\r\n');
  expect((await client.reply()).code).toBe(220);
  await client.secure();
  expect((await client.command('RCPT TO:<bob@inbox.example>')).code).toBe(503);
  expect(smtp.asked).toEqual([]);
});

test('a message over the limit is refused when it is announced', async () => {
  const smtp = await start();
  const client = await greet(smtp);
  expect((await client.command('MAIL FROM:<a@x.example> SIZE=1000001')).lines[0]).toMatch(/^552 5\.3\.4 /);
  expect(smtp.refusals).toMatchObject([{ reason: 'size', envelopeFrom: 'a@x.example' }]);
});

test('a message over the limit is refused when it comes unannounced, and the session goes on', async () => {
  const smtp = await start();
  const client = await greet(smtp);
  expect((await client.deliver(`${'x'.repeat(1_000_001)}\r\n.\r\n`)).lines[0]).toMatch(/^552 5\.3\.4 /);
  expect(smtp.taken).toEqual([]);
  expect(smtp.refusals).toMatchObject([
    { reason: 'size', code: 552, envelopeFrom: 'a@sender.example', recipients: ['bob@inbox.example'] },
  ]);
  expect((await client.deliver('small\r\n.\r\n')).code).toBe(250);
});

test('a message of exactly the limit is taken', async () => {
  const smtp = await start();
  const client = await greet(smtp);
  expect((await client.deliver(`${'x'.repeat(999_998)}\r\n.\r\n`)).code).toBe(250);
  expect(smtp.taken[0]?.raw.length).toBe(1_000_000);
});

test('a message without end is cut off', async () => {
  const smtp = await start({ settings: { messageBytesMax: 50_000 } });
  const client = await greet(smtp);
  await client.codes('MAIL FROM:<a@x.example>', 'RCPT TO:<bob@inbox.example>', 'DATA');
  client.write('x'.repeat(400_000));
  expect((await client.reply()).code).toBe(421);
  await client.closed();
});

test('50 Received lines are a long way, 51 are a circle', async () => {
  const smtp = await start();
  const client = await greet(smtp);
  expect((await client.deliver(`${lines(50)}\r\nReceived: in the body\r\n.\r\n`)).code).toBe(250);
  expect(
    (await client.deliver(`Subject: x\r\n${lines(50)}rEcEiVeD:x\r\n\r\nbody\r\n.\r\n`)).lines[0],
  ).toMatch(/^554 5\.4\.6 /);
  expect(smtp.taken).toHaveLength(1);
  expect(smtp.refusals).toMatchObject([{ reason: 'loop', recipients: ['bob@inbox.example'] }]);
});

test('an answer of the owner does not change a refusal, even if it never read the message', async () => {
  const smtp = await start({
    callbacks: { onData: async () => ({ code: 250, enhanced: '2.0.0', text: 'Fine' }) },
  });
  const client = await greet(smtp);
  expect((await client.deliver(`${lines(51)}\r\n\r\n.\r\n`)).code).toBe(554);
  expect((await client.deliver('Subject: x\r\n\r\nunread\r\n.\r\n')).code).toBe(250);
});

test.each([
  ['451 4.3.0', new Error('database away')],
  ['452 4.3.1', Object.assign(new Error('write'), { code: 'ENOSPC' })],
  ['452 4.3.1', new Error('put', { cause: Object.assign(new Error('no room'), { name: 'FilesFull' }) })],
])('answers %s when the owner fails with %s', async (reply, failure) => {
  const smtp = await start({
    callbacks: {
      onRcpt: async (_session, _from, recipient) => {
        if (recipient.startsWith('late')) return { accept: true, tag: '' };
        throw failure;
      },
      onData: () => Promise.reject(failure),
    },
  });
  const client = await greet(smtp);
  await client.command('MAIL FROM:<a@x.example>');
  expect((await client.command('RCPT TO:<bob@inbox.example>')).lines[0]).toContain(reply);
  await client.codes('RCPT TO:<late@inbox.example>', 'DATA');
  client.write('x'.repeat(500_000));
  client.write('\r\n.\r\n');
  expect((await client.reply()).lines[0]).toContain(reply);
  expect(smtp.refusals.map(({ reason }) => reason)).toEqual(['failure', 'failure']);
});

test('an owner that answers nonsense, or nothing in time, makes the client try again', async () => {
  const smtp = await start({
    limits: { answerTimeoutMs: 50 },
    callbacks: {
      onRcpt: (_session, _from, recipient) =>
        recipient.startsWith('never')
          ? new Promise(() => undefined)
          : Promise.resolve({ accept: true, tag: recipient }),
      onData: (_session, { recipients }) =>
        recipients[0]?.tag.startsWith('odd')
          ? Promise.resolve({ code: 354, enhanced: '2.0.0', text: 'Go on' })
          : new Promise(() => undefined),
    },
  });
  const client = await greet(smtp);
  await client.command('MAIL FROM:<a@x.example>');
  expect((await client.command('RCPT TO:<never@inbox.example>')).lines[0]).toMatch(/^451 4\.3\.0/);
  await client.command('RSET');
  expect((await client.deliver('x\r\n.\r\n', 'a@x.example', 'odd@inbox.example')).lines[0]).toMatch(
    /^451 4\.3\.0/,
  );
  expect((await client.deliver('x\r\n.\r\n')).lines[0]).toMatch(/^451 4\.3\.0/);
});

test('a port that is taken is an error of listening', async () => {
  const { port } = await start();
  await expect(startInboundSmtp({ settings: { port } })).rejects.toThrow('EADDRINUSE');
});
