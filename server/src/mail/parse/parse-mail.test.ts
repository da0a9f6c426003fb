import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail, ParseOptions } from './parsed-mail.ts';

const fixtures = new URL('../../../test/fixtures/mail/', import.meta.url);

async function parse(raw: string | Buffer, options: ParseOptions = {}): Promise<ParsedMail> {
  const result = await parseMail(Buffer.from(raw as string), options);
  if ('failed' in result) throw new Error(result.detail);
  return result;
}

const parts = (type: string, ...contents: string[]) =>
  `Content-Type: multipart/${type}; boundary=b\r\n\r\n${contents.map((one) => `--b\r\n${one}\r\n`).join('')}--b--\r\n`;
const text = (content: string, more = '') =>
  `Content-Type: text/plain; charset=utf-8\r\n${more}\r\n${content}`;
const html = (content: string, more = '') =>
  `Content-Type: text/html; charset=utf-8\r\n${more}\r\n${content}`;

describe('bodies', () => {
  test('a mail with only HTML gets its text from it', async () => {
    expect(await parse(html('<p>Hello <b>you</b></p>'))).toMatchObject({
      text: 'Hello you',
      html: '<p>Hello <b>you</b></p>',
    });
  });

  test('a mail with only text has no HTML', async () => {
    expect(await parse(text('Hello'))).toMatchObject({ text: 'Hello', html: null });
  });

  test('alternatives are one body in two forms', async () => {
    const mail = await parse(parts('alternative', text('plain'), html('<p>rich</p>')));
    expect(mail).toMatchObject({ text: 'plain', html: '<p>rich</p>', attachments: [] });
  });

  test('an empty text beside HTML is replaced by the text of the HTML', async () => {
    expect((await parse(parts('alternative', text('\r\n'), html('<p>rich</p>')))).text).toBe('rich');
  });

  test('parts that follow each other are joined, in both forms', async () => {
    const mail = await parse(parts('mixed', html('<p>rich</p>'), text('footer <list@x.example>')));
    expect(mail.text).toBe('rich\nfooter <list@x.example>');
    expect(mail.html).toBe(
      '<p>rich</p>\n<div style="white-space: pre-wrap">footer &lt;list@x.example&gt;</div>',
    );
  });

  test('what promises parts and has none is read as text', async () => {
    expect((await parse('Content-Type: multipart/mixed\r\n\r\nloose words\r\n')).text).toBe('loose words');
    expect((await parse('Content-Type: multipart/mixed; boundary=b\r\n\r\n')).text).toBeNull();
  });

  test('texts lose NUL and lone surrogates and are cut at five megabytes', async () => {
    expect((await parse(text('a\0b'))).text).toBe('ab');
    const long = await parse(html('ü'.repeat(3_000_000)));
    expect(Buffer.byteLength(long.html ?? '')).toBe(5_242_880);
  });
});

describe('attachments', () => {
  test('files come with name, type, size and, when asked for, bytes', async () => {
    const raw = parts(
      'mixed',
      text('body'),
      'Content-Type: application/pdf; name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename*=utf-8\'\'%C3%A4.pdf\r\n\r\nAAEC',
    );
    expect((await parse(raw)).attachments).toEqual([
      { filename: 'ä.pdf', mimeType: 'application/pdf', contentId: null, inline: false, sizeBytes: 3 },
    ]);
    const [withContent] = (await parse(raw, { withContent: true })).attachments;
    expect(withContent?.content).toEqual(Buffer.from([0, 1, 2]));
  });

  test('an attached message is one file and is not opened', async () => {
    const inner = `Subject: inner\r\n${parts('mixed', text('inner body'), 'Content-Type: image/png\r\n\r\nx').replaceAll('=b', '=c').replaceAll('--b', '--c')}`;
    const mail = await parse(
      parts('mixed', text('outer body'), `Content-Type: message/rfc822\r\n\r\n${inner}`),
      { withContent: true },
    );
    expect(mail.text).toBe('outer body');
    expect(mail.attachments).toMatchObject([{ filename: 'attachment-1.eml', mimeType: 'message/rfc822' }]);
    expect(mail.attachments[0]?.content?.toString()).toContain('Subject: inner');
  });

  test('reports, invitations, signatures and winmail.dat are files', async () => {
    const types = [
      'message/delivery-status',
      'text/rfc822-headers',
      'text/calendar',
      'application/pgp-signature',
      'application/ms-tnef',
    ];
    const mail = await parse(
      parts('mixed', text('body'), ...types.map((type) => `Content-Type: ${type}\r\n\r\nx: y`)),
    );
    expect(mail.text).toBe('body');
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(types);
  });

  test('a second text with a name is a file, the first is the body whatever its name', async () => {
    const named = (name: string) => `Content-Disposition: inline; filename="${name}"\r\n`;
    const mail = await parse(
      parts('mixed', text('body', named('body.txt')), text('notes', named('notes.txt')), text('footer')),
    );
    expect(mail.text).toBe('body\nfooter');
    expect(mail.attachments).toMatchObject([{ filename: 'notes.txt', mimeType: 'text/plain' }]);
  });

  test('a text that is marked as an attachment is a file, even when it is all there is', async () => {
    const mail = await parse(text('a,b', 'Content-Disposition: attachment; filename="t.csv"\r\n'));
    expect(mail).toMatchObject({ text: null, extractedText: null, attachments: [{ filename: 't.csv' }] });
  });

  test('pictures that the HTML shows are inline', async () => {
    const mail = await parse(
      parts(
        'related',
        html('<img src="cid:logo@x">'),
        'Content-Type: image/png\r\nContent-ID: <logo@x>\r\n\r\nx',
      ),
    );
    expect(mail.attachments).toMatchObject([{ contentId: 'logo@x', inline: true, sizeBytes: 1 }]);
  });
});

