import { failingDns, mailFrom, makeDns, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { afterAll, expect, test } from 'vitest';
import { createMailParser, type MailParser } from '../parse/parse-pool.ts';
import type { DnsResolve } from './ask-dns.ts';
import { createMailAuthenticator } from './authenticate-mail.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

/** Receives an unsigned mail from a stranger. */
async function receive(author: string, resolve: DnsResolve, remoteAddress = '198.51.100.9') {
  const authenticator = createMailAuthenticator({
    resolve,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
  });
  const raw = Buffer.from(mailFrom(author));
  const input = { raw, remoteAddress, helo: 'x.example', envelopeFrom: 'a@x.example', from: author };
  const checked = await authenticator.authenticate(input);
  return [checked?.authentication.dmarc, checked?.rejectedBy];
}

/** Returns the outcome of a mail with a record at `_dmarc.example.com`; `www.example.com` exists. */
const receiveUnder = (record: string, author = 'a@example.com') =>
  receive(author, makeDns({ 'TXT _dmarc.example.com': [record], 'A www.example.com': ['192.0.2.1'] }));
const rejected = ['fail', 'example.com'];
const kept = ['fail', null];

test.each([
  'v=DMARC1; p=reject',
  'v=DMARC1; p=reject; pct=100',
  'v=DMARC1;p=REJECT;sp=none;np=none',
  'v=DMARC1; p=reject; t=n',
])('the author’s own record asks to reject: %s', async (record) => {
  expect(await receiveUnder(record)).toEqual(rejected);
});

test.each([
  'v=DMARC1; p=none; sp=reject',
  'v=DMARC1; p=quarantine',
  'v=DMARC1; p=reject; pct=99',
  'v=DMARC1; p=reject; pct = 0',
  'v=DMARC1; p=reject; pct=',
  'v=DMARC1; p=reject; t=y',
])('the author’s own record does not ask to reject all of it: %s', async (record) => {
  expect(await receiveUnder(record)).toEqual(kept);
});

test('a subdomain has the policy of `sp`, and one that does not exist that of `np`', async () => {
  const [existing, missing] = ['a@www.example.com', 'a@no.example.com'];
  expect(await receiveUnder('v=DMARC1; p=reject', existing)).toEqual(rejected);
  expect(await receiveUnder('v=DMARC1; p=none; sp=reject', existing)).toEqual(rejected);
  expect(await receiveUnder('v=DMARC1; p=reject; sp=none', existing)).toEqual(kept);
  expect(await receiveUnder('v=DMARC1; p=none; np=reject', existing)).toEqual(kept);
  expect(await receiveUnder('v=DMARC1; p=none; np=reject', missing)).toEqual(rejected);
  expect(await receiveUnder('v=DMARC1; p=reject; np=quarantine', missing)).toEqual(kept);
});

test('a domain without a valid policy asks for nothing', async () => {
  expect(await receiveUnder('v=DMARC1; p=refuse')).toEqual(['none', null]);
  expect(await receive('a@example.com', makeDns({}))).toEqual(['none', null]);
});

test('of several authors each domain may ask to reject the mail, in one field or in two', async () => {
  for (const from of [
    'x@x.example, a@example.com',
    'a@example.com, x@x.example',
    'x@x.example\r\nFrom: a@example.com',
    'x@x.example, y@y.example, a@example.com, z@z.example',
  ])
    expect(await receiveUnder('v=DMARC1; p=reject', from)).toEqual(rejected);
  expect(await receiveUnder('v=DMARC1; p=quarantine', 'x@x.example, a@example.com')).toEqual(kept);
});

test('while DNS is away no mail is to be rejected', async () => {
  for (const code of ['ESERVFAIL', 'ETIMEOUT'])
    expect(await receive('a@example.com', failingDns(code))).toEqual(['temperror', null]);
  const halfway: DnsResolve = (name, type) =>
    name === 'no.example.com'
      ? failingDns('ESERVFAIL')(name, type)
      : makeDns({ 'TXT _dmarc.example.com': ['v=DMARC1; p=none; np=reject'] })(name, type);
  expect(await receive('a@no.example.com', halfway)).toEqual(['temperror', null]);
});

test('mail from a private network is not to be rejected, because its SPF cannot be checked', async () => {
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=A; b=A\r\n';
  const raw = Buffer.from(signature + mailFrom('a@example.com'));
  const resolve = makeDns({ 'TXT _dmarc.example.com': ['v=DMARC1; p=reject'] });
  const authenticator = createMailAuthenticator({
    resolve,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
  });
  const input = { raw, helo: null, envelopeFrom: 'a@example.com', from: 'a@example.com' };
  const found = async (remoteAddress: string) =>
    (await authenticator.authenticate({ ...input, remoteAddress }))?.rejectedBy;
  expect(await found('10.0.0.7')).toBeNull();
  expect(await found('198.51.100.9')).toBe('example.com');
});

const policyOnly = makeDns({ 'TXT _dmarc.example.com': ['v=DMARC1; p=reject'] });

async function checkWith(parser: MailParser, raw: string, resolve = policyOnly) {
  const authenticator = createMailAuthenticator({ resolve, parser, hostname: 'mx.postrider.test' });
  const from = 'a@example.com';
  return authenticator.authenticate({
    raw: Buffer.from(raw),
    remoteAddress: '198.51.100.9',
    helo: null,
    envelopeFrom: from,
    from,
  });
}

test('signatures that use up their processor time count as none, so that a forger gains nothing by them', async () => {
  const hurried = createMailParser({ workers: 1, processorMs: 1 });
  const signature = 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from; bh=A; b=A\r\n';
  const raw = `${signature}${mailFrom('a@example.com')}${'\t x'.repeat(3_000_000)}`;
  expect(await checkWith(hurried, raw)).toEqual({
    authentication: { spf: 'none', dkim: 'permerror', dmarc: 'fail', verified_domain: null },
    rejectedBy: 'example.com',
  });
  await hurried.close();
});

test('signatures that this machine could not check for now are no verdict on the sender, and SPF still decides', async () => {
  const busy = createMailParser({ workers: 1 });
  await busy.close();
  const raw = await signMail(mailFrom('a@example.com'), 'example.com');
  expect(await checkWith(busy, raw)).toEqual({
    authentication: { spf: 'none', dkim: 'temperror', dmarc: 'temperror', verified_domain: null },
    rejectedBy: null,
  });
  const withSpf = makeDns({
    'TXT _dmarc.example.com': ['v=DMARC1; p=reject'],
    'TXT example.com': ['v=spf1 ip4:198.51.100.9 -all'],
  });
  expect(await checkWith(busy, raw, withSpf)).toEqual({
    authentication: { spf: 'pass', dkim: 'temperror', dmarc: 'pass', verified_domain: 'example.com' },
    rejectedBy: null,
  });
});
