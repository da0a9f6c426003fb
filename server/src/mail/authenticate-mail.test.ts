import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { afterAll, describe, expect, test } from 'vitest';
import { measureStall } from '../../test/harness/measure-stall.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationInput, createMailAuthenticator } from './authenticate-mail.ts';
import { createMailParser } from './parse-pool.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keyRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;

type Zone = Record<string, string[]>;
const zone: Zone = {
  'TXT example.com': ['v=spf1 ip4:203.0.113.7 -all'],
  'TXT s1._domainkey.example.com': [keyRecord],
  'TXT s1._domainkey.mail.example.com': [keyRecord],
  'TXT s1._domainkey.other.example': [keyRecord],
  'TXT _dmarc.example.com': ['v=DMARC1; p=reject'],
  'TXT strict.example': ['v=spf1 -all'],
  'TXT _dmarc.strict.example': ['v=DMARC1; p=reject; adkim=s; aspf=s'],
  'TXT s1._domainkey.mail.strict.example': [keyRecord],
  'TXT nopolicy.example': ['v=spf1 ip4:203.0.113.7 ~all'],
  'TXT soft.example': ['v=spf1 ~all'],
  'TXT mx.helo.example': ['v=spf1 ip4:203.0.113.7 -all'],
};
const failing =
  (code: string): DnsResolve =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));
const answering =
  (records: Zone): DnsResolve =>
  async (name, type) => {
    const found = records[`${type} ${name.toLowerCase()}`];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return found.map((text) => text.match(/.{1,250}/g) ?? [text]);
  };

const mailFrom = (from: string) =>
  `From: ${from}\r\nTo: b@inbox.example\r\nSubject: hello\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nMessage-ID: <1@x.y>\r\n\r\nbody\r\n`;
async function sign(raw: string, signingDomain: string, maxBodyLength?: number): Promise<string> {
  const signature = {
    signingDomain,
    selector: 's1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...(maxBodyLength === undefined ? {} : { maxBodyLength }),
  };
  const { signatures } = await dkimSign(raw, { ...signature, signatureData: [signature] });
  return signatures + raw;
}

function authenticate(
  raw: string | Buffer,
  more: Partial<AuthenticationInput> = {},
  resolve: DnsResolve = answering(zone),
  timeoutMs = 2_000,
) {
  return createMailAuthenticator({ resolve, parser, hostname: 'mx.postrider.test', timeoutMs }).authenticate({
    raw: Buffer.from(raw as string),
    remoteAddress: '203.0.113.7',
    helo: 'mx.helo.example',
    envelopeFrom: 'a@example.com',
    from: 'a@example.com',
    ...more,
  });
}

describe('honest mail', () => {
  test('everything passes', async () => {
    const raw = await sign(mailFrom('A <a@example.com>'), 'example.com');
    expect(await authenticate(raw)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      verified_domain: 'example.com',
    });
  });

  test('lines that end in LF are verified as they were signed', async () => {
    const raw = (await sign(mailFrom('a@example.com'), 'example.com')).replaceAll('\r\n', '\n');
    expect(await authenticate(raw, { envelopeFrom: '' })).toMatchObject({ dkim: 'pass', dmarc: 'pass' });
  });

  test('mail that was passed on has lost SPF and is verified by its signature', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'mail.example.com');
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' })).toEqual({
      spf: 'fail',
      dkim: 'pass',
      dmarc: 'pass',
      verified_domain: 'example.com',
    });
  });

  test('without a signature SPF is enough', async () => {
    expect(await authenticate(mailFrom('a@example.com'))).toEqual({
      spf: 'pass',
      dkim: 'none',
      dmarc: 'pass',
      verified_domain: 'example.com',
    });
  });

  test('a domain without a policy is verified when SPF or a signature is of the same organisation', async () => {
    const raw = mailFrom('a@news.nopolicy.example');
    expect(
      await authenticate(raw, { envelopeFrom: 'b@nopolicy.example', from: 'a@news.nopolicy.example' }),
    ).toEqual({
      spf: 'pass',
      dkim: 'none',
      dmarc: 'none',
      verified_domain: 'news.nopolicy.example',
    });
    expect(await authenticate(raw, { from: 'a@news.nopolicy.example' })).toMatchObject({
      dmarc: 'none',
      verified_domain: null,
    });
  });

  test('the null sender is checked by the name in HELO', async () => {
    const raw = mailFrom('mailer-daemon@mx.helo.example');
    expect(
      await authenticate(raw, { envelopeFrom: '', from: 'mailer-daemon@mx.helo.example' }),
    ).toMatchObject({
      spf: 'pass',
      verified_domain: 'mx.helo.example',
    });
  });
});

