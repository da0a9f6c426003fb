import { expect, test } from 'vitest';
import { readFrom as readFromOf, readHeaderText, readMailboxes } from './read-mailboxes.ts';

const readFrom = (value: string | null, envelopeFrom: string | null) =>
  readFromOf(value === null ? [] : [{ name: 'from', value: value.trim() }], envelopeFrom);

const anna = { name: 'Anna Berg', address: 'anna@example.com' };

test.each([
  ['Anna Berg <Anna@Example.com>', [anna]],
  ['"Berg, Anna" <anna@example.com>', [{ name: 'Berg, Anna', address: 'anna@example.com' }]],
  ['anna@example.com (Anna Berg)', [anna]],
  ['=?utf-8?q?J=C3=B6rg?= <j@example.com>', [{ name: 'Jörg', address: 'j@example.com' }]],
  ['"=?iso-8859-1?q?J=F6rg?=" <j@example.com>', [{ name: 'Jörg', address: 'j@example.com' }]],
  [
    'friends: a@example.com, b@example.com;, c@example.com',
    [
      { name: null, address: 'a@example.com' },
      { name: null, address: 'b@example.com' },
      { name: null, address: 'c@example.com' },
    ],
  ],
  ['undisclosed-recipients:;', []],
  ['пошта@пример.example', [{ name: null, address: 'пошта@xn--e1afmkfd.example' }]],
  ['dots..twice@example.co.jp', [{ name: null, address: 'dots..twice@example.co.jp' }]],
  ['', []],
  ['no address at all', []],
  ["'quoted' <q@example.com>", [{ name: 'quoted', address: 'q@example.com' }]],
])('reads the mailboxes of %j', (value, mailboxes) => {
  expect(readMailboxes([value])).toEqual(mailboxes);
});

test('no address is made out of an encoded word', () => {
  const encoded = '=?utf-8?q?Boss_=3Cboss=40bank=2Eexample=3E?=';
  expect(readMailboxes([encoded])).toEqual([]);
  expect(readMailboxes(['=?utf-8?q?boss=40bank=2Eexample?='])).toEqual([]);
  expect(readFrom(encoded, 'real@sender.example')).toEqual({
    name: 'Boss <boss@bank.example>',
    address: 'real@sender.example',
  });
});

test('at most 2,000 mailboxes are read', () => {
  expect(readMailboxes(['a@b.example, '.repeat(3_000)])).toHaveLength(2_000);
});

test('a From without an address falls back to the envelope, then to its text', () => {
  expect(readFrom('Anna Berg <anna@example.com>', 'x@y.example')).toEqual(anna);
  expect(readFrom('Support Team', 'Bounce@Y.example')).toEqual({
    name: 'Support Team',
    address: 'bounce@y.example',
  });
  expect(readFrom(null, 'x@y.example')).toEqual({ name: null, address: 'x@y.example' });
  expect(readFrom('Support\0 Team', '')).toEqual({ name: null, address: 'Support Team' });
  expect(readFrom(null, '')).toBeNull();
  expect(readFrom('   ', null)).toBeNull();
  expect(readFrom('x'.repeat(9_000), null)?.address).toHaveLength(255);
});

test('header text is decoded, cleaned, on one line and cut', () => {
  expect(readHeaderText('=?utf-8?b?4pyT?= =?utf-8?b?4pyT?= a\r\n\tb\0c', 100)).toBe('✓✓ a bc');
  expect(readHeaderText('=?no-such-charset?q?caf=C3=A9?=', 100)).toBe('café');
  expect(readHeaderText('😀'.repeat(10), 5)).toBe('😀😀');
});
