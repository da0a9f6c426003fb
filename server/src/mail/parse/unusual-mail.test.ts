import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { describe, expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail } from './parsed-mail.ts';
import { mendMail } from './part-header.ts';

const parse = async (raw: string | Buffer): Promise<ParsedMail> => {
  const bytes = typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw;
  const result = await parseMail(bytes, { withContent: true });
  if ('failed' in result) throw new Error(result.detail);
  return result;
};
const filesOf = ({ attachments }: ParsedMail) =>
  attachments.map(({ filename, content }) => [filename, content?.toString('latin1')]);
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const flowed = (body: string, more = '') =>
  parse(`Content-Type: text/plain; charset=utf-8; format=flowed${more}\r\nIn-Reply-To: <a@b>\r\n\r\n${body}`);

describe('format=flowed (RFC 3676)', () => {
  test('joins lines of one depth only, so an answer stands apart from what it answers', async () => {
    const mail = await flowed('> Can you come at noon \r\n> or later? \r\nYes, at noon.\r\n');
    expect(mail.text).toBe('> Can you come at noon or later?\nYes, at noon.\n');
    expect(mail.extractedText).toBe('Yes, at noon.');
  });

  test('never joins the delimiter of a signature', async () => {
    const mail = await flowed('Thanks \r\n-- \r\nAda\r\n');
    expect(mail.text).toBe('Thanks\n-- \nAda\n');
    expect(mail.extractedText).toBe('Thanks');
  });

  test('takes out the space before a line, and with DelSp the one before a soft break', async () => {
    expect((await flowed(' >no quotation\r\n From here\r\n')).text).toBe('>no quotation\nFrom here\n');
    expect((await flowed('ab \r\ncd \r\nef\r\n', '; delsp=yes')).text).toBe('abcdef\n');
    expect((await flowed('>> a \r\n>> b\r\n>c \r\n>>d\r\n')).text).toBe('>> a b\n> c\n>> d\n');
  });
});

const file = (type = 'application/pdf') =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\neHk=\r\n`;
const mixed = (head: string, delimiter: string) =>
  `MIME-Version: 1.0\r\nContent-Type: multipart/mixed${head}\r\n\r\n${delimiter}\r\nContent-Type: text/plain\r\n\r\nHello\r\n${delimiter}\r\n${file()}--b--\r\n`;

describe('multiparts', () => {
  test.each([
    ['white space behind a delimiter (RFC 2046, section 5.1.1)', mixed('; boundary=b', '--b \t ')],
    ['no semicolon before the boundary', mixed('\r\n boundary=b', '--b')],
    ['no semicolon, and a quoted boundary', mixed('  boundary="b"', '--b')],
    ['a boundary whose quote never ends', mixed('; boundary="b', '--b')],
    ['a boundary whose quote never ends, and what follows it', mixed('; boundary="b; charset=utf-8', '--b')],
    [
      'a line of white space instead of the empty one',
      mixed('; boundary=b', '--b').replace('\r\n\r\n', '\r\n \r\n'),
    ],
    ['no line at all between header and parts', mixed('; boundary=b', '--b').replace('\r\n\r\n', '\r\n')],
    [
      'a line of white space below the header of a part',
      mixed('; boundary=b', '--b').replace('plain\r\n\r\n', 'plain\r\n\t\r\n'),
    ],
    ['lines that end in LF', mixed('; boundary=b', '--b').replaceAll('\r\n', '\n')],
  ])('%s', async (_what, raw) => {
    const mail = await parse(raw);
    expect(mail.text?.trim()).toBe('Hello');
    expect(filesOf(mail)).toEqual([['attachment-1.pdf', 'xy']]);
  });

  test('HTML below a line of white space is found beside its picture', async () => {
    const raw = `Content-Type: multipart/related; boundary="x"\r\n \r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n--x\r\n${file('image/png')}--x--\r\n`;
    expect(await parse(raw)).toMatchObject({ text: 'Hi', attachments: [{ mimeType: 'image/png' }] });
  });

  test('the parts of a digest are messages unless they say otherwise (RFC 2046, section 5.1.5)', async () => {
    const message = '\r\nFrom: a@x.example\r\nSubject: one\r\n\r\nHello\r\n';
    const raw = `Content-Type: multipart/digest; boundary=b\r\n\r\n--b\r\n${message}--b\r\n${message}--b\r\nContent-Type: text/plain\r\n\r\nthe end\r\n--b--\r\n`;
    const mail = await parse(raw);
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['attachment-1.eml', 'message/rfc822'],
      ['attachment-2.eml', 'message/rfc822'],
    ]);
    expect(mail.text?.trim()).toBe('the end');
  });

  test.each([['text'], ['TEXT; charset=utf-8'], ['plain'], ['nonsense']])(
    'Content-Type: %s is text/plain (RFC 2045, section 5.2)',
    async (type) => {
      const mail = await parse(`Content-Type: ${type}\r\n\r\nHello there.\r\n`);
      expect(mail).toMatchObject({ text: expect.stringContaining('Hello there.'), attachments: [] });
    },
  );

  test('a file without a subtype is told by its name', async () => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${file('pdf').replace('\r\n', '\r\nContent-Disposition: attachment; filename=a.pdf\r\n')}--b--\r\n`;
    expect(await parse(raw)).toMatchObject({
      attachments: [{ filename: 'a.pdf', mimeType: 'application/pdf' }],
    });
  });

  test.each(['x-uuencode', 'uuencode', 'x-uue'])('%s is decoded', async (encoding) => {
    const raw = `Content-Type: application/octet-stream; name=a.txt\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nbegin 644 a.txt\r\n#0V%T\r\n\`\r\nend\r\n`;
    expect(filesOf(await parse(raw))).toEqual([['a.txt', 'Cat']]);
  });
});