describe('dishonest mail', () => {
  test('a forged author fails', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'other.example');
    expect(
      await authenticate(raw, { remoteAddress: '198.51.100.9', envelopeFrom: 'x@nopolicy.example' }),
    ).toEqual({
      spf: 'softfail',
      dkim: 'pass',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('a changed body fails', async () => {
    const raw = (await sign(mailFrom('a@example.com'), 'example.com')).replace('body\r\n', 'other body\r\n');
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' })).toEqual({
      spf: 'fail',
      dkim: 'fail',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('strict alignment is honoured', async () => {
    const raw = await sign(mailFrom('a@strict.example'), 'mail.strict.example');
    expect(
      await authenticate(raw, { from: 'a@strict.example', envelopeFrom: 'a@strict.example' }),
    ).toMatchObject({
      dkim: 'pass',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('two authors fail, in one field or in two', async () => {
    for (const from of ['a@example.com, b@other.example', 'a@example.com\r\nFrom: b@other.example']) {
      const raw = await sign(mailFrom(from), 'example.com');
      expect(await authenticate(raw)).toMatchObject({ dmarc: 'fail', verified_domain: null });
    }
  });

  test('a domain is only called verified if it is the one that the mail was read to be from', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'example.com');
    expect(await authenticate(raw, { from: 'a@elsewhere.example' })).toMatchObject({
      dmarc: 'pass',
      verified_domain: null,
    });
    expect(await authenticate(raw, { from: null })).toMatchObject({ verified_domain: null });
  });

  test('a flood of signatures is not checked and does not hide the policy of the author', async () => {
    const flood = 'DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s; h=from; bh=A; b=A\r\n'.repeat(500);
    expect(await authenticate(flood + mailFrom('a@example.com'), { remoteAddress: '198.51.100.9' })).toEqual({
      spf: 'fail',
      dkim: 'permerror',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('a forger’s own DNS that is broken does not keep the author’s policy from failing', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'forger.example');
    const broken: DnsResolve = (name, type) =>
      (name.includes('forger') ? failing('ESERVFAIL') : answering(zone))(name, type);
    const envelopeFrom = 'x@forger.example';
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9', envelopeFrom }, broken)).toEqual({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('text below a signature that covers only the beginning is not verified by it', async () => {
    const raw = `${await sign(mailFrom('a@example.com'), 'example.com', 4)}and more\r\n`;
    const found = await authenticate(raw, { remoteAddress: '198.51.100.9' });
    expect(found).toMatchObject({ dkim: 'pass', dmarc: 'pass', verified_domain: null });
  });

  test('a signature without a key is no proof', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'nokey.example');
    expect(await authenticate(raw)).toMatchObject({ dkim: 'permerror', dmarc: 'pass' });
  });
});

describe('DNS that fails', () => {
  test.each(['ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EREFUSED'])(
    '%s makes nothing fail for good',
    async (code) => {
      const raw = await sign(mailFrom('a@example.com'), 'example.com');
      expect(await authenticate(raw, {}, failing(code))).toEqual({
        spf: 'temperror',
        dkim: 'temperror',
        dmarc: 'temperror',
        verified_domain: null,
      });
    },
  );

  test('an author whose policy is known does not fail while a key cannot be had', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'example.com');
    const partly: DnsResolve = (name, type) =>
      (name.includes('_domainkey') ? failing('ESERVFAIL') : answering(zone))(name, type);
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' }, partly)).toMatchObject({
      spf: 'fail',
      dkim: 'temperror',
      dmarc: 'temperror',
    });
  });

  test('DNS that never answers is waited for no longer than agreed', async () => {
    const start = performance.now();
    const raw = await sign(mailFrom('a@example.com'), 'example.com');
    expect(await authenticate(raw, {}, () => new Promise(() => undefined), 200)).toMatchObject({
      spf: 'temperror',
      dmarc: 'temperror',
    });
    expect(performance.now() - start).toBeLessThan(1_500);
  });

  test('a resolver that throws or answers nonsense makes nothing throw', async () => {
    const raw = await sign(mailFrom('a@example.com'), 'example.com');
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
])('of a client at %j nothing is asked', async (remoteAddress) => {
  const asked: string[] = [];
  const resolve: DnsResolve = async (name) => {
    asked.push(name);
    return [];
  };
  expect(await authenticate(mailFrom('a@example.com'), { remoteAddress }, resolve)).toBeNull();
  expect(asked).toEqual([]);
});

test('without DNS nothing is known of any mail', async () => {
  const authenticator = createMailAuthenticator({ resolve: null, parser, hostname: 'mx.postrider.test' });
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
  await authenticate(mailFrom('a@example.com'));
  const { value, tookMs, stallMs } = await measureStall(() => authenticate(raw));
  expect(tookMs).toBeLessThan(10_000);
  expect(stallMs).toBeLessThan(250);
  expect(value).toMatchObject({ spf: 'pass', verified_domain: 'example.com' });
});
