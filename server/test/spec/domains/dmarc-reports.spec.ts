import type { Domain } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { type MadeRecord, reportMail } from '@postrider/testkit/mail/made-dmarc-reports.ts';
import { keyRecord, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { catchRefusal, sendBytes } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let dns: DnsServer;
let server: TestServer;
let names = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({ env: { POSTRIDER_DNS: dns.address } });
  for (const receiver of ['google.com', 'dmarc.yahoo.com', 'microsoft.com']) {
    dns.set(`s1._domainkey.${receiver}`, 'TXT', [keyRecord.match(/.{1,250}/g) ?? []]);
    dns.set(`_dmarc.${receiver}`, 'TXT', [['v=DMARC1; p=reject']]);
  }
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

async function verified(owner: Pick<TestServer, 'client'> = server): Promise<Domain> {
  const domain = await owner.client.domains.create({ hostname: `d${++names}.example` });
  publishRecords(dns, domain);
  return owner.client.domains.verify(domain.id);
}

const dmarcOf = ({ records }: Domain) => records.find(({ purpose }) => purpose === 'dmarc')!;
const addressOf = (domain: Domain) => /rua=mailto:(.*)$/.exec(dmarcOf(domain).value)?.[1] ?? '';
const hintFor = async (domain: Domain) => dmarcOf(await server.client.domains.get(domain.id)).hint;
const deliver = (to: string | string[], raw: string, from = 'noreply-dmarc-support@google.com') =>
  sendBytes(server.smtpPort, { from, to }, Buffer.from(raw));

const signers = { google: 'google.com', yahoo: 'dmarc.yahoo.com', microsoft: 'microsoft.com' };
const report = async (
  domain: Domain,
  records: MadeRecord[],
  receiver: keyof typeof signers = 'google',
  reportId = `${++names}`,
) => signMail(reportMail(receiver, { domain: domain.hostname, records, reportId }), signers[receiver]);
const failing = { source: '203.0.113.9', count: 120 };
const passing = { source: '192.0.2.1', count: 3_280, dkim: 'pass', spf: 'pass' } as const;

describe('DMARC reports', () => {
  test('Domains POST /domains/{id}/dmarc: reports on failing mail become a warning before the next step', async () => {
    const domain = await verified();
    expect(addressOf(domain)).toMatch(
      new RegExp(`^dmarc\\+\\w{54}@bounce\\.${domain.hostname.replace('.', '\\.')}$`),
    );
    expect(dmarcOf(domain)).toMatchObject({
      found: `v=DMARC1; p=none; rua=mailto:${addressOf(domain)}`,
      hint: null,
    });
    const answer = await deliver(addressOf(domain), await report(domain, [passing, failing]));
    expect(answer.response).toBe('250 2.0.0 Ok: report accepted');
    const warning = `warning: receivers reported 120 of 3,400 emails as failing DMARC in the last 14 days, 120 of them from 203.0.113.9, so p=quarantine may hit your own mail`;
    expect(await hintFor(domain)).toBe(warning);
    const listed = (await server.client.domains.list()).domains.find(({ id }) => id === domain.id);
    expect(listed && dmarcOf(listed).hint).toBe(warning);
    const stricter = await server.client.domains.dmarc(domain.id);
    expect(dmarcOf(stricter).hint).toMatch(
      /; warning: receivers reported 120 .* so p=reject may hit your own mail; asked /,
    );
  });

  test.each(['google', 'yahoo', 'microsoft'] as const)(
    'gaps: those of %s are read, and say how much passes',
    async (receiver) => {
      const domain = await verified();
      await deliver(addressOf(domain).toUpperCase(), await report(domain, [passing, { count: 4 }], receiver));
      expect(await hintFor(domain)).toMatch(/^reports of 14 days: 3,284 emails, 99\.8 % pass$/);
    },
  );

  test('gaps: a report that comes again is counted once, and another domain is untouched', async () => {
    const [domain, other] = [await verified(), await verified()];
    const stranger = await server.workspace();
    const theirs = await verified(stranger);
    const raw = await report(domain, [failing]);
    await deliver(addressOf(domain), raw);
    await deliver([addressOf(domain), addressOf(other), addressOf(theirs)], raw);
    await deliver(addressOf(theirs), await report(domain, [failing]));
    expect(await hintFor(domain)).toContain('120 of 120 emails');
    expect(await hintFor(other)).toBeNull();
    expect(dmarcOf(await stranger.client.domains.get(theirs.id)).hint).toBeNull();
  });

  test('gaps: only a report whose sender is verified counts', async () => {
    const domain = await verified();
    const forged = reportMail('google', { domain: domain.hostname, records: [failing] });
    expect((await deliver(addressOf(domain), forged)).response).toMatch(/^250 /);
    expect((await deliver(addressOf(domain), await signMail(forged, 'microsoft.com'))).response).toMatch(
      /^250 /,
    );
    expect(await hintFor(domain)).toBeNull();
    dns.failFor('s1._domainkey.slow.example', '_dmarc.slow.example');
    const waiting = forged.replace('@google.com', '@slow.example');
    const refused = await catchRefusal(deliver(addressOf(domain), await signMail(waiting, 'slow.example')));
    dns.failFor();
    expect(refused.response).toMatch(/^451 4\.7\.5 /);
  });

  test('gaps: what is no report gets 250 and is stored nowhere, and a forged address gets 550', async () => {
    const domain = await verified();
    const address = addressOf(domain);
    const text = 'From: a@google.com\r\nSubject: Hello\r\n\r\nNo report.\r\n';
    for (const from of ['a@google.com', ''])
      expect((await deliver(address, text, from)).response).toMatch(/^250 /);
    for (const forged of [
      address.replace(/.@/, (end) => (end === '0@' ? '1@' : '0@')),
      address.replace('@bounce.', '@'),
      address.replace(domain.hostname, (await verified()).hostname),
      `dmarc@bounce.${domain.hostname}`,
    ])
      expect((await catchRefusal(deliver(forged, text))).response).toMatch(/^550 5\.1\.1/);
    expect((await server.client.messages.list()).messages).toEqual([]);
    await server.client.domains.delete(domain.id);
    expect((await catchRefusal(deliver(address, text))).response).toMatch(/^550 5\.1\.1/);
  });

  test('gaps: a mail to an inbox and to an address for reports is both', async () => {
    const domain = await verified();
    const inbox = await server.inbox();
    await deliver([addressOf(domain), inbox.address], await report(domain, [failing]));
    expect(await hintFor(domain)).toContain('120 of 120 emails');
    const { messages } = await server.client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 });
    expect(messages.map(({ subject }) => subject)).toEqual([expect.stringContaining('Report domain')]);
  });

  test('gaps: a record of the owner with other reports or none is verified, and asks for them elsewhere', async () => {
    const domain = await verified();
    for (const value of ['v=DMARC1; p=none', 'v=DMARC1; p=reject; rua=mailto:d@reports.example']) {
      dns.set(dmarcOf(domain).name, 'TXT', [[value]]);
      const checked = dmarcOf(await server.client.domains.verify(domain.id));
      expect([checked.status, checked.found]).toEqual(['verified', value]);
    }
  });
});
