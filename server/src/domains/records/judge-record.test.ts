import { describe, expect, test } from 'vitest';
import type { ZoneAnswer, ZoneRecord } from '../../dns/ask-zone.ts';
import type { ExpectedRecord } from './expected-records.ts';
import { judgeRecord } from './judge-record.ts';
import { judgeSpf } from './judge-spf.ts';

const key = 'M'.repeat(392);
const expected = {
  ownership: ['TXT', '_own.acme.example', 'own-verification=abc'],
  dkim: ['TXT', 'pr1._domainkey.acme.example', `v=DKIM1; k=rsa; p=${key}`],
  spf: ['TXT', 'bounce.acme.example', 'v=spf1 a:mx.host.example -all'],
  dmarc: ['TXT', '_dmarc.acme.example', 'v=DMARC1; p=quarantine'],
  mail_from: ['MX', 'bounce.acme.example', 'mx.host.example'],
  inbound: ['MX', 'acme.example', 'mx.host.example'],
} as const;

function wanted(purpose: keyof typeof expected): ExpectedRecord {
  const [type, name, value] = expected[purpose];
  return { purpose, type, name, value, priority: type === 'MX' ? 10 : null };
}

function answer(values: (string | [number, string])[], aliases: string[] = []): ZoneAnswer {
  const records = values.map(
    (value): ZoneRecord =>
      typeof value === 'string'
        ? { type: 'TXT', value, priority: null }
        : { type: 'MX', value: value[1], priority: value[0] },
  );
  const kind = records.length > 0 ? 'records' : 'none';
  return { kind, records, server: 'ns1.acme.example (192.0.2.53)', aliases, detail: null };
}

const judge = (purpose: keyof typeof expected, ...values: (string | [number, string])[]) =>
  judgeRecord(wanted(purpose), answer(values));

describe('a record', () => {
  test('that is as expected is verified, next to others at its name', () => {
    expect(judge('ownership', 'other=1', 'own-verification=abc').status).toBe('verified');
    expect(judge('dkim', `v=DKIM1; k=rsa; p=${key}`).status).toBe('verified');
    expect(judge('dkim', `p=${key.slice(0, 200)} ${key.slice(200)}; v=DKIM1`).status).toBe('verified');
    expect(judge('inbound', [10, 'mx.host.example'], [20, 'backup.example']).status).toBe('verified');
    expect(judge('dmarc', 'v=DMARC1;p=reject; rua=mailto:d@acme.example').status).toBe('verified');
  });

  test('that is missing names the place, and the alias that leads elsewhere', () => {
    expect(judgeRecord(wanted('dkim'), answer([], ['keys.other.example']))).toEqual({
      status: 'pending',
      found: null,
      hint: 'no TXT record at pr1._domainkey.acme.example, which is an alias (CNAME) of keys.other.example',
    });
    expect(judge('ownership', 'other=1')).toMatchObject({
      status: 'pending',
      found: 'other=1',
      hint: 'other TXT records only: other=1',
    });
  });

  test.each([
    ['ownership', ['own-verification=xyz'], /another value/],
    ['dkim', [`v=DKIM1; p=${key.slice(0, 255)}`], /only the first 255 of 392/],
    ['dkim', ['v=DKIM1; p='], /revoked/],
    ['dkim', [`v=DKIM1\\; k=rsa\\; p=${key}`], /because of v=DKIM1\\/],
    ['dkim', [`v=DKIM1; k=ed25519; p=${key}`], /because of k=ed25519/],
    [
      'inbound',
      [
        [10, 'mx.host.example'],
        [10, 'other.example'],
      ] as [number, string][],
      /as well/,
    ],
    ['dkim', ['v=DKIM1; p=OTHER'], /another key/],
    ['dkim', [`v=DKIM1; p=${key}`, 'v=DKIM1; p=OTHER'], /2 DKIM keys/],
    ['dmarc', ['v=DMARC1; p=reject', 'v=DMARC1; p=none'], /2 DMARC policies/],
    ['dmarc', ['v=DMARC1; p=block'], /without a valid p=/],
    ['inbound', [[10, 'mail.other.example'] as [number, string]], /goes elsewhere: MX 10 mail.other.example/],
    [
      'inbound',
      [
        [5, 'first.example'],
        [10, 'mx.host.example'],
      ] as [number, string][],
      /get mail first or as well/,
    ],
  ] as const)('%s with %j fails and says why', (purpose, values, hint) => {
    const judged = judge(purpose, ...(values as (string | [number, string])[]));
    expect(judged).toMatchObject({ status: 'failed', hint: expect.stringMatching(hint) });
  });

  test('shows the value that was found, and of several the nearest', () => {
    expect(judge('ownership', 'a=1', 'own-verification=abd', 'own-verification=xyz').found).toBe(
      'own-verification=abd',
    );
    const other = `v=DKIM1; k=rsa; p=${key.slice(0, 20)}OTHER`;
    expect(judge('dkim', 'v=DKIM1; p=', other).found).toBe(other);
    expect(judge('dmarc', 'v=DMARC1; p=none').found).toBe('v=DMARC1; p=none');
    expect(judge('inbound', [20, 'second.example'], [10, 'first.example']).found).toBe('first.example');
    expect(judge('inbound', [5, 'first.example'], [10, 'mx.host.example']).found).toBe('mx.host.example');
    expect(judge('inbound', [10, 'mx.host.example'])).toEqual({
      status: 'verified',
      found: 'mx.host.example',
      hint: null,
    });
  });

  test('a weaker DMARC policy than the one that was asked for is still to come', () => {
    expect(judge('dmarc', 'v=DMARC1; p=none')).toMatchObject({ status: 'pending', isWeaker: true });
  });
});