const labelled = async (charset: string, bytes: string) =>
  (await parse(`Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`)).text;

describe('a charset that does not fit the bytes', () => {
  test.each([
    ['gb2312', utf8('泵坏了'), '泵坏了'],
    ['big5', utf8('水泵周二到'), '水泵周二到'],
    ['shift_jis', utf8('ポンプが壊れました'), 'ポンプが壊れました'],
    ['gb2312', utf8('Frösche'), 'Frösche'],
    ['gbk', utf8('Übermorgen'), 'Übermorgen'],
    ['shift_jis', utf8('Grüße aus Köln'), 'Grüße aus Köln'],
    ['gb2312', utf8('насос сломан'), 'насос сломан'],
    ['euc-kr', utf8('αντλία'), 'αντλία'],
    ['iso-8859-1', utf8('Frösche'), 'Frösche'],
    ['windows-1251', utf8('насос'), 'насос'],
    ['utf-8', 'Fr\xf6sche \x93quaken\x94', 'Frösche “quaken”'],
  ])('%s', async (charset, bytes, text) => {
    expect(await labelled(charset, bytes)).toBe(text);
  });

  test.each([
    ['gb2312', '\xb1\xc3\xbb\xb5\xc1\xcb', '泵坏了'],
    ['gbk', '\xc4\xe3', '你'],
    ['gb2312', '\xc3\xbb\xc3\xbb', '没没'],
    ['gbk', 'ok\xc3\xb4?', 'ok么?'],
    ['iso-8859-1', 'Fr\xf6sche', 'Frösche'],
    ['utf-8', utf8('Frösche und Kröten, cut: ü').slice(0, -1), 'Frösche und Kröten, cut: \ufffd'],
    ['utf-8', `${utf8('Frösche')} \xff`, 'Frösche \ufffd'],
    ['iso-8859-1', 'caf\xe9', 'café'],
    ['utf-8', 'caf\xe9', 'café'],
  ])('%s that fits is believed', async (charset, bytes, text) => {
    expect(await labelled(charset, bytes)).toBe(text);
  });
});

