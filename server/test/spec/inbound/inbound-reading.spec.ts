/* The texts that are read from a mail that came in by SMTP: in every charset, and replies without their quotations. */
import { readFileSync } from 'node:fs';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendBytes, sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ada = 'ada@remote.example';
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

/** The message that the last mail became. */
const received = async (): Promise<Message> => {
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, limit: 1 });
  return server.client.messages.get(messages[0]?.id ?? '');
};
const receive = async (lines: string[], from = ada): Promise<Message> => {
  await sendLines(server.smtpPort, { from, to: inbox.address }, lines);
  return received();
};
const receiveBytes = async (raw: Buffer): Promise<Message> => {
  await sendBytes(server.smtpPort, { from: ada, to: inbox.address }, raw);
  return received();
};
const fixture = (name: string): Buffer => {
  const text = readFileSync(new URL(`../../fixtures/mail/${name}.eml`, import.meta.url), 'latin1');
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1');
};

const charsets: { charset: string; bytes: string; text: string }[] = [
  { charset: 'iso-2022-jp', bytes: '1b244224332473244b2441244f2122402433261b2842', text: 'こんにちは、世界' },
  { charset: 'gb18030', bytes: 'c4e3bac3a3accac0bde72095328236', text: '你好，世界 𠀀' },
  { charset: 'koi8-r', bytes: 'f0d2c9d7c5d42c20cdc9d2', text: 'Привет, мир' },
  { charset: 'windows-1251', bytes: 'c4eee1f0fbe920e4e5edfc', text: 'Добрый день' },
  { charset: 'shift_jis', bytes: '93fa967b8cea82cc8381815b838b', text: '日本語のメール' },
  { charset: 'euc-kr', bytes: 'bec8b3e7c7cfbcbcbfe4', text: '안녕하세요' },
  { charset: 'big5', bytes: 'a4a4a4e5b66ca5f3', text: '中文郵件' },
  { charset: 'iso-8859-15', bytes: '507269783a203520a4', text: 'Prix: 5 €' },
];

test('Interface 3 Message: mail from this machine, of which no DNS knows, is judged by its signatures', async () => {
  const none = { spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null };
  expect((await receive(['Subject: unsigned', '', 'x'])).authentication).toEqual(none);
  const { authentication } = await receive(['DKIM-Signature: v=1; d=remote.example', '', 'x']);
  expect(authentication).toMatchObject({ spf: 'none', verified_domain: null });
});

test('Interface 3 Message: a mail without a header has an id of its own and the envelope sender as its author', async () => {
  const message = await receive(['', 'Only a body.']);
  expect(message).toMatchObject({
    from_addr: ada,
    from_name: null,
    subject: '',
    to_addrs: [],
    in_reply_to: null,
  });
  expect(message.message_id).toBe(`<${message.id}@postrider.test>`);
  expect(message.body_text).toBe('Only a body.\n');
});

