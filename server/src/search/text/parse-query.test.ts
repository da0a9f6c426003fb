import { mailText } from '@postrider/testkit/mail/mail-text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';
import { readTokens } from './read-tokens.ts';
import { indexedStems, inflectedLexemes } from './word-forms.ts';

const term = { kind: 'word', whole: null, not: false, prefix: false };

describe('the terms of a query', () => {
  test('are words, and the last one may be incomplete', () => {
    expect(parseQuery('Refunds inv').terms).toEqual([
      { ...term, words: ['refunds'], raw: 'Refunds' },
      { ...term, words: ['inv'], raw: 'inv', prefix: true },
    ]);
  });

  test.each(['inv ', 'inv.', '"inv"', '-inv', 'in', '請求', 'inv from:ada', 'inv "a b"'])(
    'are complete in %s',
    (query) => {
      expect(parseQuery(query).terms.some(({ prefix }) => prefix)).toBe(false);
    },
  );

  test('are phrases in any quotation marks, and one without its counterpart quotes the rest', () => {
    for (const query of [
      '"the weekly report"',
      '“the weekly report”',
      '„the weekly report“',
      '"the weekly report',
    ])
      expect(parseQuery(query).terms).toEqual([
        { ...term, kind: 'phrase', words: ['the', 'weekly', 'report'], raw: query },
      ]);
    expect(parseQuery('"refund"').terms).toMatchObject([{ kind: 'phrase', words: ['refund'] }]);
    expect(parseQuery('"Thanks 🎉 a lot"').terms).toMatchObject([{ words: ['thanks', 'a', 'lot'] }]);
  });

  test.each([
    ['INV-2026-0419', ['inv', '2026', '0419'], 'inv20260419'],
    ['+49 170 123456', ['49', '170', '123456'], '49170123456'],
    ['ada.l@example.com', ['ada', 'l', 'example', 'com'], 'ada.l@example.com'],
    ['https://example.com/a/7?b', ['example', 'com', 'a', '7'], 'example.com/a/7'],
    ['12,50', ['12', '50'], '1250'],
  ])('are the parts of what is put together, or the whole: %s', (query, words, whole) => {
    expect(parseQuery(query).terms[0]).toMatchObject({ kind: 'phrase', words, whole });
  });

  test('are characters in pairs in scripts without spaces', () => {
    expect(parseQuery('請求書 送付 本 2026年').terms).toMatchObject([
      { kind: 'cjk', words: ['請求', '求書'] },
      { kind: 'cjk', words: ['送付'] },
      { kind: 'cjk', words: ['本'] },
      { kind: 'word', words: ['2026'] },
      { kind: 'cjk', words: ['年'] },
    ]);
  });

  test('leave out small words, unless there is nothing else or they are in a phrase', () => {
    const words = (query: string) => parseQuery(query).terms.flatMap((found) => found.words);
    expect(words('where is the invoice for my order')).toEqual(['invoice', 'order']);
    expect(words('die Rechnung für den Kunden')).toEqual(['rechnung', 'kunden']);
    expect(words('to be or not to be')).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
    expect(words('the -refund')).toEqual(['the', 'refund']);
    expect(words('"to be"')).toEqual(['to', 'be']);
  });

  test('are excluded by a minus in front, not by one between', () => {
    expect(parseQuery('-refund -"not this" a - b e-mail').terms).toMatchObject([
      { words: ['refund'], not: true },
      { kind: 'phrase', words: ['not', 'this'], not: true },
      { words: ['b'], not: false },
      { words: ['e', 'mail'], whole: 'email', not: false },
    ]);
  });

  test('are 32 at most, and phrases as long', () => {
    const many = Array.from({ length: 200 }, (_, index) => `w${index}`).join(' ');
    expect(parseQuery(many).terms).toHaveLength(32);
    expect(parseQuery(`"${many}`).terms[0]!.words).toHaveLength(32);
  });
});