describe('headers', () => {
  test('everything that threading and replying need is read', async () => {
    const mail = await parse(
      [
        'Received: from a',
        'Received: from b',
        'From: =?utf-8?q?J=C3=B6rg?= <J@Example.com>, other@example.com',
        'Sender: s@example.com',
        'To: a@example.com',
        'To: "B, b" <b@example.com>',
        'Cc: c@example.com',
        'Reply-To: r@example.com',
        'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
        'Message-ID: <1@example.com>',
        'In-Reply-To: <0@example.com>',
        'References: <0@example.com> <1@example.com>',
        'Date: Fri, 20 Nov 2026 10:00:00 +0100 (CET)',
        'Precedence: list',
        '',
        'body',
      ].join('\r\n'),
    );
    expect(mail).toMatchObject({
      from: { name: 'Jörg', address: 'j@example.com' },
      sender: { name: null, address: 's@example.com' },
      to: [
        { name: null, address: 'a@example.com' },
        { name: 'B, b', address: 'b@example.com' },
      ],
      cc: [{ name: null, address: 'c@example.com' }],
      replyTo: [{ name: null, address: 'r@example.com' }],
      subject: 'Grüße',
      messageId: '<1@example.com>',
      inReplyTo: ['<0@example.com>'],
      references: ['<0@example.com>'],
      date: new Date('2026-11-20T09:00:00Z'),
      autoSubmitted: true,
      receivedCount: 2,
    });
  });

  test.each(['Thu, 99 Foo 2026', '', 'Fri, 20 Nov 1926 10:00:00 +0000', 'x'.repeat(5_000), '(('.repeat(50)])(
    'a date %j is no date',
    async (date) => {
      expect((await parse(`Date: ${date}\r\n\r\nbody`)).date).toBeNull();
    },
  );

  test('a mail that cannot be read still says what its header says', async () => {
    const raw = `Subject: bomb\r\nFrom: a@example.com\r\n${parts('mixed', ...Array.from({ length: 1_100 }, () => text('x')))}`;
    expect(await parseMail(Buffer.from(raw), {})).toMatchObject({
      failed: 'error',
      detail: expect.stringContaining('child nodes'),
      mail: { subject: 'bomb', from: { address: 'a@example.com' }, text: null, html: null, attachments: [] },
    });
  });
});

test.each(readdirSync(fixtures).filter((name) => name.endsWith('.eml')))(
  '%s is read as its notes say',
  async (name) => {
    const raw = readFileSync(new URL(name, fixtures));
    const {
      from,
      subject,
      text: body,
      html: rich,
      extractedText,
      autoSubmitted,
      attachments,
    } = await parse(raw);
    const notes = JSON.parse(
      readFileSync(new URL(name.replace('.eml', '.json'), fixtures), 'utf8'),
    ) as object;
    expect({
      from,
      subject,
      text: body,
      html: rich !== null,
      extractedText,
      autoSubmitted,
      attachments,
    }).toEqual(notes);
  },
);
