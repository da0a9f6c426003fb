import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { type AskZone, openZoneClient } from './ask-zone.ts';

const opened: DnsServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function start(zones: string[]): Promise<{ dns: DnsServer; ask: AskZone }> {
  const dns = await startDnsServer(zones);
  opened.push(dns);
  return { dns, ask: await openZoneClient({ server: dns.address, allowPrivate: false }) };
}

const values = ({ records }: Awaited<ReturnType<AskZone>>) => records.map(({ value }) => value);

describe('aliases', () => {
  test('are followed in a zone and across zones, and reported in order', async () => {
    const { dns, ask } = await start(['example.test', 'provider.test']);
    dns.set('key.example.test', 'CNAME', ['hop.example.test']);
    dns.set('hop.example.test', 'CNAME', ['Key.Provider.test']);
    dns.set('key.provider.test', 'TXT', ['p=abc']);
    expect(await ask('key.example.test', 'TXT')).toEqual({
      kind: 'records',
      records: [{ type: 'TXT', value: 'p=abc', priority: null }],
      server: `ns1.provider.test (127.0.0.1:${dns.port})`,
      aliases: ['hop.example.test', 'key.provider.test'],
      detail: null,
    });
  });

  test('are not followed if the alias itself is asked for', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('a.example.test', 'CNAME', ['b.example.test']);
    expect(await ask('a.example.test', 'CNAME')).toMatchObject({
      kind: 'records',
      records: [{ type: 'CNAME', value: 'b.example.test' }],
      aliases: [],
    });
  });

  test('that lead nowhere have no records, and the alias is named', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('a.example.test', 'CNAME', ['gone.example.test']);
    expect(await ask('a.example.test', 'TXT')).toMatchObject({
      kind: 'none',
      aliases: ['gone.example.test'],
    });
  });

  test('that lead in a circle are noticed, within a zone and across two', async () => {
    const { dns, ask } = await start(['example.test', 'other.test']);
    dns.set('a.example.test', 'CNAME', ['b.example.test']);
    dns.set('b.example.test', 'CNAME', ['a.example.test']);
    dns.set('c.example.test', 'CNAME', ['c.other.test']);
    dns.set('c.other.test', 'CNAME', ['c.example.test']);
    dns.set('self.example.test', 'CNAME', ['self.example.test']);
    for (const name of ['a', 'c', 'self'].map((label) => `${label}.example.test`)) {
      const answer = await ask(name, 'TXT');
      expect(answer).toMatchObject({ kind: 'none', records: [] });
      expect(answer.detail).toBe(`The aliases of ${name} lead in a circle, back to ${name}.`);
    }
  });

  test('are followed eight times and no further', async () => {
    const { dns, ask } = await start(['example.test']);
    for (let at = 0; at < 9; at += 1) dns.set(`n${at}.example.test`, 'CNAME', [`n${at + 1}.example.test`]);
    dns.set('n9.example.test', 'A', ['192.0.2.9']);
    expect(values(await ask('n1.example.test', 'A'))).toEqual(['192.0.2.9']);
    expect(await ask('n0.example.test', 'A')).toMatchObject({
      kind: 'unanswered',
      detail: 'n0.example.test has more than 8 aliases in a row.',
    });
  });
});

describe('aliases through many zones', () => {
  async function startChain(length: number) {
    const zones = Array.from({ length }, (_, at) => `z${at}.test`);
    const { dns, ask } = await start(zones);
    for (let at = 1; at < length; at += 1) dns.set(`a.z${at - 1}.test`, 'CNAME', [`a.z${at}.test`]);
    dns.set(`a.z${length - 1}.test`, 'TXT', ['end']);
    return { dns, ask };
  }

  test('take at most 20 packets: the rest of the way is left to the resolver, and that is told', async () => {
    const { dns, ask } = await startChain(7);
    const answer = await ask('a.z0.test', 'TXT');
    expect(answer).toMatchObject({ kind: 'records', server: `resolver (${dns.address})` });
    expect(answer.aliases).toEqual([1, 2, 3, 4, 5, 6].map((at) => `a.z${at}.test`));
    expect(answer.detail).toContain('may be out of date');
    expect(dns.asked.length).toBeLessThanOrEqual(20);
  });

  test('are not followed more than eight times by the resolver either', async () => {
    const { dns, ask } = await startChain(10);
    expect(await ask('a.z0.test', 'TXT')).toMatchObject({ kind: 'unanswered', records: [] });
    expect(dns.asked.length).toBeLessThanOrEqual(20);
  });
});
