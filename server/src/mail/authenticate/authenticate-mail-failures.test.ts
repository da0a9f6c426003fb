import { failingDns, mailFrom, signedZone, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { measureStall, stallPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser } from '../parse/parse-pool.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationInput, createMailAuthenticator } from './authenticate-mail.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

async function authenticate(
  raw: string | Buffer,
  more: Partial<AuthenticationInput> = {},
  resolve: DnsResolve = signedZone,
  timeoutMs = 300_000,
) {
  const authenticator = createMailAuthenticator({
    resolve,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs,
  });
  const checked = await authenticator.authenticate({
    raw: Buffer.from(raw as string),
    remoteAddress: '203.0.113.7',
    helo: 'mx.helo.example',
    envelopeFrom: 'a@example.com',
    from: 'a@example.com',
    ...more,
  });
  return checked?.authentication;
}

describe('DNS that fails', () => {
  test.each(['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EREFUSED'])(
    '%s makes nothing fail for good',
    async (code) => {
      const raw = await signMail(mailFrom('a@example.com'), 'example.com');
      expect(await authenticate(raw, {}, failingDns(code))).toEqual({
        spf: 'temperror',
        dkim: 'temperror',
        dmarc: 'temperror',
        verified_domain: null,
      });
    },
  );

  test('an author whose policy is known does not fail while a key cannot be had', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'example.com');
    const partly: DnsResolve = (name, type) =>
      (name.includes('_domainkey') ? failingDns('ESERVFAIL') : signedZone)(name, type);
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' }, partly)).toMatchObject({
      spf: 'fail',
      dkim: 'temperror',
      dmarc: 'temperror',
    });
  });

  test('DNS that never answers is waited for no longer than agreed', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'example.com');
    expect(await authenticate(raw, {}, () => new Promise(() => undefined), 200)).toMatchObject({
      spf: 'temperror',
      dmarc: 'temperror',
    });
  });

  test('a resolver that throws or answers nonsense makes nothing throw', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'example.com');
    const throwing = (() => {
      throw new Error('no');
    }) as DnsResolve;
    const nonsense = (async () => [null, 7, {}]) as unknown as DnsResolve;
    for (const resolve of [throwing, nonsense])
      expect((await authenticate(raw, {}, resolve))?.verified_domain).toBeNull();
  });
});

test.each([
  '127.0.0.1',
  '::1',
  '10.1.2.3',
  '192.168.0.1',
  '169.254.1.1',
  'fd00::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '',
  'nonsense',
])('of an unsigned mail by a client at %j nothing is asked', async (remoteAddress) => {
  const asked: string[] = [];
  const resolve: DnsResolve = async (name) => {
    asked.push(name);
    return [];
  };
  const nothing = { spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null };
  expect(await authenticate(mailFrom('a@example.com'), { remoteAddress }, resolve)).toEqual(nothing);
  expect(asked).toEqual([]);
});

test('without DNS nothing is known of any mail', async () => {
  const authenticator = createMailAuthenticator({
    resolve: null,
    parser,
    hostname: 'mx.postrider.test',
  });
  await authenticator.warm();
  const raw = Buffer.from(mailFrom('a@example.com'));
  const input = {
    raw,
    remoteAddress: '203.0.113.7',
    helo: null,
    envelopeFrom: 'a@example.com',
    from: 'a@example.com',
  };
  expect(await authenticator.authenticate(input)).toBeNull();
});

test.each([
  ['spaces and line ends', ' \r\n'],
  ['bare line ends', '\n'],
  ['one long line', 'a'],
  ['tabs', '\t x'],
])('eight megabytes of %s under a signature leave time for others', async (_name, piece) => {
  const signature =
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s1; h=from; bh=A; b=A\r\n';
  const raw = Buffer.concat([
    Buffer.from(signature + mailFrom('a@example.com')),
    Buffer.from(piece.repeat(Math.floor(8_000_000 / piece.length))),
  ]);
  const check = (mail: string | Buffer) => authenticate(mail);
  await check(mailFrom('a@example.com'));
  const { value, stallPasses } = await measureStall(() => check(raw));
  expect(stallPasses).toBeLessThan(stallPassesMax);
  expect(value).toMatchObject({ spf: 'pass', verified_domain: 'example.com' });
});
