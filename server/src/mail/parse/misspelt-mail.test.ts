import { describe, expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail } from './parsed-mail.ts';

const parse = async (raw: string): Promise<ParsedMail> => {
  const result = await parseMail(Buffer.from(raw, 'latin1'), { withContent: true });
  if ('failed' in result) throw new Error(result.detail);
  return result;
};
const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const file = () => 'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\neHk=\r\n';

describe('what other programs write wrongly, and other readers understand', () => {
  const inMixed = (...parts: string[]) =>
    parse(
      `Content-Type: multipart/mixed; boundary="b"\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
    );

  test.each([
    ['with a header', 'Content-Type: text/plain; charset=utf-8\r\nHello Ada,\r\n\r\nit is done.'],
    ['with a folded header', 'Content-Type: text/plain;\r\n charset=utf-8\r\nHello Ada,\r\n\r\nit is done.'],
    ['without any header', 'Hello Ada,\r\n\r\nit is done.'],
  ])('a part %s has its text without an empty line above it', async (_what, part) => {
    expect((await inMixed(part, file())).text?.trim()).toBe('Hello Ada,\n\nit is done.');
    const inner = `Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n${part}\r\n--c--`;
    expect((await inMixed(inner)).text?.trim()).toBe('Hello Ada,\n\nit is done.');
    expect((await inMixed(part.replaceAll('\r\n', '\n'))).text?.trim()).toBe('Hello Ada,\n\nit is done.');
  });

  test('a text that looks like a part is left as it is', async () => {
    const text = 'Our template:\r\n--c\r\nName: Ada\r\nwrites\r\n';
    expect((await inMixed(`\r\n${text}`, file())).text?.trim()).toBe(text.replaceAll('\r\n', '\n').trim());
  });

  test('a field of a part that is folded without white space is no text', async () => {
    const part = `Content-Type: text/plain\r\nX-Long: ${'x'.repeat(70)}\r\n${'y'.repeat(70)}\r\n\r\nHello`;
    expect((await inMixed(part)).text?.trim()).toBe('Hello');
  });

  test('a mail without an empty line has its text', async () => {
    expect((await parse('Subject: x\r\nHello Ada\r\nHow are you?\r\n')).text?.trim()).toBe(
      'Hello Ada\nHow are you?',
    );
  });

  test.each([
    '"base64"',
    'BASE64;',
    '(a comment) base64 (another)',
    'base64; charset=utf-8',
    'base-64',
    'x-base64',
  ])('the encoding %s is base64', async (encoding) => {
    const mail = await parse(
      `Content-Type: text/plain\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nSGVsbG8=\r\n`,
    );
    expect(mail.text?.trim()).toBe('Hello');
  });

  test.each([
    '"quoted-printable"',
    'Quoted-Printable (x)',
    'quoted_printable',
    'quoted printable',
    "'quoted-printable'; x=y",
  ])('the encoding %s is quoted-printable', async (encoding) => {
    const raw = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nCaf=C3=A9\r\n`;
    expect((await parse(raw)).text?.trim()).toBe('Café');
  });

  test.each([
    ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['iso-8859-2', 'Za\xbf\xf3\xb3\xe6', 'Zażółć'],
    ['gb2312', '\xc4\xe3\xba\xc3\xca\xc0\xbd\xe7', '你好世界'],
    ['shift_jis', '\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd', 'こんにちは'],
    ['iso-8859-1', 'Caf\xe9', 'Café'],
    ['utf-8', 'Caf\xe9', 'Café'],
    ['us-ascii', 'Caf\xe9', 'Café'],
    ['no-such-charset', 'Caf\xe9', 'Café'],
  ])('a raw header is in the charset of the body: %s', async (charset, bytes, text) => {
    const header = `Subject: ${bytes}\r\nFrom: ${bytes} <ada@x.example>\r\nTo: "${bytes}" <b@x.example>\r\n`;
    const plain = `Content-Type: text/plain; charset=${charset}\r\n\r\nx\r\n`;
    const inPart = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${plain}--b\r\nContent-Type: application/pdf; name="${bytes}.pdf"\r\n\r\nx\r\n--b--\r\n`;
    for (const rest of [plain, inPart]) {
      const mail = await parse(header + rest);
      expect(mail.subject).toBe(text);
      expect(mail.from).toEqual({ name: text, address: 'ada@x.example' });
      expect(mail.to).toEqual([{ name: text, address: 'b@x.example' }]);
      expect(mail.attachments.map(({ filename }) => filename)).toEqual(rest === plain ? [] : [`${text}.pdf`]);
    }
  });

  test('a header that is UTF-8 or encoded is not in the charset of the body', async () => {
    const raw = `Subject: ${utf8('Grüße')}\r\nFrom: =?utf-8?Q?J=C3=BCrgen?= <a@x.example>\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\nx\r\n`;
    expect(await parse(raw)).toMatchObject({ subject: 'Grüße', from: { name: 'Jürgen' } });
  });

  test('the charset of the body changes no address', async () => {
    for (const charset of ['utf-7', 'utf-16', 'iso-2022-jp', 'shift_jis', 'cp037']) {
      const raw = `From: \xe9 <boss@x.example>, a+AEA-b@y.example\r\nContent-Type: text/plain; charset=${charset}\r\n\r\nx\r\n`;
      expect((await parse(raw)).from?.address).toBe('boss@x.example');
    }
  });

  test.each([
    [`filename*=us-ascii''Plan%20%E2%80%93%20A.pdf`, 'Plan – A.pdf'],
    [`filename*=iso-8859-1''Gr%C3%BC%C3%9Fe.pdf`, 'Grüße.pdf'],
    [`filename*=''Gr%C3%BC%C3%9Fe.pdf`, 'Grüße.pdf'],
    [`filename*=utf-8''Gr%FC%DFe.pdf`, 'Grüße.pdf'],
    [`filename*=us-ascii'en'Gr%FC%DFe.pdf`, 'Grüße.pdf'],
    [`filename*0*=us-ascii''Gr%C3%BC;\r\n filename*1*=%C3%9Fe.pdf`, 'Grüße.pdf'],
    [`filename*=koi8-r''%F0%D2%C9%D7%C5%D4.pdf`, 'Привет.pdf'],
    [`filename*=utf-8''a%20b.pdf`, 'a b.pdf'],
    ['filename="=?utf-8?Q?Gr=C3=BC=\r\n =C3=9Fe.pdf?="', 'Grüße.pdf'],
  ])('a file has the name that its bytes spell: %s', async (parameter, name) => {
    const raw = `Content-Type: application/pdf\r\nContent-Disposition: attachment; ${parameter}\r\n\r\nx\r\n`;
    expect((await parse(raw)).attachments.map(({ filename }) => filename)).toEqual([name]);
  });

  test.each([
    ['=?utf-8?Q?Caf=C3=\r\n =A9_au_lait?=', 'Café au lait'],
    ['=?utf-8?Q?Caf=C3=A9_=\r\n au_lait?=', 'Café au lait'],
    ['=?utf-8?Q?Caf=C3=A9\r\n au lait?=', 'Café au lait'],
    ['=?utf-8?B?Q2Fmw6kg\r\n YXUgbGFpdA==?=', 'Café au lait'],
    ['=?utf-8?Q?Caf=C3=A9?= =?utf-8?Q?_au_lait?=', 'Café au lait'],
    ['What is =?', 'What is =?'],
  ])('an encoded word that was folded goes on: %s', async (value, subject) => {
    expect((await parse(`Subject: ${value}\r\n\r\nx\r\n`)).subject).toBe(subject);
  });
});
