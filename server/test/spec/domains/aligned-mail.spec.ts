import type { Domain } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDns } from '../../../src/dns/ask-resolver.ts';

let dns: DnsServer;
let running: ServerWithSink;
let server: TestServer;
let domain: Domain;
let names = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  running = await startServerWithSink({ env: { POSTRIDER_DNS: dns.address } });
  ({ server } = running);
  domain = await verified();
});
afterAll(async () => {
  await running.stop();
  await dns.close();
});

async function verified(): Promise<Domain> {
  const added = await server.client.domains.create({ hostname: `d${++names}.example` });
  publishRecords(dns, added);
  return server.client.domains.verify(added.id);
}

async function sendTo(to: string, from = domain) {
  const local_part = server.freshName();
  const inbox = await server.client.inboxes.create({ local_part, domain_id: from.id });
  const sent = await server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hi', text: 'Hi' });
  const copy = await eventually('the mail', async () => running.sink.copiesFor(to)[0]);
  return { inbox, sent, copy };
}

test('mail of an own domain is signed by it, and its Message-ID and return path are there', async () => {
  const { copy, sent } = await sendTo('ada@remote.example');
  const resolve = await openDns(dns.address);
  const { results } = await dkimVerify(copy.raw, { resolver: (name, type) => resolve(name, type) as never });
  expect(results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
    [domain.hostname, 'pass'],
  ]);
  expect(copy.from).toMatch(new RegExp(`^bounces\\+\\w{56}@${domain.mail_from_domain}$`));
  expect(sent.message_id.endsWith(`@${domain.hostname}>`)).toBe(true);
});

test('each domain signs with a key of its own', async () => {
  const other = await verified();
  const { copy } = await sendTo('eve@remote.example', other);
  expect(copy.raw.toString('latin1')).toContain(`d=${other.hostname};`);
  const keys = [domain, other].map(({ records }) => records.find(({ purpose }) => purpose === 'dkim')?.value);
  expect(new Set(keys).size).toBe(2);
});

test('keys at rest are encrypted, and bound to their domain', async () => {
  const rows = await server.rows<{ dkim_private_key: string }>('select dkim_private_key from domains');
  for (const { dkim_private_key } of rows) expect(dkim_private_key).not.toMatch(/PRIVATE|MII/);
});

test('a key that another root secret has encrypted is replaced, and its record is to be published again', async () => {
  const moved = await verified();
  await server.rows(
    `update domains set dkim_private_key = 'formerid' || substr(dkim_private_key, 9) where id = $1`,
    [moved.id],
  );
  const after = await server.client.domains.verify(moved.id);
  const dkim = after.records.find(({ purpose }) => purpose === 'dkim');
  expect([after.status, dkim?.status]).toEqual(['verifying', 'failed']);
  expect(dkim?.name).not.toBe(moved.records.find(({ purpose }) => purpose === 'dkim')?.name);
  publishRecords(dns, after);
  expect((await server.client.domains.verify(moved.id)).status).toBe('verified');
  const { copy } = await sendTo('bob@remote.example', after);
  expect(copy.raw.toString('latin1')).toContain(`s=${dkim?.name.split('.')[0]};`);
});
