import { keyRecord, mailFrom, makeDns, signedZone, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser } from '../parse/parse-pool.ts';
import type { DnsResolve } from './ask-dns.ts';
import { createMailAuthenticator } from './authenticate-mail.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

/** A list server at 192.0.2.20 and a forwarder at 192.0.2.30, each with its own domain. */
const carriers = makeDns({
  'TXT lists.example': ['v=spf1 ip4:192.0.2.20 -all'],
  'TXT s1._domainkey.lists.example': [keyRecord],
  'TXT _dmarc.lists.example': ['v=DMARC1; p=none'],
  'TXT forward.example': ['v=spf1 ip4:192.0.2.30 -all'],
  'TXT s1._domainkey.evil.example': [keyRecord],
  'TXT _dmarc.evil.example': ['v=DMARC1; p=reject'],
  'TXT _dmarc.bank.example': ['v=DMARC1; p=reject'],
});
const zone: DnsResolve = (name, type) => carriers(name, type).catch(() => signedZone(name, type));

/** Receives a mail as the server does: what it is from is read by the same parser. */
async function receive(raw: string, remoteAddress: string, envelopeFrom: string) {
  const bytes = Buffer.from(raw);
  const parsed = await parser.parse(bytes, { envelopeFrom });
  if ('failed' in parsed) throw new Error(parsed.detail);
  const authenticator = createMailAuthenticator({
    resolve: zone,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
  });
  const from = parsed.from?.address ?? null;
  const input = { raw: bytes, remoteAddress, helo: 'out.example', envelopeFrom, from };
  return (await authenticator.authenticate(input))?.authentication;
}

const authored = () => signMail(mailFrom('Ada <ada@example.com>'), 'example.com');
const withFooter = (raw: string) => `${raw}-- \r\nTo unsubscribe, write to the list\r\n`;

describe('a mailing list', () => {
  const fromList = (raw: string) => receive(raw, '192.0.2.20', 'bounce+b=inbox.example@lists.example');

  test('that rewrites From and signs is itself the verified author', async () => {
    const rewritten = withFooter(await authored()).replace(
      'From: Ada <ada@example.com>',
      'From: "Ada via Talk" <talk@lists.example>',
    );
    const raw = await signMail(`Reply-To: ada@example.com\r\n${rewritten}`, 'lists.example');
    expect(await fromList(raw)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      verified_domain: 'lists.example',
    });
  });

  test('that adds a footer and keeps From breaks the signature of the author, who is then unverified', async () => {
    const failed = { spf: 'pass', dkim: 'fail', dmarc: 'fail', verified_domain: null };
    expect(await fromList(withFooter(await authored()))).toEqual(failed);
  });

  test('that adds a footer and its own signature does not prove the author either', async () => {
    const raw = await signMail(withFooter(await authored()), 'lists.example');
    expect(await fromList(raw)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'fail', verified_domain: null });
  });

  test('that only adds header fields keeps the author verified', async () => {
    const raw = `List-Id: <talk.lists.example>\r\nSender: talk@lists.example\r\n${await authored()}`;
    const passed = { spf: 'pass', dkim: 'pass', dmarc: 'pass', verified_domain: 'example.com' };
    expect(await fromList(raw)).toEqual(passed);
  });
});

describe('a forward', () => {
  test('with the envelope sender of the author loses SPF and is verified by the signature', async () => {
    const passed = { spf: 'fail', dkim: 'pass', dmarc: 'pass', verified_domain: 'example.com' };
    expect(await receive(await authored(), '192.0.2.30', 'ada@example.com')).toEqual(passed);
  });

  test('without a signature of the author is unverified', async () => {
    const failed = { spf: 'fail', dkim: 'none', dmarc: 'fail', verified_domain: null };
    expect(await receive(mailFrom('ada@example.com'), '192.0.2.30', 'ada@example.com')).toEqual(failed);
  });

  test('by SRS passes SPF for the forwarder, which proves nothing about the author', async () => {
    const srs = 'SRS0=HHHH=TT=example.com=ada@forward.example';
    const unsigned = { spf: 'pass', dkim: 'none', dmarc: 'fail', verified_domain: null };
    expect(await receive(mailFrom('ada@example.com'), '192.0.2.30', srs)).toEqual(unsigned);
    const signed = { spf: 'pass', dkim: 'pass', dmarc: 'pass', verified_domain: 'example.com' };
    expect(await receive(await authored(), '192.0.2.30', srs)).toEqual(signed);
  });
});

describe('a From that shows another author', () => {
  const fromEvil = async (from: string) =>
    receive(await signMail(mailFrom(from), 'evil.example'), '198.51.100.9', 'x@evil.example');

  test.each([
    '"ceo@bank.example" <x@evil.example>',
    '"CEO <ceo@bank.example>" <x@evil.example>',
    '=?utf-8?Q?ceo=40bank.example?= <x@evil.example>',
    '=?utf-8?Q?=3Cceo=40bank.example=3E?= <x@evil.example>',
    'x@evil.example (ceo@bank.example)',
    '"ceo@bank.example"@evil.example',
  ])('in its name or local part is verified as the domain that sent it: %s', async (from) => {
    expect(await fromEvil(from)).toMatchObject({ dmarc: 'pass', verified_domain: 'evil.example' });
  });

  test.each([
    'ceo@bank.example, x@evil.example',
    'x@evil.example, ceo@bank.example',
    'x@evil.example\r\nFrom: ceo@bank.example',
    'Board: ceo@bank.example, x@evil.example;',
    'ceo@bank.example <x@evil.example>, "a" <ceo@bank.example>',
    '<ceo@bank.example> <x@evil.example>',
    'ceo@bank.example@evil.example',
  ])('as a second author is never verified: %s', async (from) => {
    expect(await fromEvil(from)).toMatchObject({ dmarc: 'fail', verified_domain: null });
  });

  test('as a group of one author is verified as that author', async () => {
    expect(await fromEvil('Board: x@evil.example;')).toMatchObject({ verified_domain: 'evil.example' });
  });

  test('without an address has nothing to verify', async () => {
    for (const from of ['', 'ceo', 'undisclosed:;', '<>'])
      expect(await fromEvil(from)).toMatchObject({ verified_domain: null });
  });
});
