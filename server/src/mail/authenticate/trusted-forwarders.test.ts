import {
  failingDns,
  keyRecord,
  mailFrom,
  makeDns,
  sealMail,
  signedZone,
  signMail,
} from '@postrider/testkit/mail/signed-mail.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser } from '../parse/parse-pool.ts';
import type { DnsResolve } from './ask-dns.ts';
import { createMailAuthenticator } from './authenticate-mail.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

const keys = makeDns({
  'TXT s1._domainkey.groups.example': [keyRecord],
  'TXT s1._domainkey.second.example': [keyRecord],
  'TXT s1._domainkey.stranger.example': [keyRecord],
});
const zone: DnsResolve = (name, type) => keys(name, type).catch(() => signedZone(name, type));
const passed =
  'mx.groups.example; spf=pass smtp.mailfrom=a@example.com; dmarc=pass (p=REJECT) header.from=example.com';

interface Arrival {
  trusted?: string[];
  resolve?: DnsResolve;
  from?: string;
  remoteAddress?: string;
}

/** Receives a mail from a forwarder whose address the author's SPF record does not name. */
async function receive(raw: string, { trusted = ['groups.example'], resolve = zone, ...more }: Arrival = {}) {
  const options = {
    resolve,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
    trustedForwarders: trusted,
  };
  return createMailAuthenticator(options).authenticate({
    raw: Buffer.from(raw),
    remoteAddress: '198.51.100.9',
    helo: 'out.groups.example',
    envelopeFrom: 'list@groups.example',
    from: 'a@example.com',
    ...more,
  });
}

const withFooter = (raw: string) => `${raw}-- \r\nSent to the list\r\n`;
/** A mail of example.com that a list changed, so that only the list knows that it was genuine. */
const changedMail = async () => withFooter(await signMail(mailFrom('a@example.com'), 'example.com'));
const vouched = {
  authentication: { spf: 'none', dkim: 'fail', dmarc: 'pass', verified_domain: 'example.com' },
  rejectedBy: null,
};
const failed = {
  authentication: { spf: 'none', dkim: 'fail', dmarc: 'fail', verified_domain: null },
  rejectedBy: 'example.com',
};

describe('a chain that validates', () => {
  test('vouches for the author if a trusted forwarder sealed it last', async () => {
    const sealed = await sealMail(await changedMail(), 'groups.example', passed);
    expect(await receive(sealed)).toEqual(vouched);
    expect(await receive(sealed, { trusted: ['other.example'] })).toEqual(failed);
    expect(await receive(sealed, { trusted: [] })).toEqual(failed);
  });

  test('vouches through several trusted forwarders by what the first one saw', async () => {
    const first = withFooter(await sealMail(await changedMail(), 'groups.example', passed));
    const late =
      'mx.second.example; dmarc=fail header.from=example.com; arc=pass (i=1 dmarc=pass fromdomain=example.com)';
    const sealed = await sealMail(first, 'second.example', late);
    expect(await receive(sealed, { trusted: ['second.example', 'groups.example'] })).toEqual(vouched);
    expect(await receive(sealed, { trusted: ['second.example'] })).toEqual(failed);
  });

  test('does not vouch for what it recorded before an untrusted hop', async () => {
    const first = await sealMail(await changedMail(), 'groups.example', passed);
    const between = await sealMail(withFooter(first), 'stranger.example', passed);
    const last = await sealMail(
      between,
      'groups.example',
      'mx.groups.example; dmarc=fail header.from=example.com',
    );
    expect(await receive(last)).toEqual(failed);
    expect(await receive(between)).toEqual(failed);
  });

  test('vouches only for a pass of the domain in From', async () => {
    const records = [
      'mx.groups.example; dmarc=fail header.from=example.com',
      'mx.groups.example; dmarc=pass header.from=other.example',
      'mx.groups.example; dmarc=pass header.from=sub.example.com',
      'mx.groups.example; dmarc=pass',
      'mx.groups.example; spf=pass; dkim=pass header.d=example.com',
      'mx.groups.example; x=y (dmarc=pass header.from=example.com)',
      'mx.groups.example; dmarc=fail header.from=example.com; dmarc=pass header.from=example.com',
      'mx.groups.example; dmarc=fail header.from=example.com; (x) dmarc=pass header.from=example.com',
      'mx.groups.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.com"',
    ];
    for (const record of records)
      expect([record, await receive(await sealMail(await changedMail(), 'groups.example', record))]).toEqual([
        record,
        failed,
      ]);
  });

  test('does not verify a domain other than the one that the mail was read to be from', async () => {
    const sealed = await sealMail(await changedMail(), 'groups.example', passed);
    const found = await receive(sealed, { from: 'a@elsewhere.example' });
    expect(found?.authentication).toMatchObject({ dmarc: 'fail', verified_domain: null });
  });
});

