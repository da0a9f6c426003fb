import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from './read-pieces.ts';
import { readTokens } from './read-tokens.ts';
import {
  detectStemScheme,
  englishStem,
  indexedStems,
  inflectedLexemes,
  lightStem,
  type StemScheme,
} from './word-forms.ts';

const finds = (query: string, word: string, scheme: StemScheme) => {
  const lexemes = [word, ...indexedStems(word, scheme)];
  return inflectedLexemes(query).some((lexeme) => lexemes.includes(lexeme));
};

test.each([
  ['invoice', 'invoices'],
  ['ship', 'shipping'],
  ['refund', 'refunded'],
  ['reply', 'replied'],
  ['cancel', 'cancellation'],
])('in English, %s and %s find each other', (left, right) => {
  expect(finds(left, right, 'english')).toBe(true);
  expect(finds(right, left, 'english')).toBe(true);
});

test.each([
  ['Rechnung', 'Rechnungen'],
  ['Vertrag', 'Verträge'],
  ['Kunde', 'Kunden'],
  ['Mitarbeiter', 'Mitarbeitern'],
  ['Adresse', 'Adressen'],
  ['facture', 'factures'],
  ['livraison', 'livraisons'],
  ['payé', 'payées'],
  ['factura', 'facturas'],
  ['cancelación', 'cancelaciones'],
  ['pedido', 'pedidos'],
  ['fattura', 'fatture'],
])('in other languages, %s and %s find each other', (left, right) => {
  const [one, other] = [foldText(left), foldText(right)];
  expect(finds(one, other, 'light')).toBe(true);
  expect(finds(other, one, 'both')).toBe(true);
});

test('the endings of other languages change nothing in English', () => {
  for (const [query, word] of [
    ['folder', 'fold'],
    ['listen', 'list'],
    ['number', 'numb'],
    ['broker', 'broken'],
  ] as const) {
    expect(finds(query, word, 'english')).toBe(false);
  }
});

test('numbers, short words and other scripts have no stem', () => {
  for (const word of ['2026', 'a17s', 'was', 'счета', '請求', 'x'.repeat(30)]) {
    expect([englishStem(word), lightStem(word)]).toEqual([word, word]);
    expect(indexedStems(word, 'both')).toEqual([]);
    expect(inflectedLexemes(word)).toEqual([word]);
  }
});

test('every word finds itself first, whatever its language is taken for', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abeinrsty'), minLength: 1 }), (word) => {
      expect(inflectedLexemes(word)[0]).toBe(word);
      for (const scheme of ['english', 'light', 'both'] as const) {
        for (const stem of indexedStems(word, scheme)) expect(inflectedLexemes(word)).toContain(stem);
      }
    }),
  );
});

test.each([
  ['Please find the invoice for your order, and send it to us. Die Grinder is not in stock.', 'english'],
  ['Die Rechnung für den Kunden ist nicht im Anhang.', 'light'],
  ['Vous trouverez la facture de votre commande dans le fichier.', 'light'],
  ['Le envío la factura del pedido para que la revise el equipo.', 'light'],
  ['Rechnungen anbei', 'both'],
  ['', 'both'],
])('the small words tell the language: %s', (text, scheme) => {
  expect(detectStemScheme(readTokens(text))).toBe(scheme);
});