describe('the operators of a query', () => {
  test('take a word or a phrase, in any case', () => {
    expect(
      parseQuery(
        'FROM:ada@example.com to:"Bob B" -subject:"weekly report" label:vip filename:pdf in:inb_1 has:attachment is:inbound rest',
      ),
    ).toMatchObject({
      from: [{ value: 'ada@example.com', phrase: false, not: false }],
      to: [{ value: 'Bob B', phrase: true, not: false }],
      subject: [{ value: 'weekly report', phrase: true, not: true }],
      label: [{ value: 'vip' }],
      filename: [{ value: 'pdf' }],
      in: [{ value: 'inb_1' }],
      hasAttachment: true,
      direction: 'inbound',
      terms: [{ words: ['rest'] }],
      text: 'rest',
    });
  });

  test('turn round with a minus', () => {
    expect(parseQuery('-has:attachments -is:inbound -after:2026-03-01')).toMatchObject({
      hasAttachment: false,
      direction: 'outbound',
      before: new Date('2026-03-01T00:00:00Z'),
    });
  });

  test.each([
    'has:wings',
    'is:late',
    'foo:bar',
    'from:',
    'note: this',
    're:invoice',
    'http://a.example',
    '10:30',
    ':',
    '::',
  ])('are words if they are unknown or have no value: %s', (query) => {
    const { terms, text, ...operators } = parseQuery(query);
    expect(text).toBe(query);
    expect(terms).toHaveLength(readTokens(query).length > 0 ? terms.length || 1 : 0);
    expect(Object.values(operators).flat()).toEqual([]);
  });

  test('take dates and moments, of which the narrowest count', () => {
    expect(
      parseQuery('after:2026-03-01 after:2026-02-01 before:2026-03-02T09:00:00+02:00 before:2026-04-01'),
    ).toMatchObject({ after: new Date('2026-03-01T00:00:00Z'), before: new Date('2026-03-02T07:00:00Z') });
    expect(parseQuery('after:"2026-03-01T09:00Z"').after).toEqual(new Date('2026-03-01T09:00:00Z'));
  });

  test.each([
    'after:2026-02-30',
    'after:yesterday',
    'after:2026-3-1',
    'before:2026-03-01T25:00:00Z',
    'before:2026-03-01T09:00:00',
    '-before:0',
    'after:2026-03-01T09:00:00+99:99',
  ])('refuse a date that does not exist, and say what to write: %s', (query) => {
    const wanted =
      /^`(after|before):` takes a date that exists, such as \1:2026-03-01 or \1:2026-03-01T09:00:00Z\.$/;
    expect(() => parseQuery(query)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        extra: { issues: [{ path: 'query', message: expect.stringMatching(wanted) }] },
      }),
    );
  });
});

describe('any query', () => {
  const bits = fc.constantFrom(
    '"',
    '“',
    '-',
    ':',
    'from:',
    'has:',
    'subject:',
    'is:',
    ' ',
    '\0',
    '\ud800',
    "'; drop",
    '*',
    '&|!()<->',
  );
  const query = fc
    .array(fc.oneof(mailText, bits, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 10 })
    .map((parts) => parts.join(''));

  test('is understood, as bounded terms without characters that no database holds', () => {
    fc.assert(
      fc.property(query, (text) => {
        const { terms } = parseQuery(text.replaceAll(/(?:after|before):/gi, ''));
        expect(terms.length).toBeLessThanOrEqual(32);
        for (const { words, whole, raw } of terms) {
          expect(words.length).toBeGreaterThan(0);
          expect(words.length).toBeLessThanOrEqual(32);
          for (const word of [...words, whole ?? 'x', raw]) expect(word).toMatch(/^[^\0\p{Cs}]+$/u);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('that is a piece of a text, in quotation marks, is places of this text that follow each other', () => {
    fc.assert(
      fc.property(mailText, fc.nat(), fc.nat(), (text, first, second) => {
        const tokens = readTokens(text);
        if (tokens.length === 0) return;
        const [from, to] = [first % tokens.length, second % tokens.length].toSorted((a, b) => a - b);
        const piece = text.slice(tokens[from!]!.start, tokens[to!]!.end);
        const places = tokens.slice(from, to! + 1).filter(({ emoji }) => !emoji);
        const [phrase] = parseQuery(`"${piece.replaceAll(/["“”„«»＂]/g, ' ')}"`).terms;
        if (places.length === 0) return;
        expect(phrase!.words).toHaveLength(Math.min(places.length, 32));
        for (const [index, word] of phrase!.words.entries()) expect(places[index]!.words).toContain(word);
      }),
      { numRuns: 2_000 },
    );
  });

  test('that is a text as it is, is found in this text, word by word or whole', () => {
    fc.assert(
      fc.property(mailText, (text) => {
        const query = text.replaceAll(/["“”„«»＂]/g, ' ');
        const lexemes = new Set(
          readTokens(query).flatMap(({ words }) =>
            words.flatMap((word) => [word, ...indexedStems(word, 'both')]),
          ),
        );
        for (const { kind, words, whole, not } of parseQuery(query).terms) {
          const forms = (word: string) => (kind === 'word' ? inflectedLexemes(word) : [word]);
          const isThere = words.every((word) => forms(word).some((lexeme) => lexemes.has(lexeme)));
          expect(not || isThere || lexemes.has(whole ?? '')).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
