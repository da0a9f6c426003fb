import type { Domain } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords, withdrawRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineDomains } from './examine-domains.ts';

const hour = 3_600_000;
const clock = createMovingClock();
let dns: DnsServer;
let server: TestServer;
beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({ clock, roles: ['api'], env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

const examine = () =>
  examineDomains({ ...server.server.deps, openKeys: async () => server.server.deps.keys });
const add = async (hostname: string, isPublished: boolean): Promise<Domain> => {
  const domain = await server.client.domains.create({ hostname });
  if (!isPublished) return domain;
  publishRecords(dns, domain);
  return server.client.domains.verify(domain.id);
};
const state = (id: string) =>
  server.rows('select checks, status, failing_since from domains where id = $1', [id]);

test('without domains nothing is said', async () => {
  expect(await examine()).toEqual([]);
});

test('a domain is checked now, and the records that it lacks are shown as a zone has them', async () => {
  const domain = await add('one.example', false);
  const before = await state(domain.id);
  publishRecords(dns, domain, ['ownership', 'spf', 'mail_from', 'dmarc', 'inbound']);
  const [finding, total] = await examine();
  expect(finding).toMatchObject({
    part: 'domains',
    state: 'note',
    text: expect.stringMatching(/^one\.example is not verified yet; .*: dkim: no TXT record at /),
  });
  const dkim = domain.records.find(({ purpose }) => purpose === 'dkim')!;
  expect(finding?.remedy).toContain(`\n${dkim.name}. TXT "v=DKIM1; k=rsa; p=`);
  expect(finding?.remedy?.split('\n')).toHaveLength(2);
  expect(total).toMatchObject({ state: 'ok', text: '0 of 1 domains are in order' });
  publishRecords(dns, domain);
  expect(await examine()).toMatchObject([
    { state: 'note', text: expect.stringContaining('are correct') },
    {},
  ]);
  expect(await state(domain.id)).toEqual(before);
});

test('a domain that lost a record is a problem with the time from which its sends are refused', async () => {
  const domain = await add('two.example', true);
  withdrawRecords(dns, domain, ['dkim']);
  await server.client.domains.verify(domain.id);
  const [lost] = (await state(domain.id)) as { failing_since: Date }[];
  const from = new Date((lost?.failing_since.getTime() ?? 0) + 24 * hour).toISOString().slice(0, 13);
  expect((await examine()).find(({ text }) => text.startsWith('two'))).toMatchObject({
    state: 'problem',
    text: expect.stringContaining(`its sends are refused from ${from}`),
  });
  clock.advance(25 * hour);
  expect((await examine()).find(({ text }) => text.startsWith('two'))).toMatchObject({
    state: 'problem',
    text: expect.stringContaining('failed, and its sends are refused: dkim: no TXT record'),
  });
  publishRecords(dns, domain);
  await server.client.domains.verify(domain.id);
  expect((await examine()).filter(({ text }) => text.startsWith('two'))).toEqual([]);
});

test('a resolver that does not answer changes nothing of a verified domain', async () => {
  dns.silence(true);
  const found = await examine();
  dns.silence(false);
  expect(found.map(({ text }) => text)).toEqual([
    expect.stringContaining('one.example is not'),
    '1 of 2 domains are in order',
  ]);
});

test('many domains are judged by the last checks, worst first, and summarised', async () => {
  await server.rows(
    `insert into domains select (jsonb_populate_record(d, jsonb_build_object('id', 'dom_' || n, 'hostname', 'm' || n || '.example',
       'status', case when n <= 1010 then 'failed' else 'verified' end))).*
     from domains d, generate_series(1001, 1090) n where d.hostname = 'two.example'`,
  );
  dns.asked.length = 0;
  const found = await examine();
  expect(dns.asked).toEqual([]);
  const problems = found.filter(({ state }) => state === 'problem');
  expect(problems.map(({ text }) => text.split(' ')[0])).toContain('m1010.example');
  expect(problems).toHaveLength(10);
  expect(found.at(-1)?.text).toMatch(/ of 92 domains are in order, by the last checks$/);
  await server.rows(`update domains set status = 'failed' where hostname like 'm10%'`);
  const [first, ...rest] = (await examine()).filter(({ state }) => state === 'problem').reverse();
  expect(rest).toHaveLength(20);
  expect(first?.text).toMatch(/^70 more domains have problems: m1021\.example, .*, and 20 others\.$/);
});