test('Architecture 5: the text, the subject and the names of files are read in their charset', async () => {
  for (const { charset, bytes, text } of charsets) {
    const word = `=?${charset}?B?${Buffer.from(bytes, 'hex').toString('base64')}?=`;
    const quoted = bytes.replace(/../g, (byte) => `%${byte}`);
    const header = [
      `From: ${word} <${ada}>`,
      `Subject: ${word}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      `Content-Type: text/plain; charset=${charset}`,
      'Content-Transfer-Encoding: 8bit',
      '',
    ];
    const file = [
      '',
      '--b',
      `Content-Disposition: attachment; filename*=${charset}''${quoted}`,
      '',
      'x',
      '--b--',
      '',
    ];
    const message = await receiveBytes(
      Buffer.concat([
        Buffer.from(`${header.join('\r\n')}\r\n`),
        Buffer.from(bytes, 'hex'),
        Buffer.from(file.join('\r\n')),
      ]),
    );
    expect([charset, message.subject, message.from_name, message.body_text?.trimEnd()]).toEqual([
      charset,
      text,
      text,
      text,
    ]);
    expect([charset, message.attachments.map(({ filename }) => filename)]).toEqual([charset, [text]]);
  }
});

test('Architecture 5: bytes without a charset, or with a wrong one, are UTF-8 where they can be, else windows-1252', async () => {
  const texts: [Buffer, string][] = [
    [Buffer.from('636166e92096209371756f74656494208035', 'hex'), 'café – “quoted” €5'],
    [Buffer.from('café 🦊'), 'café 🦊'],
  ];
  for (const type of ['', 'Content-Type: text/plain\r\n', 'Content-Type: text/plain; charset=no-such\r\n']) {
    for (const [bytes, text] of texts) {
      const raw = [
        Buffer.from(`${type}Subject: `),
        bytes,
        Buffer.from('\r\n\r\n'),
        bytes,
        Buffer.from('\r\n'),
      ];
      const message = await receiveBytes(Buffer.concat(raw));
      expect([type, message.subject, message.body_text]).toEqual([type, text, `${text}\n`]);
    }
  }
});

test('Interface 3 Message: NUL and halves of characters are cleaned from the texts, and the original keeps them', async () => {
  const raw = Buffer.concat([
    Buffer.from(
      'From: "A\0da" <ada@remote.example>\r\nSubject: a\0b =?utf-16be?B?2D4=?= c\r\nMessage-ID: <n\0ul@x>\r\n',
    ),
    Buffer.from('Content-Type: text/html; charset=utf-8\r\n\r\n<p>a\0b &#xD800; &#0; c</p>\r\n'),
  ]);
  const message = await receiveBytes(raw);
  expect(JSON.stringify(message)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
  expect(message.subject).toMatch(/^ab .* ?c$/);
  expect(message.body_html).toContain('ab');
  const { url } = await server.client.messages.raw(message.id);
  expect(raw.equals(Buffer.from(await (await fetch(url)).arrayBuffer()))).toBe(true);
});

test('Interface 3 Message: extracted_text of a Gmail reply is its new text, without the quotation', async () => {
  const raw = fixture('gmail-reply');
  const message = await receiveBytes(raw);
  expect(message.extracted_text).toBe('Tuesday is fine.\n\nAnna');
  expect(message.body_text).toContain('> Which day suits you?');
  expect(message.body_html).toContain('gmail_quote');
  expect(message.snippet).toBe('Tuesday is fine. Anna');
  expect(message.size_bytes).toBe(raw.length);
});

test('Interface 3 Message: extracted_text of an Outlook reply is its new text, and its pictures and files are read', async () => {
  const message = await receiveBytes(fixture('outlook-reply-with-picture'));
  expect(message).toMatchObject({
    from_name: 'Björn Müller',
    subject: 'AW: Grüße',
    extracted_text: 'Danke, das passt – bis morgen!',
    // Outlook sets X-Auto-Response-Suppress on what people write.
    auto_submitted: false,
  });
  expect(message.attachments).toMatchObject([
    {
      filename: 'image001.png',
      mime_type: 'image/png',
      inline: true,
      content_id: 'image001.png@01DC.1',
      size_bytes: 4,
    },
    { filename: 'Pläne.pdf', mime_type: 'application/pdf', inline: false, size_bytes: 6 },
  ]);
  const bodies = await Promise.all(message.attachments.map(async ({ url }) => (await fetch(url)).text()));
  expect(bodies[1]).toBe('%PDF-1');
});

test('Interface 3 Message: of mail that answers nothing all is extracted, of a reply its signature is left out', async () => {
  const lines = ['', 'On Monday I wrote: nothing.', '', '-- ', 'Ada'];
  const first = await receive(['Subject: x', ...lines]);
  expect(first.extracted_text).toBe('On Monday I wrote: nothing.\n\n-- \nAda');
  const reply = await receive(['Subject: Re: x', ...lines]);
  expect(reply.extracted_text).toBe('On Monday I wrote: nothing.');
  expect(reply.body_text).toContain('-- \nAda');
});

test('Interface 3 Message: snippet has at most 200 characters, on one line', async () => {
  const { snippet } = await receive(['Subject: x', '', ...Array(50).fill('A line\twith 🦊 in it.')]);
  expect([...snippet].length).toBeLessThanOrEqual(200);
  expect(snippet).toMatch(/^A line with 🦊 in it\. A line/);
  expect(snippet).not.toMatch(/[\r\n\t]/);
});
