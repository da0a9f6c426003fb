import fc from 'fast-check';

/** Texts that have broken servers before. */
export const hostileTexts: string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  'a\r\nBcc: x@y.example',
  '\ud800',
  '\udc00\ud800',
  'cut \ud83e',
  '\u202e\u200b\ufeff',
  'ﬃ İ ı ẞ',
  '😀'.repeat(1_000),
  'x'.repeat(70_000),
  '%00',
  '%',
  '%ff%fe',
  '..',
  '../../etc/passwd',
  '//',
  "' or 1=1 --",
  '\\',
  '{{7*7}}',
  '$1',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '9'.repeat(400),
  '9999-99-99T99:99:99Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-02-30T00:00:00Z',
  'a@b.example',
  '"a\\\u0001b"@b.example',
  `${'a'.repeat(300)}@${'b.'.repeat(200)}example`,
  'a@[127.0.0.1]',
  '<a@b.example>'.repeat(500),
  'http://127.0.0.1:1/',
  'https://user:pass@[::1]/',
  `https://${'a'.repeat(5_000)}.example/`,
  'xn--a'.repeat(100),
  '*',
  '(((((a)))))',
  "'a' & !b:* | <->",
  '"unclosed -',
  'eyJ2IjoxfQ',
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

const hostileOthers: unknown[] = [
  null,
  true,
  0,
  -0.5,
  1e308,
  2 ** 53,
  [],
  {},
  [null],
  [[]],
  [{}],
  Array(200).fill('a@b.example'),
  Array(20_000).fill(null),
  nested(2_000),
  { length: 1e9 },
  { toString: 1, valueOf: null, toJSON: {} },
  { $ne: null },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`X-${i}`, ''])),
];

/** A text for a place that takes nothing else: one of the list, or any other. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);

/** A value of JSON that its place does not expect. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...hostileOthers) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
