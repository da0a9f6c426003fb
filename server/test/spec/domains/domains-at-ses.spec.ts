import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let dns: DnsServer;
let ses: LocalSes;
let server: TestServer;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  dns = await startDnsServer();
  ses = await startLocalSes();
  server = await startTestServer({
    env: {
      POSTRIDER_DNS: dns.address,
      POSTRIDER_TRANSPORT: 'ses',
      POSTRIDER_SES_REGION: 'eu-west-1',
      POSTRIDER_SES_ENDPOINT: ses.url,
    },
  });
});
afterAll(async () => {
  await server.stop();
  await ses.close();
  await dns.close();
});

function verifyAtSes(hostname: string) {
  const identity = ses.identities.get(hostname);
  if (!identity) throw new Error(`SES does not know ${hostname}.`);
  identity.isVerified = true;
}

const statusOf = async (id: string, purpose: string) => {
  const { records } = await server.client.domains.verify(id);
  const { status, hint } = records.find((record) => record.purpose === purpose)!;
  return { status, hint };
};

test('with Amazon SES a domain has its MAIL FROM there, is registered with its own key, and is verified once SES has verified it', async () => {
  const domain = await server.client.domains.create({ hostname: 'acme.example' });
  const values = Object.fromEntries(domain.records.map(({ purpose, value }) => [purpose, value]));
  expect(values).toMatchObject({
    spf: 'v=spf1 include:amazonses.com -all',
    mail_from: 'feedback-smtp.eu-west-1.amazonses.com',
    dmarc: 'v=DMARC1; p=none',
  });
  await server.client.domains.verify(domain.id);
  expect(ses.identities.has('acme.example')).toBe(false);
  publishRecords(dns, domain);
  const waiting = await server.client.domains.verify(domain.id);
  expect(waiting.status).toBe('verifying');
  expect(await statusOf(domain.id, 'dkim')).toEqual({
    status: 'pending',
    hint: expect.stringMatching(/^right, but SES is not ready: Amazon SES has not verified the DKIM key yet/),
  });
  verifyAtSes('acme.example');
  expect((await server.client.domains.verify(domain.id)).status).toBe('verified');
  const inbox = await server.client.inboxes.create({ local_part: 'agent', domain_id: domain.id });
  await server.client.messages.send({
    inbox_id: inbox.id,
    to: 'ada@remote.example',
    subject: 'Hi',
    text: 'Hi',
  });
  expect(ses.messages.at(-1)).toMatchObject({ to: ['ada@remote.example'], from: inbox.address });
  await server.client.inboxes.delete(inbox.id);
  await server.client.domains.delete(domain.id);
  await eventually('SES to forget it', async () => !ses.identities.has('acme.example'));
});

test('a hostname that another workspace has proven is not registered anew, and stays there when another deletes it', async () => {
  const owned = await server.client.domains.create({ hostname: 'owned.example' });
  const other = await server.workspace();
  const rival = await other.client.domains.create({ hostname: 'owned.example' });
  publishRecords(dns, owned);
  await server.client.domains.verify(owned.id);
  verifyAtSes('owned.example');
  expect((await server.client.domains.verify(owned.id)).status).toBe('verified');
  const before = ses.identities.get('owned.example');
  publishRecords(dns, rival);
  expect((await other.client.domains.verify(rival.id)).status).not.toBe('verified');
  await other.client.domains.delete(rival.id);
  // Its removal comes after the one above.
  const marker = await other.client.domains.create({ hostname: 'marker.example' });
  publishRecords(dns, marker);
  await other.client.domains.verify(marker.id);
  await other.client.domains.delete(marker.id);
  await eventually('the jobs', async () => !ses.identities.has('marker.example'));
  expect(ses.identities.get('owned.example')).toEqual(before);
});

test('a domain that the operator has registered at SES stays there, whoever adds and deletes its name here', async () => {
  const operators = {
    name: 'example.org',
    selector: 'own',
    privateKey: 'x',
    mailFrom: undefined,
    configurationSet: undefined,
  };
  ses.identities.set('example.org', operators);
  const { id } = await server.client.domains.create({ hostname: 'example.org' });
  await server.client.domains.delete(id);
  const marker = await server.client.domains.create({ hostname: 'later.example' });
  publishRecords(dns, marker);
  await server.client.domains.verify(marker.id);
  await server.client.domains.delete(marker.id);
  await eventually('the jobs', async () => !ses.identities.has('later.example'));
  expect(ses.identities.has('example.org')).toBe(true);
});
