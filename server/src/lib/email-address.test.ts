import { isAddress, isMailbox } from '@postrider/contract';
import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  domainOf,
  normalizeAddress,
  parseAddress,
  parseDomain,
  parseMailbox,
  stripPlusTag,
} from './email-address.ts';

const longLabel = 'a'.repeat(63);

describe('normalizeAddress', () => {
  it.each([
    ['user@example.com', 'user@example.com'],
    ['User.Name+Tag@EXAMPLE.Com', 'user.name+tag@example.com'],
    ['  user@example.com\t', 'user@example.com'],
    ['user@example.com.', 'user@example.com'],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['"user"@example.com', 'user@example.com'],
    ['"us\\er"@example.com', 'user@example.com'],
    ['"john doe"@example.com', '"john doe"@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['"a\\"b\\\\"@example.com', '"a\\"b\\\\"@example.com'],
    ['"a..b"@example.com', '"a..b"@example.com'],
    ['""@example.com', '""@example.com'],
    ['root@localhost', 'root@localhost'],
    ['用户@例子.中国', '用户@xn--fsqu00a.xn--fiqs8s'],
    ['ÜSER@MÜNCHEN.example', 'üser@xn--mnchen-3ya.example'],
    ['u\u0308ser@mu\u0308nchen.example', 'üser@xn--mnchen-3ya.example'],
    ['user@xn--mnchen-3ya.example', 'user@xn--mnchen-3ya.example'],
    ['user@XN--MNCHEN-3YA.example', 'user@xn--mnchen-3ya.example'],
    ['user@例子。中国', 'user@xn--fsqu00a.xn--fiqs8s'],
    ['user@例子.中国.', 'user@xn--fsqu00a.xn--fiqs8s'],
    ['user@r3---sn-4g5e.example', 'user@r3---sn-4g5e.example'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    [`a@${longLabel}.example`, `a@${longLabel}.example`],
  ])('reads %j as %j', (text, expected) => {
    expect(normalizeAddress(text)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['no at sign', 'user'],
    ['no local part', '@example.com'],
    ['no domain', 'user@'],
    ['two at signs', 'a@b@example.com'],
    ['a dot first', '.a@example.com'],
    ['a dot last', 'a.@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a space in the local part', 'a b@example.com'],
    ['a comma', 'a,b@example.com'],
    ['an open quote', '"a@example.com'],
    ['a quote inside quotes', '"a"b"@example.com'],
    ['a backslash at the end of quotes', '"a\\"@example.com'],
    ['a comment', 'a(comment)@example.com'],
    ['angle brackets', '<a@example.com>'],
    ['a source route', '@relay.example:a@example.com'],
    ['a line end', 'a@example.com\r\n'],
    ['a header after it', 'a@example.com\r\nBcc: b@example.com'],
    ['a line end in quotes', '"a\r\nb"@example.com'],
    ['a NUL', 'a\0@example.com'],
    ['a NUL in quotes', '"a\0"@example.com'],
    ['DEL', 'a\x7f@example.com'],
    ['a C1 control', 'a\u0085@example.com'],
    ['a line separator', 'a\u2028@example.com'],
    ['a no-break space', 'a\u00a0b@example.com'],
    ['a bidirectional override', 'a\u202e@example.com'],
    ['a zero-width space', 'a\u200bb@example.com'],
    ['a lone surrogate', 'a\ud800@example.com'],
    ['a domain literal', 'a@[192.0.2.1]'],
    ['an IPv6 literal', 'a@[IPv6:2001:db8::1]'],
    ['an IP address as a domain', 'a@192.0.2.1'],
    ['a numeric top-level domain', 'a@example.123'],
    ['an IP address in wide digits', 'a@\uff11\uff12\uff17.0.0.1'],
    ['two trailing dots', 'a@example.com..'],
    ['an empty label', 'a@example..com'],
    ['a dot before the domain', 'a@.example.com'],
    ['a hyphen before a label', 'a@-example.com'],
    ['a hyphen after a label', 'a@example-.com'],
    ['an underscore in the domain', 'a@exam_ple.com'],
    ['a slash in the domain', 'a@example.com/x'],
    ['a slash after an IDN', 'a@münchen.example/x'],
    ['a port after an IDN', 'a@münchen.example:25'],
    ['a wide slash in an IDN', 'a@münchen\uff0fx.example'],
    ['a percent escape in an IDN', 'a@m%C3%BCnchen.ü.example'],
    ['a line end in an IDN', 'a@mün\nchen.example'],
    ['broken punycode', 'a@xn--ls8h=.example'],
    ['a local part of 65 bytes', `${'l'.repeat(65)}@example.com`],
    ['a local part of 33 two-byte letters', `${'ü'.repeat(33)}@example.com`],
    ['a label of 64 letters', `a@${'a'.repeat(64)}.example`],
    ['255 bytes', `${'l'.repeat(64)}@${`${longLabel}.`.repeat(2)}${'a'.repeat(62)}`],
    ['a megabyte', `${'a'.repeat(1_000_000)}@example.com`],
  ])('refuses %s', (_what, text) => {
    expect(normalizeAddress(text)).toBeNull();
  });

  it('takes an address of exactly 254 bytes', () => {
    const address = `${'l'.repeat(64)}@${`${longLabel}.`.repeat(2)}${'a'.repeat(61)}`;
    expect(Buffer.byteLength(address)).toBe(254);
    expect(normalizeAddress(address)).toBe(address);
  });

  it('keeps look-alikes of different scripts apart', () => {
    expect(normalizeAddress('a@раураl.example')).not.toBe(normalizeAddress('a@paypal.example'));
    expect(normalizeAddress('а@example.com')).not.toBe(normalizeAddress('a@example.com'));
  });

  const piece = fc.constantFrom(
    'a',
    'Z',
    '"',
    '\\',
    '@',
    '.',
    ' ',
    '\r',
    '\n',
    '\0',
    'ü',
    'İ',
    'ß',
    'Σ',
    'K',
    '中',
    '。',
    'xn--',
    '-',
    '[',
    ']',
    '<',
    '\u200d',
    '\u0301',
    '\ud83d',
    '%',
  );
  const oddText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 24 }).map((parts) => parts.join('')),
  );
  const oddAddress = fc.tuple(oddText, oddText).map(([local, domain]) => `${local}@${domain}`);

  it('never throws, and gives the same answer for what it gave', () => {
    fc.assert(
      fc.property(fc.oneof(oddText, oddAddress, fc.emailAddress()), (text) => {
        const address = normalizeAddress(text);
        if (address !== null) expect(normalizeAddress(address)).toBe(address);
      }),
      { numRuns: 5_000 },
    );
  });

  it('never gives an address that could break a header line, an SMTP command or a length limit', () => {
    fc.assert(
      fc.property(fc.oneof(oddText, oddAddress), (text) => {
        const parsed = parseAddress(text);
        if (parsed === null) return;
        expect(parsed.address).toBe(`${parsed.local}@${parsed.domain}`);
        expect(parsed.address).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(parsed.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/);
        expect(Buffer.byteLength(parsed.local)).toBeLessThanOrEqual(64);
        expect(Buffer.byteLength(parsed.address)).toBeLessThanOrEqual(254);
        if (!parsed.local.startsWith('"')) expect(parsed.local).not.toMatch(/[\s"<>(),:;[\]\\@]/);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads every address that a request may carry', () => {
    fc.assert(
      fc.property(oddText, oddText, (before, after) => {
        const text = `${before.slice(0, 20)}a@b${after.slice(0, 20)}`;
        if (isAddress(text)) expect(normalizeAddress(text)).not.toBeNull();
        const mailbox = `a${before.trim()} <a@example.com>`;
        if (isMailbox(mailbox)) expect(parseMailbox(mailbox)?.address).toBe('a@example.com');
      }),
      { numRuns: 3_000 },
    );
  });

  it('does not care for the case of an address', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        expect(normalizeAddress(text.toUpperCase())).toBe(normalizeAddress(text));
      }),
    );
  });

  it('reads a quoted local part and its plain spelling as one mailbox', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9!#$+-]{1,20}$/), (local) => {
        const escaped = [...local].map((char) => `\\${char}`).join('');
        expect(normalizeAddress(`"${escaped}"@example.com`)).toBe(`${local}@example.com`);
      }),
    );
  });

  it('answers a hostile text quickly', () => {
    const passes = measurePasses(() => {
      for (const unit of ['a.', '"', '\\', 'a@', '"\\', 'ü', '-', 'xn--', ' ']) {
        normalizeAddress(unit.repeat(500));
        normalizeAddress(`a@${unit.repeat(500)}`);
        parseMailbox(unit.repeat(1000));
        parseMailbox(`${unit.repeat(900)}<a@example.com>`);
      }
    });
    expect(passes).toBeLessThan(textPassesMax);
  });
});

