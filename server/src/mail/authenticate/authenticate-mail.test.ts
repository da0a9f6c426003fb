import { failingDns, mailFrom, makeDns, signedZone, signMail } from '@postrider/testkit/mail/signed-mail.ts';
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

describe('honest mail', () => {
  test('everything passes', async () => {
    const raw = await signMail(mailFrom('A <a@example.com>'), 'example.com');
    expect(await authenticate(raw)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      verified_domain: 'example.com',
    });
  });

  test('lines that end in LF are verified as they were signed', async () => {
    const raw = (await signMail(mailFrom('a@example.com'), 'example.com')).replaceAll('\r\n', '\n');
    expect(await authenticate(raw, { envelopeFrom: '' })).toMatchObject({ dkim: 'pass', dmarc: 'pass' });
  });

  test('mail that was passed on has lost SPF and is verified by its signature', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'mail.example.com');
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' })).toEqual({
      spf: 'fail',
      dkim: 'pass',
      dmarc: 'pass',
      verified_domain: 'example.com',
    });
  });

  test.each(['127.0.0.1', '10.1.2.3', '::1'])(
    'from %s it is verified by its signature, and SPF says nothing',
    async (remoteAddress) => {
      const raw = await signMail(mailFrom('a@example.com'), 'example.com');
      const found = { spf: 'none', dkim: 'pass', dmarc: 'pass', verified_domain: 'example.com' };
      expect(await authenticate(raw, { remoteAddress })).toEqual(found);
      const changed = await authenticate(raw.replace(/\r\n\r\n/, '\r\n\r\nMore. '), { remoteAddress });
      expect(changed).toEqual({ spf: 'none', dkim: 'fail', dmarc: 'fail', verified_domain: null });
    },
  );

  test('from a private network and without a signature nothing is known, and no DNS is asked', async () => {
    const asked = () => Promise.reject(new Error('asked'));
    const found = await authenticate(mailFrom('a@example.com'), { remoteAddress: '192.168.1.9' }, asked);
    expect(found).toEqual({ spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null });
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
    const raw = await signMail(mailFrom('a@example.com'), 'other.example');
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
    const raw = (await signMail(mailFrom('a@example.com'), 'example.com')).replace(
      'body\r\n',
      'other body\r\n',
    );
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9' })).toEqual({
      spf: 'fail',
      dkim: 'fail',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('strict alignment is honoured', async () => {
    const raw = await signMail(mailFrom('a@strict.example'), 'mail.strict.example');
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
      const raw = await signMail(mailFrom(from), 'example.com');
      expect(await authenticate(raw)).toMatchObject({ dmarc: 'fail', verified_domain: null });
    }
  });

  test('mail that is shown to be from anybody else than its From fails', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'example.com');
    for (const from of ['a@elsewhere.example', 'b@example.com', null])
      expect(await authenticate(raw, { from })).toMatchObject({ dmarc: 'fail', verified_domain: null });
  });

  test('an envelope is asked for the domain that it is compared as', async () => {
    const resolve = makeDns({
      'TXT xn--xample-fi8c.com': ['v=spf1 ip4:203.0.113.7 -all'],
      'TXT example.com': ['v=spf1 -all'],
    });
    const found = { spf: 'fail', verified_domain: null };
    const raw = mailFrom('a@example.com');
    expect(await authenticate(raw, { envelopeFrom: 'a@ⓔxample.com' }, resolve)).toMatchObject(found);
    expect(await authenticate(raw, { envelopeFrom: '', helo: 'ⓔxample.com' }, resolve)).toMatchObject(found);
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
    const raw = await signMail(mailFrom('a@example.com'), 'forger.example');
    const broken: DnsResolve = (name, type) =>
      (name.includes('forger') ? failingDns('ESERVFAIL') : signedZone)(name, type);
    const envelopeFrom = 'x@forger.example';
    expect(await authenticate(raw, { remoteAddress: '198.51.100.9', envelopeFrom }, broken)).toEqual({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'fail',
      verified_domain: null,
    });
  });

  test('text below a signature that covers only the beginning is not verified by it', async () => {
    const raw = `${await signMail(mailFrom('a@example.com'), 'example.com', 4)}and more\r\n`;
    const found = await authenticate(raw, { remoteAddress: '198.51.100.9' });
    expect(found).toMatchObject({ dkim: 'pass', dmarc: 'pass', verified_domain: null });
  });

  test('a signature without a key is no proof', async () => {
    const raw = await signMail(mailFrom('a@example.com'), 'nokey.example');
    expect(await authenticate(raw)).toMatchObject({ dkim: 'permerror', dmarc: 'pass' });
  });
});
