import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dns: DnsServer;
let server: TestServer;

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({ env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

test('Domains POST /domains/subdomain, Interface 3 Domain: is a name below the shared domain without a record of ownership, on plans that have it', async () => {
  const pro = await server.workspace({ plan: 'pro' });
  await catchApiError(pro.client.domains.subdomain({ label: 'acme' }), 'dedicated_subdomain_requires_scale', {
    upgrade: true,
  });
  const { data, response } = await server.client.domains.subdomain({ label: 'Acme' }).withResponse();
  expect(response.status).toBe(201);
  expect(data).toMatchObject({ hostname: 'acme.postrider.test', kind: 'subdomain', status: 'pending' });
  expect(data.records.map(({ purpose }) => purpose)).toEqual([
    'dkim',
    'spf',
    'mail_from',
    'dmarc',
    'inbound',
  ]);
  publishRecords(dns, data);
  expect((await server.client.domains.verify(data.id)).status).toBe('verified');
  const inbox = await server.client.inboxes.create({ local_part: 'agent', domain_id: data.id });
  const mail = { from: 'ada@example.com', to: inbox.address, subject: 'Hi', text: 'Hi' };
  expect((await sendMail(server.smtpPort, mail)).accepted).toEqual(['agent@acme.postrider.test']);
});

test('gaps: its records are published by RFC 2136 and verified, changed with the DMARC policy, and removed with it', async () => {
  const tsig = { name: 'mail.key', secret: Buffer.alloc(32, 7).toString('base64') };
  const zone = await startDnsServer(['postrider.test'], { tsig });
  const publishing = await startTestServer({
    env: {
      POSTRIDER_DNS: zone.address,
      POSTRIDER_DNS_UPDATE: `rfc2136://${tsig.name}:${encodeURIComponent(tsig.secret)}@${zone.address}`,
    },
  });
  const { client } = publishing;
  const { id } = await client.domains.subdomain({ label: 'acme' });
  const untilVerified = () =>
    eventually('the subdomain', async () => {
      const domain = await client.domains.get(id);
      const isDone = domain.records.every(({ status }) => status === 'verified');
      return isDone && domain.status === 'verified' && domain;
    });
  await untilVerified();
  await client.domains.dmarc(id);
  const ramped = await untilVerified();
  expect(ramped.records.find(({ purpose }) => purpose === 'dmarc')?.found).toMatch(
    /^v=DMARC1; p=quarantine; rua=mailto:dmarc\+\w{54}@bounce\.acme\.postrider\.test$/,
  );
  await client.domains.delete(id);
  await eventually('the removal', async () => zone.get('_dmarc.acme.postrider.test', 'TXT').length === 0);
  const again = await client.domains.subdomain({ label: 'acme' });
  await client.domains.delete(again.id);
  const last = await client.domains.subdomain({ label: 'acme' });
  await eventually(
    'the one that was created last',
    async () => (await client.domains.get(last.id)).status === 'verified',
  );
  zone.set('lists.postrider.test', 'MX', ['10 elsewhere.example']);
  await catchApiError(client.domains.subdomain({ label: 'lists' }), 'domain_taken');
  // As it is between the end of a subdomain and the removal of its records.
  zone.set('left.postrider.test', 'MX', ['10 mx.postrider.test']);
  expect(await client.domains.subdomain({ label: 'left' })).toMatchObject({ status: 'pending' });
  await publishing.stop();
  await zone.close();
});

test('gaps: a label that is reserved, in use or no label is refused', async () => {
  const other = await server.workspace();
  await server.client.domains.subdomain({ label: 'taken' });
  for (const label of ['www', 'bounces', 'taken'])
    await catchApiError(other.client.domains.subdomain({ label }), 'domain_taken');
  for (const label of ['a.b', 'xn--a', 'XN--80ak6aa92e', 'ab--c', '-a'])
    expect([label, await invalidFields(other.client.domains.subdomain({ label }))]).toEqual([
      label,
      ['label'],
    ]);
  await catchApiError(server.client.domains.create({ hostname: 'taken.postrider.test' }), 'domain_taken');
});

test('gaps: of several that ask for a label at once, one gets it', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => server.workspace()));
  const asked = await Promise.allSettled(
    others.map(({ client }) => client.domains.subdomain({ label: 'race' })),
  );
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
