import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { type AskZone, openZoneClient } from './ask-zone.ts';

const opened: DnsServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function start(zones?: string[], timeoutMs = 300_000): Promise<{ dns: DnsServer; ask: AskZone }> {
  const dns = await startDnsServer(zones);
  opened.push(dns);
  return { dns, ask: await openZoneClient({ server: dns.address, allowPrivate: false, timeoutMs }) };
}

const values = ({ records }: Awaited<ReturnType<AskZone>>) => records.map(({ value }) => value);

describe('a zone that answers', () => {
  test('returns records with the server that has authority, asked without recursion', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('example.test', 'MX', ['10 MX1.Mail.Test', '20 mx2.mail.test']);
    expect(await ask('Example.TEST.', 'MX')).toEqual({
      kind: 'records',
      records: [
        { type: 'MX', value: 'mx1.mail.test', priority: 10 },
        { type: 'MX', value: 'mx2.mail.test', priority: 20 },
      ],
      server: `ns1.example.test (127.0.0.1:${dns.port})`,
      aliases: [],
      detail: null,
    });
    expect(dns.asked.length).toBeLessThanOrEqual(5);
  });

  test('joins the strings of a TXT record, and keeps several records apart', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('key._domainkey.example.test', 'TXT', [['v=DKIM1; p=', 'A'.repeat(200)]]);
    dns.set('example.test', 'TXT', ['v=spf1 -all', 'v=spf1 ~all', 'x'.repeat(700)]);
    expect(values(await ask('key._domainkey.example.test', 'TXT'))).toEqual([
      `v=DKIM1; p=${'A'.repeat(200)}`,
    ]);
    expect(values(await ask('example.test', 'TXT'))).toEqual(['v=spf1 -all', 'v=spf1 ~all', 'x'.repeat(700)]);
  });

  test('sees a record at once after it is set, changed or removed', async () => {
    const { dns, ask } = await start(['example.test']);
    expect((await ask('_dmarc.example.test', 'TXT')).kind).toBe('none');
    dns.set('_dmarc.example.test', 'TXT', ['v=DMARC1; p=none']);
    expect(values(await ask('_dmarc.example.test', 'TXT'))).toEqual(['v=DMARC1; p=none']);
    dns.set('_dmarc.example.test', 'TXT', ['v=DMARC1; p=reject']);
    expect(values(await ask('_dmarc.example.test', 'TXT'))).toEqual(['v=DMARC1; p=reject']);
    dns.remove('_dmarc.example.test', 'TXT');
    expect((await ask('_dmarc.example.test', 'TXT')).kind).toBe('none');
  });

  test('tells "no such name" and "no such type" as none, with the server', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('www.example.test', 'A', ['192.0.2.1']);
    const none = { kind: 'none', records: [], detail: null };
    const server = `ns1.example.test (127.0.0.1:${dns.port})`;
    expect(await ask('missing.example.test', 'TXT')).toMatchObject({ ...none, server });
    expect(await ask('www.example.test', 'MX')).toMatchObject({ ...none, server });
  });

  test('reads addresses of both families, and a null MX', async () => {
    const { dns, ask } = await start();
    dns.set('a.test', 'A', ['192.0.2.1', '192.0.2.2']);
    dns.set('a.test', 'AAAA', ['2001:db8::1']);
    dns.set('a.test', 'MX', ['0 .']);
    expect(values(await ask('a.test', 'A'))).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(values(await ask('a.test', 'AAAA'))).toEqual(['2001:db8::1']);
    expect((await ask('a.test', 'MX')).records).toEqual([{ type: 'MX', value: '.', priority: 0 }]);
  });

  test('applies a wildcard to names that do not exist, and to no others', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.set('*.example.test', 'MX', ['5 mx.example.test']);
    dns.set('a.b.example.test', 'A', ['192.0.2.1']);
    expect(values(await ask('any.thing.example.test', 'MX'))).toEqual(['mx.example.test']);
    // The name b.example.test exists, as a.b.example.test is below it.
    expect((await ask('b.example.test', 'MX')).kind).toBe('none');
  });

  test('fetches an answer that is too large for UDP by TCP', async () => {
    const { dns, ask } = await start(['example.test']);
    const texts = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(200)}`);
    dns.set('big.example.test', 'TXT', texts);
    expect(values(await ask('big.example.test', 'TXT'))).toEqual(texts);
    expect(dns.asked.slice(-2)).toEqual(['TXT big.example.test udp', 'TXT big.example.test tcp']);
  });
});

describe('a zone that does not answer', () => {
  test('is unanswered within the time limit if everything is silent', async () => {
    const { dns, ask } = await start(['example.test'], 600);
    dns.silence(true);
    const answer = await ask('example.test', 'TXT');
    expect(answer).toMatchObject({ kind: 'unanswered', server: null, records: [] });
    expect(answer.detail).toContain(`The resolver ${dns.address} did not reply.`);
    dns.silence(false);
    const patient = await openZoneClient({ server: dns.address, allowPrivate: false, timeoutMs: 300_000 });
    expect((await patient('example.test', 'TXT')).kind).toBe('none');
  });

  test('is unanswered if its server fails, and says so', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.failFor('broken.example.test');
    expect(await ask('broken.example.test', 'TXT')).toMatchObject({
      kind: 'unanswered',
      detail: `No name server of example.test gave an authoritative answer: ns1.example.test (127.0.0.1:${dns.port}) answered SERVFAIL.`,
    });
  });

  test('has name servers at private addresses only: the resolver is asked, and its "no" does not count', async () => {
    const { dns, ask } = await start(['example.test']);
    dns.addZone('inner.test', ['ns.inner.test']);
    dns.set('ns.inner.test', 'A', ['10.0.0.1', '127.0.0.2']);
    dns.set('inner.test', 'TXT', ['hello']);
    const found = await ask('inner.test', 'TXT');
    expect(found).toMatchObject({ kind: 'records', server: `resolver (${dns.address})` });
    expect(values(found)).toEqual(['hello']);
    expect(found.detail).toContain('10.0.0.1');
    expect(await ask('missing.inner.test', 'TXT')).toMatchObject({ kind: 'unanswered', server: null });
  });

  test('has one server that does not reply: the next one is asked, and the silent one is named', async () => {
    const { dns } = await start(['example.test']);
    dns.set('example.test', 'NS', ['ns0.example.test', 'ns1.example.test']);
    // An address for documentation, where nobody answers.
    dns.set('ns0.example.test', 'A', ['192.0.2.1']);
    dns.set('example.test', 'TXT', ['hello']);
    const ask = await openZoneClient({ server: dns.address, allowPrivate: true, timeoutMs: 2_000 });
    const answer = await ask('example.test', 'TXT');
    expect(answer).toMatchObject({ kind: 'records', server: `ns1.example.test (127.0.0.1:${dns.port})` });
    expect(answer.detail).toContain('ns0.example.test (192.0.2.1)');
  });

  test('is delegated to a server that does not have it (lame delegation)', async () => {
    const { dns, ask } = await start();
    dns.set('lame.test', 'NS', ['ns.lame.test']);
    dns.set('ns.lame.test', 'A', ['127.0.0.1']);
    dns.set('www.lame.test', 'A', ['192.0.2.7']);
    expect(await ask('www.lame.test', 'A')).toMatchObject({
      kind: 'unanswered',
      detail: `No name server of lame.test gave an authoritative answer: ns.lame.test (127.0.0.1:${dns.port}) is not authoritative for lame.test (lame delegation).`,
    });
  });

  test('has name servers without an address', async () => {
    const { dns, ask } = await start();
    dns.addZone('empty.test', ['ns.nowhere.test']);
    const answer = await ask('empty.test', 'TXT');
    expect(answer.kind).toBe('unanswered');
    expect(answer.detail).toContain('ns.nowhere.test has no address');
  });

  test('refuses invalid names without asking', async () => {
    const { dns, ask } = await start();
    const names = [
      '',
      '.',
      'a..b',
      'a b.test',
      `${'x'.repeat(64)}.test`,
      'ü.test',
      `${'a.'.repeat(130)}test`,
      'a\0.test',
    ];
    for (const name of names) expect((await ask(name, 'TXT')).kind).toBe('unanswered');
    expect(dns.asked).toEqual([]);
  });
});
