import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText } from './read-pieces.ts';

test.each([
  ['Straße', 'strasse'],
  ['ÆRØ Œuvre Łódź Þór', 'aero oeuvre lodz thor'],
  ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
  ['ﬁle ＦＵＬＬ ①', 'file full 1'],
  ['cafe\u0301', 'cafe'],
  ['co\u00adop\u200b', 'coop'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد ١٢٣ ۴۵', 'محمد 123 45'],
  ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
  ['ё й', 'е и'],
  ['がぎ ｶﾞ', 'がぎ ガ'],
  ['\u1112\u1161\u11ab', '한'],
  ['क१०', 'क10'],
])('%s is found as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('folding again changes nothing, nor does another normal form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldText(text);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(text.normalize('NFD'))).toBe(folded);
      expect(foldText(text.normalize('NFKC'))).toBe(folded);
    }),
    { numRuns: 2_000 },
  );
});