describe('a chain that does not validate', () => {
  test('counts for nothing: a changed body, a changed or second From, a changed record, a forged seal', async () => {
    const sealed = await sealMail(await changedMail(), 'groups.example', passed);
    const changes = [
      withFooter(sealed),
      sealed.replace('From: a@example.com', 'From: b@example.com'),
      sealed.replace('p=REJECT', 'p=NONE'),
      sealed.replace(/^(ARC-Seal:[\s\S]*?\bb=).{4}/, '$1AAAA'),
      sealed.replace('ARC-Seal: i=1', 'ARC-Seal: i=2'),
      sealed.slice(sealed.indexOf('ARC-Message-Signature')),
    ];
    for (const raw of changes) {
      expect(raw).not.toBe(sealed);
      expect((await receive(raw))?.authentication).toMatchObject({ dmarc: 'fail', verified_domain: null });
    }
    const twice = await receive(`From: a@example.com\r\n${sealed}`);
    expect(twice?.authentication).toMatchObject({ dmarc: 'fail', verified_domain: null });
  });

  test('a key that cannot be had for now makes DMARC a temperror, but one that does not exist does not', async () => {
    const sealed = await sealMail(await changedMail(), 'groups.example', passed);
    const lost =
      (code: string): DnsResolve =>
      (name, type) =>
        (name.includes('groups') ? failingDns(code) : zone)(name, type);
    expect(await receive(sealed, { resolve: lost('ETIMEOUT') })).toMatchObject({
      authentication: { dmarc: 'temperror', verified_domain: null },
      rejectedBy: null,
    });
    expect(await receive(sealed, { resolve: lost('ENOTFOUND') })).toEqual(failed);
  });

  test('a key that cannot be had of an older, untrusted seal does not hide that DMARC fails', async () => {
    const first = await sealMail(await changedMail(), 'stranger.example', passed);
    const sealed = await sealMail(first, 'groups.example', passed);
    const lost: DnsResolve = (name, type) =>
      (name.includes('stranger') ? failingDns('ETIMEOUT') : zone)(name, type);
    expect(await receive(sealed, { resolve: lost })).toEqual(failed);
  });
});

test('a chain of ten sets is checked, one of eleven is not, and no key is asked for twice', async () => {
  const asked: string[] = [];
  const counting: DnsResolve = (name, type) => {
    asked.push(name);
    return zone(name, type);
  };
  let sealed = await changedMail();
  for (let set = 1; set <= 10; set++) sealed = await sealMail(sealed, 'groups.example', passed);
  expect(await receive(sealed, { resolve: counting })).toEqual(vouched);
  expect(asked.filter((name) => name.startsWith('s1._domainkey.groups'))).toHaveLength(1);
  asked.length = 0;
  expect(await receive(await sealMail(sealed, 'groups.example', passed), { resolve: counting })).toEqual(
    failed,
  );
  expect(asked.filter((name) => name.startsWith('s1._domainkey.groups'))).toEqual([]);
});

test('the keys of a chain by an untrusted forwarder are not asked for', async () => {
  const asked: string[] = [];
  const counting: DnsResolve = (name, type) => {
    asked.push(name);
    return zone(name, type);
  };
  const sealed = await sealMail(await changedMail(), 'stranger.example', passed);
  expect(await receive(sealed, { resolve: counting })).toEqual(failed);
  expect(asked.filter((name) => name.includes('stranger'))).toEqual([]);
});

test('results that others stamped on a mail count for nothing, not even in our own name', async () => {
  const stamp = (server: string) =>
    `Authentication-Results: ${server}; spf=pass; dkim=pass header.d=example.com; dmarc=pass header.from=example.com\r\n` +
    `ARC-Authentication-Results: i=1; ${server}; dmarc=pass header.from=example.com\r\n` +
    'Received-SPF: pass\r\n';
  const raw = await changedMail();
  for (const server of ['mx.postrider.test', 'groups.example', 'mx.google.com'])
    expect(await receive(stamp(server) + raw)).toEqual(failed);
  const genuine = await signMail(mailFrom('a@example.com'), 'example.com');
  const against =
    'Authentication-Results: mx.postrider.test; dkim=fail; dmarc=fail header.from=example.com\r\n';
  expect((await receive(against + genuine))?.authentication).toMatchObject({ dkim: 'pass', dmarc: 'pass' });
});
