import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDns } from '../../../dns/ask-resolver.ts';
import { openZoneClient } from '../../../dns/ask-zone.ts';
import type { DnsResolve } from '../../../mail/authenticate/ask-dns.ts';
import { askIn, examineDns, examineResolver, isReserved } from './examine-dns.ts';
import { examineSender } from './examine-sender.ts';

let dns: DnsServer;
let resolve: DnsResolve;
beforeAll(async () => {
  dns = await startDnsServer();
  resolve = await openDns(dns.address);
});
beforeEach(() => dns.clear());
afterAll(() => dns.close());

const smtp = { host: '0.0.0.0', port: 25, hostname: 'mx.acme.com' };
const address = '93.184.215.14';

describe('where mail for the shared domain goes', () => {
  const examine = (change: object = {}) =>
    examineDns({ mailDomain: 'acme.com', smtp, ...change }, askIn(resolve));

  test('a domain that no DNS has is for this machine', () => {
    for (const domain of ['postrider.test', 'mail.localhost', 'acme.internal'])
      expect(isReserved(domain)).toBe(true);
    expect(isReserved('test.acme.com')).toBe(false);
  });

  test('mail that cannot arrive is a problem, with the record that is missing', async () => {
    expect(await examine()).toMatchObject([
      {
        state: 'problem',
        text: 'acme.com has no MX record, so no mail arrives.',
        remedy: 'Publish acme.com. MX 10 mx.acme.com.',
      },
    ]);
    dns.set('acme.com', 'MX', ['10 mx.acme.com']);
    expect(await examine()).toMatchObject([
      { state: 'problem', text: expect.stringContaining('has no address') },
    ]);
    dns.failFor('acme.com');
    expect(await examine()).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('POSTRIDER_DNS') },
    ]);
  });

  test('mail that arrives here is fine, and elsewhere worth a note', async () => {
    dns.set('acme.com', 'MX', ['10 MX.acme.com']);
    dns.set('mx.acme.com', 'A', [address]);
    expect(await examine()).toMatchObject([{ state: 'ok' }]);
    const others = await examine({ smtp: { ...smtp, hostname: 'other.acme.com' } });
    expect(others).toMatchObject([{ state: 'note', text: expect.stringContaining('other.acme.com') }]);
  });
});

describe('SPF and DMARC of the shared domain', () => {
  const examine = async (transport: string, { spf = 'a:mx.acme.com', addresses = [address] } = {}) =>
    examineSender(
      { mailDomain: 'acme.com', smtp, spf, transport: transport as 'smtp' },
      {
        askZone: await openZoneClient({ server: dns.address, allowPrivate: false }),
        resolve,
        addresses,
      },
    );
  const dmarc = () => dns.set('_dmarc.acme.com', 'TXT', ['v=DMARC1; p=reject']);

  test('without them, a server that sends by itself has a problem, with the records to publish', async () => {
    expect(await examine('direct')).toEqual([
      {
        part: 'spf',
        state: 'problem',
        text: expect.stringContaining('no TXT record at acme.com'),
        remedy: expect.stringContaining('TXT "v=spf1 a:mx.acme.com -all"'),
      },
      {
        part: 'dmarc',
        state: 'note',
        text: expect.stringContaining('no TXT record at _dmarc.acme.com'),
        remedy: 'Publish _dmarc.acme.com. TXT "v=DMARC1; p=none"',
      },
    ]);
    expect(await examine('ses', { spf: 'include:amazonses.com' })).toMatchObject([
      { part: 'spf', state: 'note' },
      { part: 'dmarc', state: 'note' },
    ]);
  });

  test('an SPF record counts if it names the server in any way', async () => {
    dmarc();
    for (const record of [
      'v=spf1 a:mx.acme.com -all',
      `v=spf1 ip4:${address} -all`,
      'v=spf1 ip4:93.184.0.0/16 -all',
    ]) {
      dns.set('acme.com', 'TXT', ['another record', record]);
      expect(await examine('direct')).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
    }
    dns.set('acme.com', 'TXT', ['v=spf1 ip4:198.51.100.1 -all']);
    expect(await examine('direct')).toMatchObject([{ part: 'spf', state: 'problem' }, { state: 'ok' }]);
    dns.set('acme.com', 'TXT', [`v=spf1 ip4:${address} -all`]);
    // One address of two is not enough: mail may leave by either.
    expect(await examine('direct', { addresses: [address, '198.51.100.9'] })).toMatchObject([
      { part: 'spf', state: 'problem' },
      { state: 'ok' },
    ]);
  });

  test('a relay that POSTRIDER_SPF does not name is noted, and a named one is looked for', async () => {
    dmarc();
    dns.set('acme.com', 'TXT', ['v=spf1 include:relay.example.net -all']);
    dns.set('relay.example.net', 'TXT', ['v=spf1 ip4:192.0.2.0/24 -all']);
    expect(await examine('smtp')).toMatchObject([
      { part: 'spf', state: 'note', remedy: expect.stringContaining('POSTRIDER_SPF') },
      { part: 'dmarc', state: 'ok' },
    ]);
    expect(await examine('smtp', { spf: 'include:relay.example.net' })).toMatchObject([
      { part: 'spf', state: 'ok' },
      { part: 'dmarc', state: 'ok' },
    ]);
  });

  test('two DMARC records are noted, because receivers follow neither', async () => {
    dns.set('acme.com', 'TXT', ['v=spf1 a:mx.acme.com -all']);
    dns.set('_dmarc.acme.com', 'TXT', ['v=DMARC1; p=none', 'v=DMARC1; p=reject']);
    expect(await examine('direct')).toMatchObject([
      { state: 'ok' },
      { part: 'dmarc', state: 'note', text: expect.stringContaining('2 DMARC policies') },
    ]);
  });
});

describe('whether the resolver validates', () => {
  test('it does if it has no answer for wrong signatures', async () => {
    dns.set('ietf.org', 'A', [address]);
    dns.failFor('dnssec-failed.org');
    expect(await examineResolver(resolve)).toMatchObject([{ state: 'ok' }]);
  });

  test('it does not if it has one', async () => {
    dns.set('ietf.org', 'A', [address]);
    dns.set('dnssec-failed.org', 'A', [address]);
    expect(await examineResolver(resolve)).toMatchObject([
      { state: 'note', text: expect.stringContaining('does not validate') },
    ]);
  });

  test('nothing is said of a resolver that has no answers at all', async () => {
    dns.failFor('ietf.org', 'dnssec-failed.org');
    expect(await examineResolver(resolve)).toMatchObject([
      { state: 'note', text: expect.stringContaining('unknown') },
    ]);
  });
});
