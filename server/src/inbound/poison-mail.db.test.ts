import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});

afterAll(() => server.stop());

const lines = (...text: string[]) => Buffer.from(`${text.join('\r\n')}\r\n`);
const withBody = (body: string | Buffer, type = 'text/plain; charset=utf-8') =>
  Buffer.concat([
    lines('From: a@example.com', `Content-Type: ${type}`, '', ''),
    Buffer.from(body),
    lines(''),
  ]);

/** Words that are all different, in lines that SMTP allows. */
const words = (count: number, word: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => word(index) + ((index + 1) % 8 ? ' ' : '\r\n')).join('');

/** One header in lines that are folded, as long ones must be. */
const folded = (name: string, parts: string[]): string => `${name}: ${parts.join('\r\n ')}`;

const poisons: [string, Buffer][] = [
  ['nothing but an end of line', lines('')],
  ['no header', lines('', 'just a body')],
  ['no body and no end of its header', lines('Subject: cut off')],
  [
    'NUL everywhere',
    lines('From: a\0@example.com', 'Subject: a\0b', 'Message-ID: <n\0@x>', 'X: \0', '', 'c\0d\0'),
  ],
  ['NUL in an encoded subject', lines('Subject: =?utf-8?Q?a=00b?=', '', 'x')],
  ['NUL in what it names', lines('In-Reply-To: <a\0b@x>', 'References: <c\0@x> <\0@x>', '', 'x')],
  [
    'half characters in UTF-16',
    withBody(Buffer.from('00d800d841004200', 'hex'), 'text/plain; charset=utf-16le'),
  ],
  ['half characters in UTF-8', lines('Subject: =?utf-8?B?7aCA?=', '', 'x')],
  ['bytes that are no UTF-8', withBody(Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]))],
  ['an escape that JSON would read', lines('Subject: \\u0000 \\ud800', '', '\\u0000 \\x00 \\')],
  ['2 MB of different words', withBody(words(250_000, (index) => `w${index.toString(36)}`))],
  ['2 MB of different words in letters of four bytes', withBody(words(60_000, (index) => `𝒳𝒴𝒵𝒲${index}`))],
  ['many long words', withBody(words(40_000, (index) => `${index}-`.repeat(6)))],
  ['one word of 2 MB', withBody(`${`${'w'.repeat(900)}\r\n`.repeat(1)}${'w'.repeat(2_000_000)}`)],
  ['a word of 3,000 letters', withBody('ü'.repeat(3_000))],
  [
    'a subject of 1 MB',
    lines(
      folded(
        'Subject',
        Array.from({ length: 1_200 }, () => 's'.repeat(900)),
      ),
      '',
      'x',
    ),
  ],
  [
    'a name of 1 MB',
    lines(
      folded(
        'From: "',
        Array.from({ length: 1_200 }, () => 'n'.repeat(900)),
      ).concat('" <a@example.com>'),
      '',
      'x',
    ),
  ],
  ['an id of 9 KB', lines(`Message-ID: <${'i'.repeat(9_000)}@x>`, '', 'x')],
  [
    'references of 9 KB each',
    lines(
      folded(
        'References',
        ['a', 'b', 'c'].map((name) => `<${name.repeat(9_000)}@x>`),
      ),
      '',
      'x',
    ),
  ],
  [
    '5,000 references',
    lines(
      folded(
        'References',
        Array.from({ length: 5_000 }, (_, index) => `<${index}@x>`),
      ),
      '',
      'x',
    ),
  ],
  [
    '5,000 recipients',
    lines(
      folded(
        'To',
        Array.from({ length: 5_000 }, (_, index) => `r${index}@example.com,`),
      ),
      '',
      'x',
    ),
  ],
  [
    'an address of 20 KB',
    lines(`From: ${'a'.repeat(20_000)}@example.com`, `To: <x@${'b'.repeat(20_000)}>`, '', 'x'),
  ],
  [
    'names that objects have',
    lines('__proto__: x', 'constructor: y', 'toString: z', 'Message-ID: <__proto__@x>', '', 'x'),
  ],
  ['a date beyond all calendars', lines('Date: Mon, 99 Foo 99999 99:99:99 +9999', '', 'x')],
  ['a file with a hostile name', withFile('a\0b/../..\r\n\u202Egpj.exe', 'x')],
  ['a file whose name has 100 KB', withFile('n'.repeat(100_000), 'x')],
  ['1,000 files', withFiles(1_000)],
];

function withFile(name: string, content: string): Buffer {
  const encoded = encodeURIComponent(name);
  return lines(
    'From: a@example.com',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    `Content-Type: application/octet-stream; name*=utf-8''${encoded}`,
    `Content-Disposition: attachment; filename*=utf-8''${encoded}`,
    '',
    content,
    '--b--',
  );
}

function withFiles(count: number): Buffer {
  const parts = Array.from({ length: count }, (_, index) => [
    '--b',
    `Content-Type: text/plain; name=f${index}`,
    'Content-Disposition: attachment',
    '',
    `${index}`,
  ]);
  return lines(
    'From: a@example.com',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...parts.flat(),
    '--b--',
  );
}

/** Says exactly these bytes, which a library might put right. */
const deliver = async (raw: Buffer): Promise<string> => {
  const client = await RawSmtpClient.greet(server.smtpPort);
  await client.codes('MAIL FROM:<ada@sender.example>', `RCPT TO:<${inbox.address}>`, 'DATA');
  const stuffed = Buffer.from(raw.toString('latin1').replace(/^\./gm, '..'), 'latin1');
  client.write(Buffer.concat([stuffed, Buffer.from('.\r\n')]));
  const { lines: answer } = await client.reply();
  client.destroy();
  return answer.join('\n');
};

describe('a mail that a database could choke on', () => {
  test.each(poisons)('%s: is answered 250, listed, read, and kept as it came', async (_name, raw) => {
    const answer = await deliver(raw);
    expect(answer).toMatch(/^250 /);
    const id = /msg_\w+/.exec(answer)?.[0] ?? '';
    const { messages } = await server.client.messages.list({ inbox_id: inbox.id, limit: 1 });
    expect(messages[0]?.id).toBe(id);
    const message = await server.client.messages.get(id);
    expect(message.thread_id).toMatch(/^thr_/);
    expect(JSON.stringify(message)).not.toMatch(/(?<!\\)\\(?:u0000|ud[89a-f])/i);
    const { url } = await server.client.messages.raw(id);
    const kept = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(kept.equals(raw)).toBe(true);
  });

  test('leaves threads that can be listed and read', async () => {
    const { threads } = await server.client.threads.list({ inbox_id: inbox.id, limit: 100 });
    expect(threads.length).toBeGreaterThan(20);
    for (const { id } of threads)
      expect((await server.client.threads.get(id)).messages.length).toBeGreaterThan(0);
  });

  test('that comes again is known', async () => {
    const [, raw] = poisons[3] ?? ['', Buffer.alloc(0)];
    const before = (await server.client.threads.list({ inbox_id: inbox.id, limit: 100 })).threads.length;
    expect(await deliver(raw)).toMatch(/^250 /);
    expect((await server.client.threads.list({ inbox_id: inbox.id, limit: 100 })).threads).toHaveLength(
      before,
    );
  });
});