describe('parseDomain', () => {
  it('reads host names only', () => {
    expect(parseDomain('Example.COM.')).toBe('example.com');
    expect(parseDomain('bücher.example')).toBe('xn--bcher-kva.example');
    for (const text of [
      '',
      '.',
      'a b',
      'http://example.com',
      'example.com:25',
      '[::1]',
      '10.0.0.1',
      '*.example.com',
    ]) {
      expect(parseDomain(text)).toBeNull();
    }
  });
});

describe('parseMailbox', () => {
  it.each([
    ['a@example.com', null],
    ['<a@example.com>', null],
    ['Ada Lovelace <a@example.com>', 'Ada Lovelace'],
    ['Ada   Lovelace\t<A@Example.com>', 'Ada Lovelace'],
    ['"Lovelace, Ada" <a@example.com>', 'Lovelace, Ada'],
    ['"Ada \\"AL\\" Lovelace" <a@example.com>', 'Ada "AL" Lovelace'],
    ['"" <a@example.com>', null],
    ["O'Neil (Sales) <a@example.com>", "O'Neil (Sales)"],
    ['a@example.com <a@example.com>', 'a@example.com'],
    ['Åsa 李 👩‍💻 <a@example.com>', 'Åsa 李 👩‍💻'],
  ])('reads %j with the name %j', (text, name) => {
    expect(parseMailbox(text)).toEqual({ name, address: 'a@example.com' });
  });

  it.each([
    'Lovelace, Ada <a@example.com>',
    'b@example.com, Ada <a@example.com>',
    'Ada <b@example.com> <a@example.com>',
    'Ada <a@example.com> x',
    'Ada a@example.com',
    'Ada <a@example.com',
    '"Ada <a@example.com>',
    'Ada\r\nBcc: b@example.com <a@example.com>',
    'A\0da <a@example.com>',
    'Ada <>',
    '<',
    '>',
    '',
  ])('refuses %j', (text) => {
    expect(parseMailbox(text)).toBeNull();
  });
});

describe('domainOf and stripPlusTag', () => {
  it('takes what stands after the last at sign', () => {
    expect(domainOf('a@example.com')).toBe('example.com');
    expect(domainOf('"a@b"@example.com')).toBe('example.com');
  });

  it.each([
    ['a+tag@example.com', 'a@example.com'],
    ['a+b+c@example.com', 'a@example.com'],
    ['a@example.com', 'a@example.com'],
    ['+a@example.com', '+a@example.com'],
    ['"a+b c"@example.com', '"a+b c"@example.com'],
  ])('makes %s into %s', (address, expected) => {
    expect(stripPlusTag(address)).toBe(expected);
  });
});
