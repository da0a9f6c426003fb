import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHeaderOnly, parseMail } from './parse-mail.ts';
import type { ParsedMail } from './parsed-mail.ts';

async function parse(raw: string | Buffer): Promise<ParsedMail> {
  const result = await parseMail(Buffer.from(raw as string), {});
  if ('failed' in result) throw new Error(result.detail);
  return result;
}

describe('charsets', () => {
  test.each([
    ['utf-8', 'caf\xc3\xa9', 'café'],
    ['"UTF-8"', 'caf\xc3\xa9', 'café'],
    ['iso-8859-1', 'caf\xe9 \x93x\x94', 'café “x”'],
    ['windows-1251', '\xcf\xf0\xe8', 'При'],
    ['koi8-r', '\xf0\xd2\xc9', 'При'],
    ['shift_jis', '\x82\xa0', 'あ'],
    ['iso-2022-jp', '\x1b$B$"\x1b(B', 'あ'],
    ['euc-jp', '\xa4\xa2', 'あ'],
    ['gb2312', '\xc4\xe3', '你'],
    ['gb18030', '\xc4\xe3', '你'],
    ['big5', '\xa7A', '你'],
    ['ks_c_5601-1987', '\xc7\xd1', '한'],
    ['euc-kr', '\xc7\xd1', '한'],
    ['iso-8859-8-i', '\xf9', 'ש'],
    ['iso-8859-15', '\xa4', '€'],
    ['macintosh', '\x8e', 'é'],
    ['cp437', '\x82', 'é'],
    ['utf-16le', 'h\0i\0', 'hi'],
    ['utf-7', 'caf+AOk-', 'café'],
    ['us-ascii', 'caf\xe9', 'café'],
    ['us-ascii', 'caf\xc3\xa9', 'café'],
    ['no-such-charset', 'caf\xe9', 'café'],
    ['no-such-charset', 'caf\xc3\xa9', 'café'],
    ['x-unlabelled', 'caf\xe9', 'café'],
    ['', 'caf\xe9', 'café'],
  ])('reads %s', async (charset, bytes, expected) => {
    const raw = Buffer.from(`Content-Type: text/plain; charset=${charset}\r\n\r\n${bytes}`, 'latin1');
    expect((await parse(raw)).text).toBe(expected);
  });

  test('HTML without a charset is read as what its head says', async () => {
    const raw = Buffer.from(
      'Content-Type: text/html\r\n\r\n<meta charset="koi8-r"><p>\xf0\xd2\xc9</p>',
      'latin1',
    );
    expect((await parse(raw)).text).toBe('При');
    const unknown = Buffer.from('Content-Type: text/html\r\n\r\n<meta charset="nope"><p>\xe9</p>', 'latin1');
    expect((await parse(unknown)).text).toBe('é');
  });

  test('flowed text is unwrapped', async () => {
    const raw = 'Content-Type: text/plain; charset=utf-8; format=flowed\r\n\r\none \r\ntwo\r\nthree';
    expect((await parse(raw)).text).toBe('one two\nthree');
  });
});

test('whatever the bytes, reading them gives a mail within its bounds', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r\n\r\n',
      ': ',
      'From: ',
      'To: a@b.c, ',
      'Subject: =?utf-8?q?',
      '?=',
      'Content-Type: ',
      'multipart/mixed; boundary=b',
      'text/html',
      'message/rfc822',
      '--b\r\n',
      '--b--\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      'charset=',
      'utf-7',
      'x-nope',
      'Content-Disposition: attachment; filename*0=',
      'References: <',
      '>',
      '<div>',
      '\0',
      '\ud800',
      '__proto__: x\r\n',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.boolean(), async (pieces, withContent) => {
      const raw = Buffer.from(pieces.join(''));
      const result = await parseMail(raw, { withContent, envelopeFrom: 'env@example.com' });
      const mail = 'failed' in result ? result.mail : result;
      expect(mail.from).not.toBeNull();
      expect(mail.subject.length).toBeLessThanOrEqual(2_000);
      for (const { filename, sizeBytes, content } of mail.attachments) {
        expect(filename).not.toMatch(/[/\\\p{Cc}]/u);
        expect(content?.length).toBe(withContent ? sizeBytes : undefined);
      }
      // Nothing that comes out is more than Postgres can hold.
      expect(JSON.stringify(mail)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      const headerOnly = parseHeaderOnly(raw, { envelopeFrom: 'env@example.com' });
      expect(headerOnly).toMatchObject({
        subject: mail.subject,
        from: mail.from,
        references: mail.references,
      });
    }),
    { numRuns: 300 },
  );
});
