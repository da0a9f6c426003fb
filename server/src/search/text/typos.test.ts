import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistanceIsOne, isWithinTwoTypos, typoHashes } from './word-forms.ts';

const shareVariant = (left: string, right: string, workspaceId = 'wsp_1') => {
  const variants = new Set(typoHashes('wsp_1', left));
  return typoHashes(workspaceId, right).some((variant) => variants.has(variant));
};

describe('words that are one typo apart', () => {
  test.each([
    ['invioce', 'swapped'],
    ['invoic', 'left out at the end'],
    ['nvoice', 'left out at the start'],
    ['invocie', 'swapped'],
    ['invoyce', 'replaced'],
    ['innvoice', 'doubled'],
    ['invoiceq', 'added'],
  ])('invoice and %s (%s) are told, and share a variant', (typo) => {
    expect(editDistanceIsOne('invoice', typo)).toBe(true);
    expect(editDistanceIsOne(typo, 'invoice')).toBe(true);
    expect(shareVariant('invoice', typo)).toBe(true);
  });

  test.each(['invoice', 'invo', 'ivnocie', 'invoicing', 'niovice', '', 'ecoivni'])(
    'invoice and %s are not',
    (word) => {
      expect(editDistanceIsOne('invoice', word)).toBe(false);
    },
  );

  test('share a variant for any word', () => {
    const word = fc.string({
      unit: fc.constantFrom(...'abcdeéß𐐨'),
      minLength: 5,
      maxLength: 23,
    });
    fc.assert(
      fc.property(
        word,
        fc.nat(22),
        fc.constantFrom('x', 'a', ''),
        fc.nat(1),
        (right, place, letter, gone) => {
          const letters = [...right];
          const wrong = letters.toSpliced(Math.min(place, letters.length - 1), gone, letter).join('');
          if (wrong === right || [...wrong].length > 24) return;
          expect(editDistanceIsOne(right, wrong)).toBe(true);
          expect(shareVariant(right, wrong)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('words that are two typos apart', () => {
  test.each([
    ['firmware', 'firmwear'],
    ['orthophoto', 'orthofoto'],
    ['embarrassing', 'embarasing'],
    ['parcels', 'parclez'],
    ['ab', ''],
    ['same', 'same'],
    ['one', 'ones'],
  ])('%s and %s are told', (left, right) => {
    expect([isWithinTwoTypos(left, right), isWithinTwoTypos(right, left)]).toEqual([true, true]);
  });

  test.each([
    ['firmware', 'farmwear'],
    ['parcels', 'parsley'],
    ['abc', ''],
    ['abcdef', 'defabc'],
  ])('%s and %s are not', (left, right) => {
    expect([isWithinTwoTypos(left, right), isWithinTwoTypos(right, left)]).toEqual([false, false]);
  });

  test('are all words that one typo after another leads to', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdeé𐐨'), minLength: 3, maxLength: 12 });
    const typo = fc.tuple(fc.nat(11), fc.constantFrom('x', 'a', ''), fc.nat(1));
    fc.assert(
      fc.property(word, typo, typo, (right, ...typos) => {
        const wrong = typos.reduce(
          (letters, [place, letter, gone]) =>
            letters.toSpliced(Math.min(place, letters.length), gone, ...letter),
          [...right],
        );
        expect(isWithinTwoTypos(right, wrong.join(''))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('typoHashes', () => {
  test('returns as many signed 32-bit numbers as there are letters, and one', () => {
    const variants = typoHashes('wsp_1', 'receipt');
    expect(variants).toHaveLength(8);
    for (const variant of variants) expect(variant | 0).toBe(variant);
  });

  test('returns others in another workspace', () => {
    expect(shareVariant('receipt', 'receipt', 'wsp_2')).toBe(false);
  });

  test('returns none where a near match would be wrong', () => {
    for (const word of ['abc', '2026', 'inv2026', 'a@b.cc', 'x'.repeat(25)]) {
      expect(typoHashes('wsp_1', word)).toEqual([]);
    }
  });
});
