import { expect, test } from 'vitest';
import type { DnsResolve } from '../../mail/authenticate/ask-dns.ts';
import { examineDns } from './examine-dns.ts';

type Records = Record<string, unknown[]>;

const resolverOf =
  (records: Records, otherwise = 'ENOTFOUND'): DnsResolve =>
  async (name, type) => {
    const found = records[`${type} ${name}`];
    if (!found) throw Object.assign(new Error(otherwise), { code: otherwise });
    return found as string[];
  };
const smtp = { host: '0.0.0.0', port: 25, hostname: 'mx.acme.com', certFile: null, keyFile: null };
const examine = (records: Records, change: object = {}, otherwise?: string) =>
  examineDns(
    { mailDomain: 'acme.com', smtp, transport: 'sandbox', ...change },
    resolverOf(records, otherwise),
  );
const mx = { 'MX acme.com': [{ exchange: 'mx.acme.com', priority: 10 }], 'A mx.acme.com': ['93.184.215.14'] };

test('a domain that no DNS has is for this machine', async () => {
  for (const mailDomain of ['postrider.test', 'mail.localhost', 'acme.internal'])
    expect(await examine({}, { mailDomain }, 'ETIMEOUT')).toMatchObject([{ state: 'ok' }]);
});

test('mail that cannot arrive is a problem, with the record that is missing', async () => {
  expect(await examine({})).toMatchObject([
    {
      state: 'problem',
      text: 'acme.com has no MX record, so no mail arrives.',
      remedy: 'Publish acme.com. MX 10 mx.acme.com.',
    },
  ]);
  expect(await examine({ 'MX acme.com': mx['MX acme.com'] })).toMatchObject([
    { state: 'problem', text: expect.stringContaining('has no address') },
  ]);
  expect(await examine({}, {}, 'ETIMEOUT')).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('POSTRIDER_DNS') },
  ]);
});

test('mail that arrives here is fine, and elsewhere worth a note', async () => {
  expect(await examine(mx)).toMatchObject([{ state: 'ok' }]);
  const others = await examine(mx, { smtp: { ...smtp, hostname: 'other.acme.com' } });
  expect(others).toMatchObject([{ state: 'note', text: expect.stringContaining('other.acme.com') }]);
});

test('a domain that sends should have SPF and DMARC', async () => {
  const transport = 'smtp';
  expect(await examine(mx, { transport })).toMatchObject([
    { state: 'ok' },
    { state: 'note' },
    { state: 'note' },
  ]);
  const texts = { 'TXT acme.com': [['v=spf1 ', '-all']], 'TXT _dmarc.acme.com': [['v=DMARC1; p=none']] };
  expect(await examine({ ...mx, ...texts }, { transport })).toMatchObject([{ state: 'ok' }]);
});
