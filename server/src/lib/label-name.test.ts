import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelNameKey } from './texts.ts';

const same: string[][] = [
  ['Urgent', 'urgent', 'URGENT', 'uRGENT'],
  ['Ärger', 'ÄRGER', 'ärger', 'A\u0308rger', 'a\u0308RGER'],
  ['Straße', 'STRASSE', 'strasse', 'STRAẞE'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ', 'Οδός'.normalize('NFD').replace(/\u0301/g, '')],
  ['ﬁn', 'FIN', 'fin'],
  ['Å', '\u212b', 'A\u030a', 'å'],
];
const different: [string, string][] = [
  ['a', 'ä'],
  ['a b', 'ab'],
  ['to-do', 'to do'],
  ['o', '0'],
  ['é', 'e'],
];

test.each(same)('%s is one name in all its spellings', (...names) => {
  expect(new Set(names.map(labelNameKey)).size).toBe(1);
});

test.each(different)('%s and %s are two names', (a, b) => {
  expect(labelNameKey(a)).not.toBe(labelNameKey(b));
});

test('case and normalisation of any text make no other name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 64 }), (name) => {
      const key = labelNameKey(name);
      for (const other of [name.toUpperCase(), name.normalize('NFD'), name.normalize('NFC')])
        expect(labelNameKey(other)).toBe(key);
    }),
  );
});
