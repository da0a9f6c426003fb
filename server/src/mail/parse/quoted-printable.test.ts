import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeQuotedPrintable } from './encodings.ts';
import { parseMail } from './parse-mail.ts';

const decode = (text: string) => decodeQuotedPrintable(Buffer.from(text, 'latin1')).toString('latin1');

test.each([
  ['escaped bytes, in digits of either case', 'caf=C3=a9', 'caf\xc3\xa9'],
  ['a soft break', 'one=\r\ntwo', 'onetwo'],
  ['a soft break of a bare line feed', 'one=\ntwo', 'onetwo'],
  ['white space before a soft break, and behind its sign', 'one =  \t\r\n two', 'one  two'],
  ['a soft break where the text ends', 'one=', 'one'],
  [
    'white space at the end of a line, of an empty one and of the text',
    'one \t\r\n \r\ntwo\t\nthree ',
    'one\r\n\r\ntwo\nthree',
  ],
  ['escaped white space at the end of a line', 'one=20\r\ntwo =09', 'one \r\ntwo \t'],
  ['a sign that begins nothing', '1=2, a=g0, ==3D, =4', '1=2, a=g0, ==, =4'],
  ['a sign at the end of a line that a carriage return alone ends', 'one=\rtwo', 'one=\rtwo'],
  ['bytes beyond ASCII', 'caf\xc3\xa9=20\xe2\x82\xac', 'caf\xc3\xa9 \xe2\x82\xac'],
  ['nothing', '', ''],
])('decodes %s', (_, encoded, decoded) => {
  expect(decode(encoded)).toBe(decoded);
});

const escaped = (byte: number) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;

test('what was encoded comes back, wherever its lines were broken', () => {
  const broken = fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.boolean(), fc.boolean()));
  fc.assert(
    fc.property(broken, (bytes) => {
      const encoded = bytes.map(([byte, isPlain, isBroken]) => {
        const mayBePlain = byte > 32 && byte < 127 && byte !== 61;
        return (
          (isPlain && mayBePlain ? String.fromCharCode(byte) : escaped(byte)) + (isBroken ? '=\r\n' : '')
        );
      });
      const expected = Buffer.from(bytes.map(([byte]) => byte));
      expect(decodeQuotedPrintable(Buffer.from(encoded.join('')))).toEqual(expected);
    }),
  );
});

test('signs with long white space behind them take time in proportion to their length', () => {
  const hostile = Buffer.from(`${'= '.repeat(500_000)}${' '.repeat(1_000_000)}x${' \n'.repeat(500_000)}`);
  expect(decodeQuotedPrintable(hostile)).toHaveLength(2_500_001);
});

test('a quoted-printable text keeps the letters that should have been escaped', async () => {
  const raw =
    'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nn=C3=A4chste Woche: für 5 €';
  expect(await parseMail(Buffer.from(raw), {})).toMatchObject({ text: 'nächste Woche: für 5 €' });
});
