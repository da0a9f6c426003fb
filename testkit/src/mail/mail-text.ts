import fc from 'fast-check';

const words = [
  'invoice',
  'Invoices',
  'Straße',
  'İstanbul',
  'e\u0301te\u0301',
  'INV-2026-0419',
  '12.50',
  '+49 (0)170 123-456',
  'DE89 3704 0044 0532 0130 00',
  'Ada’s',
  "l'offre",
  "don't",
  'ada.l+tag@mail.example.com',
  'https://shop.example.com/orders/INV-7?id=9#top',
  'www.example.com/a',
  'and/or',
  '日本語の請求書',
  '한글',
  'ครับ',
  'שָׁלוֹם',
  'مُحَمَّد',
  '👩‍💻',
  '🎉',
  'co\u00adop',
  'zero\u200bwidth',
  'ﬁle',
  'ＦＵＬＬ',
  '\ufdfa',
];
const joints = [
  ' ',
  ' ',
  ' ',
  '\n',
  '-',
  '.',
  '/',
  '@',
  "'",
  '"',
  ':',
  '://',
  ',',
  '+',
  '*',
  '_',
  '\\',
  '',
  '\u200b',
  '(0',
];

/** Text as it is in mail of many languages, joined by any punctuation, with any other characters between. */
export const mailText = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...words) },
        { weight: 2, arbitrary: fc.constantFrom(...joints) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
      ),
      fc.constantFrom(...joints),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.flat().join(''));
