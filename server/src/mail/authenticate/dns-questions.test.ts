import { keyRecord, mailFrom, makeDns, sealMail, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser } from '../parse/parse-pool.ts';
import type { DnsResolve } from './ask-dns.ts';
import { createMailAuthenticator } from './authenticate-mail.ts';

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

const questionsMax = 60;

/** Receives a mail of hostile.example, and returns the results with the questions that were asked for them. */
async function receive(raw: string, resolve: DnsResolve, envelopeFrom = 'a@hostile.example') {
  const asked: string[] = [];
  const counting: DnsResolve = (name, type) => {
    asked.push(`${type} ${name}`);
    return resolve(name, type);
  };
  const trustedForwarders = ['forward.example'];
  const options = {
    resolve: counting,
    parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
    trustedForwarders,
  };
  const input = {
    remoteAddress: '198.51.100.9',
    helo: 'mx.hostile.example',
    envelopeFrom,
    from: 'a@example.com',
  };
  const checked = await createMailAuthenticator(options).authenticate({ raw: Buffer.from(raw), ...input });
  return { asked, ...checked?.authentication };
}

const policy = { 'TXT _dmarc.example.com': ['v=DMARC1; p=reject'] };
const forged = mailFrom('a@example.com');
/** A DNS that has some records, and says that every other name has this SPF record. */
const everywhere = (
  record: (name: string) => string,
  records: Record<string, string[]> = policy,
): DnsResolve => {
  const known = makeDns(records);
  return (name, type) =>
    known(name, type).catch((error: unknown) => {
      if (type === 'TXT' && !name.startsWith('_')) return [[record(name)]];
      throw error;
    });
};

describe('a hostile SPF record', () => {
  test('that includes a tree of others is a permerror after ten look-ups', async () => {
    const tree = (name: string) => `v=spf1 ${[1, 2, 3].map((n) => `include:${n}.${name}`).join(' ')} -all`;
    const found = await receive(forged, everywhere(tree));
    expect(found).toMatchObject({ spf: 'permerror', dmarc: 'fail', verified_domain: null });
    expect(found.asked.filter((question) => !question.includes('_dmarc'))).toHaveLength(11);
  });

  test('that includes itself is a permerror', async () => {
    const found = await receive(
      forged,
      everywhere((name) => `v=spf1 include:${name} -all`),
    );
    expect(found).toMatchObject({ spf: 'permerror', dmarc: 'fail' });
    expect(found.asked.length).toBeLessThan(questionsMax);
  });

  test('that names hosts which do not exist is a permerror after the third', async () => {
    const names = Array.from({ length: 9 }, (_, n) => `a:void${n}.hostile.example`).join(' ');
    const found = await receive(
      forged,
      makeDns({ ...policy, 'TXT hostile.example': [`v=spf1 ${names} -all`] }),
    );
    expect(found).toMatchObject({ spf: 'permerror', dmarc: 'fail' });
    expect(found.asked.filter((question) => question.includes('void')).length).toBeLessThanOrEqual(6);
  });

  test('that names a hundred mail servers is a permerror, and leaves questions for the policy of the author', async () => {
    const mx = Array.from({ length: 9 }, (_, n) => `mx:m${n}.hostile.example`).join(' ');
    const spf = makeDns({ ...policy, 'TXT hostile.example': [`v=spf1 ${mx} -all`] });
    const resolve: DnsResolve = async (name, type) => {
      if (type === 'MX') {
        const hosts = Array.from({ length: 10 }, (_, n) => ({ exchange: `h${n}.${name}`, priority: 1 }));
        return hosts as unknown as string[];
      }
      return type === 'A' || type === 'AAAA' ? [type === 'A' ? '192.0.2.1' : '2001:db8::1'] : spf(name, type);
    };
    const found = await receive(forged, resolve);
    expect(found).toMatchObject({ spf: 'permerror', dmarc: 'fail', verified_domain: null });
    expect(found.asked.length).toBeLessThanOrEqual(questionsMax);
  });
});

describe('a mail with signatures of many domains', () => {
  const signedBy = async (count: number) => {
    let raw = forged;
    for (let n = 0; n < count; n++) raw = await signMail(raw, `d${n}.hostile.example`);
    return raw;
  };
  const keyed: DnsResolve = (name, type) =>
    name.includes('_domainkey') ? Promise.resolve([[keyRecord]]) : makeDns(policy)(name, type);

  test('asks for ten keys at most, and for none if there are more signatures', async () => {
    const ten = await receive(await signedBy(10), keyed);
    expect(ten).toMatchObject({ dkim: 'pass', dmarc: 'fail', verified_domain: null });
    expect(ten.asked.filter((question) => question.includes('_domainkey'))).toHaveLength(10);
    const hundred = await receive(await signedBy(100), keyed);
    expect(hundred).toMatchObject({ dkim: 'permerror', dmarc: 'fail', verified_domain: null });
    expect(hundred.asked.filter((question) => question.includes('_domainkey'))).toEqual([]);
  });

  test('with a hostile SPF record and a chain of ten domains stays below the limit for one mail', async () => {
    let raw = await signedBy(10);
    for (let n = 0; n < 9; n++)
      raw = await sealMail(raw, `s${n}.hostile.example`, 'x; dmarc=pass header.from=example.com');
    raw = await sealMail(raw, 'forward.example', 'x; dmarc=fail header.from=example.com');
    const tree = everywhere((name) => `v=spf1 include:1.${name} include:2.${name} -all`);
    const found = await receive(raw, (name, type) =>
      (name.includes('_domainkey') ? keyed : tree)(name, type),
    );
    expect(found).toMatchObject({ spf: 'permerror', dkim: 'pass', dmarc: 'fail', verified_domain: null });
    expect(found.asked.length).toBeLessThanOrEqual(questionsMax);
    expect(found.asked.filter((question) => question.includes('_domainkey'))).toHaveLength(20);
  });
});

test('an author with a hundred labels costs a walk of eight names, and the policy of its organisation applies', async () => {
  const deep = `${Array.from({ length: 60 }, (_, n) => `l${n % 10}`).join('.')}.example.com`;
  const found = await receive(mailFrom(`a@${deep}`), makeDns(policy));
  expect(found).toMatchObject({ dmarc: 'fail', verified_domain: null });
  expect(found.asked.filter((question) => question.includes('_dmarc'))).toHaveLength(8);
});

test('a tree of policies, one at each name and each with a signature below it, stays below the limit', async () => {
  const author = 'a.b.c.d.e.f.hostile.example';
  let raw = mailFrom(`x@${author}`);
  for (let n = 0; n < 10; n++) raw = await signMail(raw, `${n}.u${n}.v${n}.w${n}.x${n}.hostile.example`);
  const resolve: DnsResolve = async (name) => {
    if (name.includes('_domainkey')) return [[keyRecord]];
    return [[name.startsWith('_dmarc') ? 'v=DMARC1; p=reject; np=none' : 'v=spf1 -all']];
  };
  const found = await receive(raw, resolve);
  expect(found.asked.length).toBeLessThanOrEqual(questionsMax);
  expect(found.verified_domain).toBeNull();
});
