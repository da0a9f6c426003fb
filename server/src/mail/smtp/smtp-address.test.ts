import { measurePasses, stallPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePathCommand } from './smtp-lines.ts';

const rcpt = (path: string) => parsePathCommand('RCPT TO', `RCPT TO:${path}`);
const mail = (path: string) => parsePathCommand('MAIL FROM', `MAIL FROM:${path}`);

test.each([
  ['<bob@example.com>', 'bob@example.com'],
  [' <bob@example.com> ', 'bob@example.com'],
  ['<Bob+Tag@EXAMPLE.com>', 'Bob+Tag@EXAMPLE.com'],
  ['<"john doe"@example.com>', '"john doe"@example.com'],
  ['<"a@b"@example.com>', '"a@b"@example.com'],
  ['<"with > bracket"@example.com>', '"with > bracket"@example.com'],
  ['<"quote \\" inside"@example.com>', '"quote \\" inside"@example.com'],
  ['<@relay.example,@other.example:bob@example.com>', 'bob@example.com'],
  ['<пошта@пример.example>', 'пошта@пример.example'],
  ['<bob@xn--mnchen-3ya.de>', 'bob@xn--mnchen-3ya.de'],
  ['<bob@[192.0.2.1]>', 'bob@[192.0.2.1]'],
  ['<bob@[IPv6:2001:db8::1]>', 'bob@[IPv6:2001:db8::1]'],
  ['<dots..and.trailing.@example.co.jp>', 'dots..and.trailing.@example.co.jp'],
  ['<bob@under_score.example>', 'bob@under_score.example'],
  [`<${'l'.repeat(100)}@example.com>`, `${'l'.repeat(100)}@example.com`],
  ['<postmaster>', 'postmaster'],
  ['<PostMaster>', 'PostMaster'],
])('takes %s as it was written', (path, address) => {
  expect(rcpt(path)).toEqual({ address, args: false });
});

test.each([
  ['<>'],
  ['bob@example.com'],
  ['<bob>'],
  ['<bob@>'],
  ['<@example.com>'],
  ['<bob@example..com>'],
  ['<bob@-example.com>'],
  ['<bob@example.com'],
  ['<bob @example.com>'],
  ['<bob@example.com>x'],
  ['<bob@exa mple.com>'],
  ['<a@b@example.com>'],
  ['<bob@[300.1.1.1]>'],
  ['<bob@[x]>'],
  ['<bob\0@example.com>'],
  ['<bob\u200b@example.com>'],
  ['<bob\ufffd@example.com>'],
  ['<"unclosed@example.com>'],
  [`<${'l'.repeat(250)}@example.com>`],
  [`<bob@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}>`],
  [`<${'я'.repeat(130)}@example.com>`],
])('refuses the recipient %j', (path) => {
  expect(rcpt(path)).toBeNull();
});

test('takes the null sender, and a bare postmaster only as a recipient', () => {
  expect(mail('<>')).toEqual({ address: '', args: false });
  expect(mail('<postmaster>')).toBeNull();
});

test('reads parameters without regard to case and tells which one came twice', () => {
  expect(mail('<a@b.example> size=100 BODY=8BITMIME SMTPUTF8')).toEqual({
    address: 'a@b.example',
    args: { SIZE: '100', BODY: '8BITMIME', SMTPUTF8: true },
  });
  expect(mail('<a@b.example> SIZE=1 SIZE=2')?.duplicate).toBe('SIZE');
  expect(mail('<a@b.example> ENVID=a\0b')).toBeNull();
  expect(mail('<a@b.example> =x')).toBeNull();
});

test('another verb than the one asked for is a syntax error', () => {
  expect(parsePathCommand('RCPT TO', 'RCPT FROM:<a@b.example>')).toBeNull();
  expect(parsePathCommand('MAIL FROM', 'mail from:<a@b.example>')?.address).toBe('a@b.example');
});

test('no line makes it throw or take long', () => {
  const pieces = ['<', '>', '@', '"', '\\', '.', ':', ',', ' ', 'a', '[', ']', 'IPv6:', 'é', '\0', '='];
  const line = fc
    .array(fc.constantFrom(...pieces), { maxLength: 200 })
    .map((parts) => `RCPT TO:${parts.join('')}`);
  fc.assert(
    fc.property(line, (text) => {
      const found = parsePathCommand('RCPT TO', text);
      if (found) expect(Buffer.byteLength(found.address)).toBeLessThanOrEqual(254);
    }),
    { numRuns: 500 },
  );
  const hostile = [...pieces.map((piece) => piece.repeat(16_000)), `${'@a,'.repeat(5_000)}>`];
  const parseAll = () => hostile.map((path) => parsePathCommand('RCPT TO', `RCPT TO:<${path}`));
  expect(measurePasses(parseAll)).toBeLessThan(stallPassesMax);
});
