import { mailText } from '@postrider/testkit/mail/mail-text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { termFinder } from './find-terms.ts';
import { highlight } from './highlight.ts';
import { parseQuery } from './parse-query.ts';

const makeFinder = (query: string) => termFinder(parseQuery(query).terms);
const show = (text: string, query: string) => highlight(text, makeFinder(query)).snippet;
/** Returns a snippet without its marks and escapes. */
const plain = (snippet: string) =>
  snippet.replace(/(?<!\\)((?:\\\\)*)\*\*/g, '$1').replace(/\\([*_`\\])/g, '$1');
const onOneLine = (text: string) => text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');

describe('highlight', () => {
  test.each([
    ['Your invoices are here', 'invoice', 'Your **invoices** are here'],
    [
      'Die Rechnungen für Sie und nicht für andere',
      'rechnung',
      'Die **Rechnungen** für Sie und nicht für andere',
    ],
    ['Order INV-2026-0419 left', 'inv20260419', 'Order **INV-2026-0419** left'],
    ['Order INV-2026-0419 left', 'INV-2026-0419', 'Order **INV-2026-0419** left'],
    ['Order INV-2026-0419 left', '0419', 'Order INV-2026-**0419** left'],
    ['Write to ada.l@example.com now', 'ada.l@example.com', 'Write to **ada.l@example.com** now'],
    ['Ada’s Straße', 'ada strasse', '**Ada’s** **Straße**'],
    ['the weekly report, weekly', '"weekly report"', 'the **weekly report**, weekly'],
    ['so many thanks 🎉 for it', '"thanks for"', 'so many **thanks 🎉 for** it'],
    ['日本語の請求書です', '請求書', '日本語の**請求書**です'],
    ['日本語の請求書です', '本', '日**本**語の請求書です'],
    ['Party 🎉!', '🎉', 'Party **🎉**!'],
    ['日本語です', '日本 語で', '**日本語で**す'],
    ['a a a b a a b c', '"a b c"', 'a a a b a **a b c**'],
    ['Order INV-2026-0419 left', 'INV-2026-04', 'Order **INV-2026-0419** left'],
    ['Order A-17, then A 17', 'a-17', 'Order **A-17**, then **A 17**'],
    ['invoice and refund', 'invoice -refund', '**invoice** and refund'],
    ['several invoices', 'inv', 'several **invoices**'],
    [
      'listen to the list of things that you have',
      'listen',
      '**listen** to the list of things that you have',
    ],
  ])('marks in %j what %j finds', (text, query, snippet) => {
    expect(show(text, query)).toBe(snippet);
  });

  test('escapes what looks like a mark, and puts everything on one line', () => {
    expect(show('Two *invoices*\r\n\tfor_you `x` a\\b\0', 'invoice')).toBe(
      'Two \\***invoices**\\* for\\_you \\`x\\` a\\\\b',
    );
  });

  test('shows the beginning of a text without matches', () => {
    expect(highlight('word '.repeat(100), makeFinder('other'))).toEqual({
      snippet: 'word '.repeat(40).trim(),
      matched: false,
    });
    expect(highlight('', makeFinder('other'))).toEqual({ snippet: '', matched: false });
    expect(highlight('any', termFinder([]))).toEqual({ snippet: 'any', matched: false });
  });

  test('shows the first piece that has the most of the words', () => {
    const filler = 'nothing here at all. '.repeat(60);
    const text = `${filler}invoice ${filler}the invoice and the refund ${filler}invoice refund`;
    const snippet = show(text, 'refund invoice');
    expect(snippet).toContain('the **invoice** and the **refund** nothing');
    expect(plain(snippet).length).toBeLessThanOrEqual(200);
  });

  test('finds the only match far within a long text', () => {
    const text = `${'nothing '.repeat(20_000)}the invoice ${'nothing '.repeat(100)}`;
    expect(show(text, 'invoice missing')).toContain('nothing the **invoice** nothing');
    expect(highlight(`${'日'.repeat(199_990)}invoice`, makeFinder('invoice')).matched).toBe(true);
  });

  test('finds a phrase wherever it stands in a long text', () => {
    for (let at = 1_500; at < 2_600; at += 7) {
      const text = `${'word '.repeat(600).slice(0, at)} blue heron ${'word '.repeat(600)}`;
      expect(show(text, '"blue heron"')).toContain('**blue heron**');
    }
  });

  test('reads the longest text for the most of hostile phrases', () => {
    const query = `"${'a '.repeat(31)}b" "${'a '.repeat(31)}c" `.repeat(7);
    expect(highlight('a '.repeat(100_000), makeFinder(query)).matched).toBe(false);
  });

  test('never shows half of a character', () => {
    for (const length of [197, 198, 199, 200]) {
      expect(show(`${'x'.repeat(length)}👍👍👍`, 'y')).not.toMatch(/[\p{Cs}\ufffd]/u);
    }
  });

  test('shows a piece of the text, for any text and query', () => {
    const query = mailText.map((text) => text.replaceAll(/after:|before:/gi, ''));
    fc.assert(
      fc.property(fc.array(mailText, { maxLength: 20 }), query, (texts, wanted) => {
        const text = texts.join(' ');
        const { snippet } = highlight(text, makeFinder(wanted));
        expect(snippet).not.toMatch(/[\p{Cc}\p{Cs}\n\u2028\u2029]/u);
        expect(onOneLine(text)).toContain(plain(snippet));
        expect(plain(snippet).length).toBeLessThanOrEqual(201);
      }),
      { numRuns: 2_000 },
    );
  });

  test('marks something in every text that has a word of the query', () => {
    fc.assert(
      fc.property(mailText, (text) => {
        const { terms } = parseQuery(text.replaceAll(/["“”„«»＂]/g, ' '));
        if (terms.length === 0 || terms.every(({ not }) => not)) return;
        expect(highlight(text.replaceAll(/["“”„«»＂]/g, ' '), termFinder(terms)).matched).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
