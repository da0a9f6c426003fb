import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDns } from '../../../dns/ask-resolver.ts';
import type { DnsResolve } from '../../authenticate/ask-dns.ts';
import { createMailDns, findAddresses, type MailDns } from './dns-answers.ts';
import { findExchanges } from './find-route.ts';

let server: DnsServer;
let resolve: DnsResolve;
let dns: MailDns;
let nowMs = 0;

beforeAll(async () => {
  server = await startDnsServer();
  resolve = await openDns(server.address);
});
beforeEach(() => {
  server.clear();
  dns = createMailDns({ resolve, nowMs: () => nowMs, scaleMs: (durationMs) => durationMs });
});
afterAll(() => server.close());

const find = (domain: string, ownName = 'me.test') => findExchanges(dns, domain, ownName);
const findOutcome = async (domain: string) => (await find(domain)) as { outcome: object };

describe('the servers of a domain', () => {
  test('come by preference, each once, and at most twenty of them', async () => {
    server.set('example.test', 'MX', ['20 B.test', '10 a.test', '30 a.test', '30 c.test.']);
    expect(await find('Example.TEST')).toEqual({ hosts: ['a.test', 'b.test', 'c.test'] });
    const many = Array.from({ length: 30 }, (_, index) => `${index} mx${index}.test`);
    server.set('many.test', 'MX', many);
    const found = await find('many.test');
    expect(found).toEqual({ hosts: Array.from({ length: 20 }, (_, index) => `mx${index}.test`) });
  });

  test('of one preference come in any order', async () => {
    server.set('example.test', 'MX', ['5 a.test', '5 b.test', '1 first.test']);
    const orders = new Set<string>();
    for (let tries = 0; tries < 100; tries++) orders.add(JSON.stringify(await find('example.test')));
    expect([...orders].sort()).toEqual([
      '{"hosts":["first.test","a.test","b.test"]}',
      '{"hosts":["first.test","b.test","a.test"]}',
    ]);
  });

  test('of a name with other letters are those of its A-labels', async () => {
    server.set('xn--bcher-kva.test', 'MX', ['10 a.test']);
    expect(await find('bücher.test')).toEqual({ hosts: ['a.test'] });
  });

  test('are the domain itself if it has an address and no MX', async () => {
    server.set('four.test', 'A', ['192.0.2.1']);
    server.set('six.test', 'AAAA', ['2001:db8::1']);
    expect(await find('four.test')).toEqual({ hosts: ['four.test'] });
    expect(await find('six.test')).toEqual({ hosts: ['six.test'] });
  });

  test('are those before this server in its own list', async () => {
    server.set('example.test', 'MX', ['10 a.test', '20 me.test', '20 b.test', '30 c.test']);
    expect(await find('example.test')).toEqual({ hosts: ['a.test'] });
  });
});

describe('a domain without servers', () => {
  const aboutRecipient = { kind: 'rejected', scope: 'recipient' };

  test('says so by a null MX', async () => {
    server.set('example.test', 'MX', ['0 .']);
    expect((await findOutcome('example.test')).outcome).toMatchObject({
      ...aboutRecipient,
      enhanced: '5.1.10',
    });
  });

  test.each(['missing.test', 'text.test', '[192.0.2.1]', '192.0.2.1', '[IPv6:::1]', ''])(
    'is refused for good: %j',
    async (domain) => {
      server.set('text.test', 'TXT', ['no server']);
      expect((await findOutcome(domain)).outcome).toMatchObject({ ...aboutRecipient, enhanced: '5.1.2' });
    },
  );

  test('may have some later, if DNS fails', async () => {
    server.failFor('example.test');
    expect((await findOutcome('example.test')).outcome).toMatchObject({
      kind: 'deferred',
      cause: 'relay',
      detail: 'DNS did not answer for the MX records of example.test (ESERVFAIL).',
    });
  });

  test('would lead back to this server, which is not about the recipient', async () => {
    server.set('example.test', 'MX', ['10 ME.test', '20 other.test']);
    server.set('me.test', 'A', ['192.0.2.1']);
    for (const domain of ['example.test', 'me.test'])
      expect((await findOutcome(domain)).outcome).toMatchObject({
        kind: 'rejected',
        scope: 'message',
        enhanced: '5.4.6',
        detail: expect.stringContaining('loops back to myself'),
      });
  });
});

describe('answers of DNS', () => {
  const questions = () => server.asked.filter((asked) => asked.startsWith('MX example.test')).length;

  test('are kept for a minute, a missing one for half of that, and asked once by many at once', async () => {
    server.set('example.test', 'MX', ['10 a.test']);
    const before = questions();
    await Promise.all(Array.from({ length: 20 }, () => find('example.test')));
    await find('example.test');
    expect(questions() - before).toBe(1);
    nowMs += 59_000;
    await find('example.test');
    expect(questions() - before).toBe(1);
    nowMs += 2_000;
    server.clear();
    expect(await find('example.test')).toMatchObject({ outcome: { enhanced: '5.1.2' } });
    expect(questions() - before).toBe(2);
    nowMs += 31_000;
    server.set('example.test', 'MX', ['10 b.test']);
    expect(await find('example.test')).toEqual({ hosts: ['b.test'] });
  });

  test('that failed are asked again soon', async () => {
    server.failFor('example.test');
    await find('example.test');
    server.clear();
    server.set('example.test', 'MX', ['10 a.test']);
    nowMs += 6_000;
    expect(await find('example.test')).toEqual({ hosts: ['a.test'] });
  });
});

describe('the addresses of a server', () => {
  const usableAddresses = (host: string, mayConnectTo = (_: string) => true) =>
    findAddresses(dns, host, mayConnectTo);

  test('come with both families in turn', async () => {
    server.set('a.test', 'A', ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
    server.set('a.test', 'AAAA', ['2001:db8::1']);
    const { addresses } = await usableAddresses('a.test');
    expect(addresses[0]).toBe('2001:db8::1');
    expect(addresses.toSorted()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1']);
  });

  test('are only those that may be connected to, and it is our choice if none is left', async () => {
    server.set('a.test', 'A', ['10.0.0.1', '192.0.2.1']);
    expect(await usableAddresses('a.test', (address) => !address.startsWith('10.'))).toEqual({
      addresses: ['192.0.2.1'],
      problem: null,
      isOurs: false,
    });
    expect(await usableAddresses('a.test', () => false)).toMatchObject({ addresses: [], isOurs: true });
  });

  test('may be missing, or unknown because DNS fails', async () => {
    expect(await usableAddresses('none.test')).toMatchObject({
      problem: 'none.test has no address',
      isOurs: false,
    });
    server.failFor('bad.test');
    expect(await usableAddresses('bad.test')).toMatchObject({ addresses: [], isOurs: true });
  });
});
