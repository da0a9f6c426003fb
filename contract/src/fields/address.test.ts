import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddress, isDomain, isMailbox, utf8Bytes } from './address.ts';
import { Recipient } from './recipients.ts';

const control = /[\p{Cc}\p{Cs}]/u;
const fragments = fc.constantFrom(
  ...[
    'a',
    'B',
    '1',
    '.',
    '-',
    '_',
    '@',
    '<',
    '>',
    '"',
    '\\',
    ' ',
    ',',
    ';',
    '\t',
    '\r',
    '\n',
    '\0',
    'é',
    '用',
  ],
  ...[
    'İ',
    'ß',
    'xn--',
    'example',
    'com',
    '[',
    ']',
    '%',
    '/',
    '#',
    ':',
    '\u200d',
    '\u200b',
    '\ud800',
    '😀',
    '。',
  ],
);
const text = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(''));
const addressLike = fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}`);
const mailboxLike = fc.tuple(text, addressLike).map(([name, address]) => `${name}<${address}>`);

describe('isAddress', () => {
  it.each([
    'ada@example.com',
    'Ada.Lovelace+order-17@Mail.Example.COM',
    "o'neil/ops=eu!%x@example.com",
    '用户@例え.jp',
    'josé@example.com',
    'ada@xn--r8jz45g.jp',
    '"ada lovelace"@example.com',
    '"a@b"@example.com',
    `${'a'.repeat(64)}@example.com`,
    'ada@localhost',
  ])('accepts %s', (address) => {
    expect(isAddress(address)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'ada lovelace@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@exa_mple.com',
    'ada@[192.0.2.1]',
    'ada@192.0.2.1',
    'ada@example.com:25',
    'ada@例え/x.jp',
    'ada@example.com,eve@example.com',
    '<ada@example.com>',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com\n',
    'a\0da@example.com',
    'ada\u200b@example.com',
    'ada\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'é'.repeat(33)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(130)}com`,
  ])('refuses %j', (address) => {
    expect(isAddress(address)).toBe(false);
  });

  it('holds nothing that could start a header or a command, whatever is tried', () => {
    fc.assert(
      fc.property(fc.oneof(addressLike, text, fc.string({ unit: 'binary' })), (candidate) => {
        if (!isAddress(candidate)) return;
        expect(candidate).not.toMatch(control);
        expect(utf8Bytes(candidate)).toBeLessThanOrEqual(254);
        expect(candidate.lastIndexOf('@')).toBeGreaterThan(0);
      }),
      { numRuns: 5_000 },
    );
  });

  it('answers at once for megabytes of anything', () => {
    const before = process.threadCpuUsage();
    for (const part of ['a', '.', 'a.', '"', '\\', ' ', '@', '<', 'é', 'xn--']) {
      const long = part.repeat(1_000_000 / part.length);
      expect(isAddress(`${long}@example.com`)).toBe(false);
      expect(isAddress(`ada@${long}`)).toBe(false);
      expect(isMailbox(`${long}<ada@example.com>`)).toBe(false);
      expect(Recipient.safeParse(`${' '.repeat(500_000)}x${' '.repeat(500_000)}`).success).toBe(false);
    }
    expect(process.threadCpuUsage(before).user / 1e3).toBeLessThan(2_000);
  });
});

describe('isMailbox', () => {
  it.each([
    'ada@example.com',
    'Ada Lovelace <ada@example.com>',
    '"Lovelace, Ada" <ada@example.com>',
    '"Ada \\"Countess\\" Lovelace" <ada@example.com>',
    'José 用户 😀 <用户@例え.jp>',
    '<ada@example.com>',
    'J. R. (Bob) Dobbs <bob@example.com>',
  ])('accepts %s', (mailbox) => {
    expect(isMailbox(mailbox)).toBe(true);
  });

  it.each([
    'Lovelace, Ada <ada@example.com>',
    'eve@example.com, Ada <ada@example.com>',
    'eve@example.com <ada@example.com>',
    'Ada <ada@example.com> <eve@example.com>',
    'Ada <ada@example.com>, eve@example.com',
    'Team: Ada <ada@example.com>;',
    'Ada\r\nBcc: eve@example.com <ada@example.com>',
    'Ada\n<ada@example.com>',
    '"Ada <ada@example.com>',
    'Ada <ada>',
    'Ada <>',
    '>',
  ])('refuses %j', (mailbox) => {
    expect(isMailbox(mailbox)).toBe(false);
  });

  it('never takes two addresses for one', () => {
    fc.assert(
      fc.property(fc.oneof(mailboxLike, addressLike), (candidate) => {
        if (!isMailbox(candidate)) return;
        expect(candidate).not.toMatch(control);
        const outsideQuotes = candidate.replace(/"(?:[^"\\]|\\.)*"/gu, '""');
        expect(outsideQuotes.match(/@/g)).toHaveLength(1);
      }),
      { numRuns: 5_000 },
    );
  });

  it('drops blanks around a recipient but no line breaks', () => {
    expect(Recipient.parse('  ada@example.com\t')).toBe('ada@example.com');
    expect(Recipient.safeParse('ada@example.com\n').success).toBe(false);
    expect(Recipient.safeParse('\rada@example.com').success).toBe(false);
  });
});

describe('isDomain', () => {
  it.each(['example.com', 'EXAMPLE.com', 'localhost', 'xn--r8jz45g.jp', '例え.jp', 'a-b.c-d.example'])(
    'accepts %s',
    (domain) => {
      expect(isDomain(domain)).toBe(true);
    },
  );

  it.each([
    '',
    '.',
    'example.com.',
    'a..b',
    '-a.com',
    'a-.com',
    'a_b.com',
    '192.0.2.1',
    '1',
    'a b.com',
    'a/b',
    'xn--\u0000',
  ])('refuses %j', (domain) => {
    expect(isDomain(domain)).toBe(false);
  });
});
