import { mailText } from '@postrider/testkit/mail/mail-text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTokens } from './read-tokens.ts';

/** Every place with its lexemes, as in `ada|adas works`. */
const show = (text: string) =>
  readTokens(text)
    .map(({ words }) => words.join('|'))
    .join(' ');

describe('readTokens', () => {
  test.each([
    ['INV-2026-0419', 'inv|inv20260419 2026 0419'],
    ['#A-17 1Z999AA10123456784', 'a|a17 17 1z999aa10123456784'],
    ['12.50 € 1.234,56 1,249.20', '12|1250 50 1|1234|123456 234 56 1|1249|124920 249 20'],
    ['1.234.567,89 1,234,56 1.2,3', '1|1234567|123456789 234 567 89 1|123456 234 56 1|123 2 3'],
    ['version 1.2.3', 'version 1|123 2 3'],
    ['01/02/2026 and/or', '01|01022026 02 2026 and|andor or'],
    ['10:30 to:you', '10|1030 30 to you'],
    ['snake_case AT&T C++', 'snake|snakecase case at|att t c'],
  ])('finds codes, amounts and what is put together, whole and in parts: %s', (text, tokens) => {
    expect(show(text)).toBe(tokens);
  });

  test.each([
    ['+49 (0)170 123-456', '49|49170123456 0 170 123|123456 456'],
    ['0170/1234567', '0170|01701234567 1234567'],
    ['4111 1111 1111 1111', '4111|4111111111111111 1111 1111 1111'],
    ['DE89 3704 0044 0532 0130 00', 'de89|de89370400440532013000 3704 0044 0532 0130 00'],
    ['GB29 NWBK 6016 1331 9268 19 today', 'gb29|gb29nwbk60161331926819 nwbk 6016 1331 9268 19 today'],
    ['in 2026 1200 items', 'in 2026 1200 items'],
    ['2026 04 19', '2026 04 19'],
  ])(
    'finds numbers that are written in groups as one, and leaves other numbers alone: %s',
    (text, tokens) => {
      expect(show(text)).toBe(tokens);
    },
  );

  test.each([
    ["Ada's Ada’s", 'ada|adas ada|adas'],
    ["don't we'll", 'dont we'],
    ["l'offre d’Artagnan's dell'ordine", 'offre|loffre artagnan|dartagnans ordine|dellordine'],
    ["O'Brien rock'n'roll", 'o|obrien brien rock|rocknroll roll|nroll'],
  ])('reads apostrophes as people do: %s', (text, tokens) => {
    expect(show(text)).toBe(tokens);
  });

  test('finds an address whole, by its local part, and by its domains', () => {
    expect(show('<Ada.L+tag@mail.example.com>')).toBe(
      'ada|adaltag|ada.l+tag@mail.example.com l tag mail|mail.example.com example|example.com com',
    );
  });

  test('finds a URL by host and path, whatever its scheme and query', () => {
    const url =
      'shop|shop.example.com|shop.example.com/orders/inv-7 example|example.com com orders inv|inv7 7';
    expect(show('https://shop.example.com/orders/INV-7')).toBe(url);
    expect(show('shop.example.com/orders/INV-7')).toBe(url);
    expect(show('https://shop.example.com/orders/INV-7?id=9#top')).toBe(`${url} id 9 top`);
    expect(show('[shop](http://xn--bcher-kva.example/)')).toBe(
      'shop xn|xn--bcher-kva.example bcher kva example',
    );
  });

  test('reads scripts without spaces in pairs, and the last character by itself', () => {
    expect(show('2026年請求書 です')).toBe('2026 年請|年 請求|請 求書|求 書 です|で す');
    expect(show('한글 \u1112\u1161\u11ab')).toBe('한글|한 글 한');
    expect(show('ครับ')).toBe('คร|ค รั|ร ับ|ั บ');
    expect(show('ｶﾞｽ')).toBe('ガス|ガ ス');
  });

  test('gives an emoji the place of the word in front of it', () => {
    expect(readTokens('Thanks 🎉👍🏽 a lot').map(({ words, at }) => [words[0], at])).toEqual([
      ['thanks', 1],
      ['🎉', 1],
      ['👍', 1],
      ['a', 2],
      ['lot', 3],
    ]);
  });

  test('says where a word is in the text as it was', () => {
    const text = 'Ein co\u00adop, Straße e\u0301te\u0301!';
    expect(readTokens(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Ein',
      'co\u00adop',
      'Straße',
      'e\u0301te\u0301',
    ]);
  });

  test('cuts long words at 100 characters, never within a character', () => {
    expect(readTokens('x'.repeat(500))[0]!.words).toEqual(['x'.repeat(100)]);
    expect(readTokens(`x${'𐐨'.repeat(99)}`)[0]!.words[0]).toHaveLength(99);
    expect(readTokens(`${'a-'.repeat(200)}b`)[0]!.words).toEqual(['a', 'a'.repeat(100)]);
    expect(readTokens('\ufdfa'.repeat(1_000))[0]!.words[0]).toHaveLength(100);
  });

  test.each([
    '@',
    'a@',
    'a.',
    'a/',
    'a.bc/',
    'a@b.cc-',
    "l'",
    '1 2 ',
    '+1 ',
    'http://',
    '\u0301',
    '\u200b',
    '日本',
    '👩‍💻',
    '\ufdfa ',
    'a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.cc ',
  ])('reads 400,000 characters of %j in the end', (part) => {
    const text = part.repeat(400_000 / part.length);
    expect(readTokens(text).length).toBeLessThanOrEqual(60_000);
  });

  test('finds in order, within the text, lexemes that no facet can be taken for', () => {
    fc.assert(
      fc.property(mailText, (text) => {
        let end = 0;
        let at = 0;
        for (const token of readTokens(text)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.at - at).toBe(token.emoji && at > 0 ? 0 : 1);
          for (const word of token.words) {
            expect(word).toMatch(/^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u);
            expect(word).not.toMatch(/^(?:in|is|has|[ftsn]):|[\s\0\p{Cs}]/u);
            expect(word.length).toBeLessThanOrEqual(100);
          }
          ({ end, at } = token);
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
