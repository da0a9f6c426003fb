/*
 * Mail that nobody here wrote, much of it malformed: what is on the disk goes over SMTP as an MTA would send it, and must be
 * there afterwards, readable by every endpoint, with the very bytes that were sent.
 */

import { asSent, corpusFolder, dotStuffed, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Inbox, ListedMessage } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The most processor time of this process, in which the server runs, that one mail may take: what it waits for depends on the machine. */
const answerMsMax = 2_000;

interface Mail {
  file: string;
  /** Unlike any other, so that two equal files are two mails. */
  sender: string;
  raw: Buffer;
}

const mailOf = (file: string, sender: string, raw: Buffer): Mail => ({
  file,
  sender: `${sender}@corpus.example`,
  raw,
});

/** Mails that no corpus has: bytes and lines outside of every standard. */
const ugly: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'a header without a body': Buffer.from('Subject: x'),
  'a body without a header': Buffer.from('\nx'),
  'lines of dots': Buffer.from('Subject: dots\n\n.\n..\n.x\n...\n'),
  'a header of bytes that are no UTF-8': Buffer.from(
    'Subject: caf\xe9 \xff\xfe\nFrom: J\xfcrgen <j\xfc@x.example>\n\n\xa4\xdf',
    'latin1',
  ),
  'NUL everywhere': Buffer.from(
    'Subject: a\0b\nFrom: "a\0b" <a\0@x.example>\nMessage-ID: <a\0b@x>\nX-\0: \0\n\na\0b\n',
  ),
  'a line of 2 MB': Buffer.from(`Subject: long\n\n${'x'.repeat(2_000_000)}\n`),
  'a subject of 1 MB': Buffer.from(`Subject: ${'word '.repeat(200_000)}\n\nx\n`),
  'a Message-ID of 1 MB': Buffer.from(`Message-ID: <${'i'.repeat(1_000_000)}@x>\n\nx\n`),
  'a file whose name has everything': Buffer.from(
    'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="../\xe9\0\x07/c:\\a"b.txt"\n\nx',
    'latin1',
  ),
};

const timed = async <T>(work: Promise<T>): Promise<{ result: T; ms: number }> => {
  const before = process.cpuUsage();
  const result = await work;
  const { user, system } = process.cpuUsage(before);
  return { result, ms: Math.round((user + system) / 1_000) };
};

const download = async (url: string): Promise<Buffer> => {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`A link was answered with ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
};

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

/** Sends the mails one after another and gives what is wrong with the answers, and the slowest. */
const deliverAll = async (mails: Mail[]) => {
  const problems: string[] = [];
  const slowest = { file: '', ms: 0 };
  const smtp = await RawSmtpClient.greet(server.smtpPort);
  for (const { file, sender, raw } of mails) {
    const { result, ms } = await timed(smtp.deliver(dotStuffed(raw), sender, inbox.address));
    if (result.code !== 250) problems.push(`${file}: ${result.lines.join(' ')}`);
    if (ms > answerMsMax) problems.push(`${file}: took ${ms} ms to answer`);
    if (ms > slowest.ms) Object.assign(slowest, { file, ms });
  }
  await smtp.command('QUIT');
  smtp.destroy();
  return { problems, slowest };
};

/** Reads a mail by every endpoint that shows it; throws for what is not as it was sent. */
const readBack = async (mail: Mail, listed: ListedMessage | undefined): Promise<number> => {
  if (!listed) throw new Error('It is not listed.');
  const message = await server.client.messages.get(listed.id);
  expect(message.size_bytes).toBe(mail.raw.length);
  const thread = await server.client.threads.get(message.thread_id);
  expect(thread.messages.map(({ id }) => id)).toContain(message.id);
  const link = await server.client.messages.raw(message.id);
  expect(link.size_bytes).toBe(mail.raw.length);
  if (!mail.raw.equals(await download(link.url)))
    throw new Error('Its raw bytes are not those that were sent.');
  for (const attachment of message.attachments) {
    const [fresh, bytes] = await Promise.all([
      server.client.attachments.get(attachment.id),
      download(attachment.url),
    ]);
    expect(bytes.length, attachment.filename).toBe(attachment.size_bytes);
    expect((await download(fresh.url)).equals(bytes), attachment.filename).toBe(true);
  }
  return message.attachments.length;
};

const listAll = async (): Promise<Map<string | null, ListedMessage>> => {
  const bySender = new Map<string | null, ListedMessage>();
  for await (const message of server.client.messages.list({ inbox_id: inbox.id, limit: 100 }))
    bySender.set(message.envelope_from, message);
  return bySender;
};

/** Delivers the mails and reads them back; gives what went wrong, and the figures. */
const runThrough = async (mails: Mail[]) => {
  const { problems, slowest } = await deliverAll(mails);
  const bySender = await listAll();
  const reading = { file: '', ms: 0, attachments: 0 };
  for (const mail of mails) {
    try {
      const { result, ms } = await timed(readBack(mail, bySender.get(mail.sender)));
      reading.attachments += result;
      if (ms > answerMsMax) problems.push(`${mail.file}: read in ${ms} ms`);
      if (ms > reading.ms) Object.assign(reading, { file: mail.file, ms });
    } catch (error) {
      problems.push(`${mail.file}: ${(error as Error).message}`);
    }
  }
  const stored = mails.filter(({ sender }) => bySender.has(sender)).length;
  console.log(
    `${mails.length} files sent, ${stored} stored, ${reading.attachments} attachments downloaded; ` +
      `the dearest 250 took ${slowest.ms} ms (${slowest.file}), the dearest read ${reading.ms} ms (${reading.file})`,
  );
  return { problems, stored };
};

test('every mail of the corpus is taken, listed, readable and kept byte by byte, each within two seconds', async ({
  skip,
}) => {
  const folder = corpusFolder();
  skip(folder === null, 'The corpus of mail is not beside the checkout.');
  const mails = readMails(folder ?? '').map(({ file, raw }, index) => mailOf(file, `file-${index}`, raw));
  expect(mails.length).toBeGreaterThan(100);
  expect(await runThrough(mails)).toEqual({ problems: [], stored: mails.length });
});

test('mail that keeps to no standard is taken, listed, readable and kept byte by byte all the same', async () => {
  const mails = Object.entries(ugly).map(([file, bytes], index) =>
    mailOf(file, `ugly-${index}`, asSent(bytes)),
  );
  expect(await runThrough(mails)).toEqual({ problems: [], stored: mails.length });
});