describe('headers', () => {
  test.each([
    [`=?iso-8859-1?Q?${utf8('Frösche')}?=`, 'Frösche'],
    [`=?iso-8859-1?Q?${utf8('Frösche')}_=FCben?=`, 'Frösche üben'],
    ['=?iso-8859-1?Q?Fr\xf6sche?=', 'Frösche'],
    ['=?iso-8859-1?Q?Fr=F6sche?=', 'Frösche'],
  ])('an encoded word with bytes beyond ASCII: %j', async (word, subject) => {
    expect((await parse(`Subject: ${word}\r\n\r\nx`)).subject).toBe(subject);
  });

  test.each([
    ['"C:\\TEMP\\x.png"', 'x.png'],
    ['"\\\\server\\share\\x.png"', 'x.png'],
    [`"${utf8('Rechnung für Jörg ü').slice(0, -1)}"`, 'Rechnung für Jörg'],
    [`"${utf8('Jörg ü').slice(0, -1)}"`, 'Jörg'],
    [`"${utf8('für Jörg €').slice(0, -1)}"`, 'für Jörg'],
    [`"${utf8('für Jörg €').slice(0, -2)}"`, 'für Jörg'],
    [`"${utf8('Rechnung für Jörg.pdf')}"`, 'Rechnung für Jörg.pdf'],
    ['"a\\"b.pdf"', 'a"b.pdf'],
  ])('a file name: %j', async (name, filename) => {
    const raw = `Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=${name}\r\n\r\nx`;
    expect((await parse(raw)).attachments[0]?.filename).toBe(filename);
  });

  const ids = Array.from(
    { length: 25_000 },
    (_, at) => `<${at}.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@x.example>`,
  );

  test.each([
    ['on one line', `References: ${ids.join(' ')}\r\n`],
    ['folded', `References: ${ids.join('\r\n ')}\r\n`],
    [
      'of other fields',
      'X-Filler: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n'.repeat(
        18_000,
      ),
    ],
  ])('of more than a mebibyte, %s: Subject, From, body and files are read', async (_what, long) => {
    expect(long.length).toBeGreaterThan(1_048_576);
    const mail = await parse(
      `${long}From: ada@x.example\r\nSubject: pump\r\n${mixed('; boundary=b', '--b')}`,
    );
    expect(mail).toMatchObject({ subject: 'pump', from: { address: 'ada@x.example' } });
    expect(mail.text?.trim()).toBe('Hello');
    expect(mail.attachments).toHaveLength(1);
  });

  test('of a long chain 500 references are read, the first one among them', async () => {
    const { references } = await parse(`References: ${ids.join('\r\n ')}\r\n\r\nx`);
    expect(references).toHaveLength(500);
    expect([references[0], references[1], references.at(-1)]).toEqual([ids[0], ids.at(-499), ids.at(-1)]);
  });

  test('an id that is folded inside is one', async () => {
    const mail = await parse(
      'Message-ID: <abc\r\n def@x.example>\r\nIn-Reply-To: <ghi\r\n\tjkl@x.example>\r\n\r\nx',
    );
    expect(mail).toMatchObject({ messageId: '<abcdef@x.example>', inReplyTo: ['<ghijkl@x.example>'] });
  });

  test('a report is automatic, whoever sends it', async () => {
    const raw = Buffer.from(
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n',
    );
    expect(await parseMail(raw, { envelopeFrom: 'postmaster@x.example' })).toMatchObject({
      autoSubmitted: true,
    });
  });
});

describe('HTML outside of body, which browsers show', () => {
  const page =
    '<p>Please pay 100 EUR</p><html><head><title>t</title><style>p{}</style></head><body></body></html><p>The real text.</p>';

  test('is in the text', async () => {
    const mail = await parse(`Content-Type: text/html\r\n\r\n${page}`);
    expect(mail.text).toBe('Please pay 100 EUR\n\nThe real text.');
    expect(mail.extractedText).toBe(mail.text);
  });

  test('and in a reply', async () => {
    const raw = `Content-Type: text/html\r\nIn-Reply-To: <a@b>\r\n\r\n${page}<blockquote type="cite">old</blockquote>`;
    expect((await parse(raw)).extractedText).toBe('Please pay 100 EUR\n\nThe real text.');
  });
});

test.each([
  ['delimiters with fields', '--a\r\nb: c\r\n'],
  ['fields of delimiters', '--a: b\r\n'],
  ['lines of white space', ' \r\n'],
  ['fields and white space', '--a\r\nb: c\r\n \r\n'],
  ['continuations', '--a\r\nb: c\r\n d\r\n \t\r\n'],
])('five megabytes of %s are mended in little time', (_what, piece) => {
  const raw = Buffer.from(
    `Content-Type: multipart/mixed; boundary=z\r\n\r\n${piece.repeat(5_000_000 / piece.length)}`,
  );
  expect(measurePasses(() => mendMail(raw))).toBeLessThan(textPassesMax);
});

test.each([
  ['quotes', 'a="'],
  ['backslashes', '\\\\'],
  ['names', 'name="\\\\a'],
  ['words', 'a '],
])('a hundred kilobytes of %s in a type are mended in little time', (_what, piece) => {
  const raw = Buffer.from(`Content-Type: ${piece.repeat(100_000 / piece.length)}\r\n\r\nx`);
  expect(measurePasses(() => mendMail(raw))).toBeLessThan(textPassesMax);
});

describe('a mail that is only an invitation', () => {
  const calendar =
    'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  const part = `Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n${calendar}`;

  test('has what it invites to as its text, and the file', async () => {
    for (const raw of [
      part,
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}\r\n--b--\r\n`,
    ]) {
      const mail = await parse(raw);
      expect(mail).toMatchObject({
        text: 'Invitation: Lunch',
        html: null,
        extractedText: 'Invitation: Lunch',
      });
      expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['text/calendar']);
      expect(mail.attachments[0]?.content?.toString()).toContain('SUMMARY:Lunch');
    }
  });

  test('keeps its own text where it has one', async () => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nCome!\r\n--b\r\n${part}\r\n--b--\r\n`;
    expect((await parse(raw)).text?.trim()).toBe('Come!');
  });
});