describe('an SPF record', () => {
  const zone = new Map<string, string[]>();
  const judgeWith = (...values: string[]) =>
    judgeSpf(wanted('spf'), answer(values), async (name) => answer(zone.get(name) ?? []));

  test('may have other mechanisms besides the expected one', async () => {
    expect(await judgeWith('v=spf1 ip4:192.0.2.1 a:MX.host.example ~all')).toMatchObject({
      status: 'verified',
    });
  });

  test.each([
    [['v=spf1 -all'], 'failed', /without a:mx.host.example/],
    [['v=spf1 a:mx.host.example +all'], 'failed', /lets anybody send/],
    [['v=spf1 a:mx.host.example ipv4:192.0.2.1 -all'], 'failed', /ipv4:192.0.2.1, which is no mechanism/],
    [['v=spf1 a:mx.host.example -all', 'v=spf1 -all'], 'failed', /2 SPF records/],
    [['v=spf10 a:mx.host.example'], 'pending', /no SPF record/],
  ])('%j is %s', async (values, status, hint) => {
    expect(await judgeWith(...values)).toMatchObject({ status, hint: expect.stringMatching(hint) });
  });

  test('with more than ten look-ups, counted through what it includes, fails', async () => {
    zone.set('many.example', [
      `v=spf1 a ${Array.from({ length: 9 }, (_, n) => `a:h${n}.example`).join(' ')} -all`,
    ]);
    zone.set('few.example', ['v=spf1 ip4:192.0.2.0/24 -all']);
    expect(await judgeWith('v=spf1 a:mx.host.example include:few.example -all')).toMatchObject({
      status: 'verified',
    });
    expect(await judgeWith('v=spf1 a:mx.host.example include:many.example -all')).toMatchObject({
      status: 'failed',
      hint: expect.stringMatching(/more than 10 DNS look-ups/),
    });
  });

  test('that includes itself ends', async () => {
    zone.set('loop.example', ['v=spf1 include:loop.example -all']);
    expect(await judgeWith('v=spf1 a:mx.host.example include:loop.example -all')).toMatchObject({
      status: 'verified',
    });
  });
});
