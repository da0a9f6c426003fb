import { limits } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { deadAddress, type SinkRow, startSinkRow } from '@postrider/testkit/smtp/sink-row.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const timeScale = 10;
const clock = createMovingClock();
const pass = (durationMs: number) => clock.advance(durationMs / timeScale);
let dns: DnsServer;
let row: SinkRow;
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  dns = await startDnsServer();
  row = await startSinkRow([{}, {}]);
  server = await startTestServer({
    clock,
    env: {
      POSTRIDER_TRANSPORT: 'direct',
      POSTRIDER_DIRECT_PORT: String(row.port),
      POSTRIDER_DIRECT_ALLOW_PRIVATE: 'true',
      POSTRIDER_DNS: dns.address,
      POSTRIDER_TIME_SCALE: String(timeScale),
    },
  });
  inbox = await server.inbox();
  for (const [index, address] of row.addresses.entries()) dns.set(`mx${index}.example`, 'A', [address]);
  dns.set('two.example', 'MX', ['10 mx0.example', '20 mx1.example']);
  dns.set('dead.example', 'A', [deadAddress]);
  dns.set('null.example', 'MX', ['0 .']);
  dns.set('loop.example', 'MX', ['10 mx.postrider.test']);
});
afterEach(() => {
  for (const sink of row.sinks) sink.clearScript();
});
afterAll(async () => {
  await server.stop();
  await row.close();
  await dns.close();
});

const send = (to: string) =>
  server.client.messages.send({ inbox_id: inbox.id, to: [to], subject: 's', text: 't' });
const stateOf = async (id: string) => {
  const [recipient] = (await server.client.messages.get(id)).recipients;
  return [recipient?.status, recipient?.detail];
};
const eventsOf = (id: string) =>
  server.rows('select event, extra from events where message_id = $1 order by insertion', [id]);
const suppressionOf = (address: string) =>
  server.rows('select reason from suppressions where address = $1', [address]);
const becomes = (id: string, status: string) =>
  eventually(`${id} to be ${status}`, async () => (await stateOf(id))[0] === status || null);

test('direct: mail goes to the first MX of its recipient, or to the next if that one is away', async () => {
  row.sinks[0]?.script({ at: 'greeting', reply: '554 5.3.2 Closed', times: 1 });
  for (const to of ['ada@two.example', 'bob@two.example']) await becomes((await send(to)).id, 'sent');
  expect(row.sinks.flatMap((sink) => sink.messages.map(({ recipients }) => recipients)).sort()).toEqual([
    ['ada@two.example'],
    ['bob@two.example'],
  ]);
  expect(row.sinks.map(({ messages }) => messages.length)[1]).toBeGreaterThan(0);
});

test('direct: a greylisted recipient is deferred, tried again, and gets the mail once', async () => {
  row.sinks[0]?.script({ at: 'rcpt', reply: '451 4.7.1 Greylisted', times: 1 });
  row.sinks[1]?.script({ at: 'rcpt', reply: '451 4.7.1 Greylisted', times: 1 });
  const { id } = await send('grey@two.example');
  await becomes(id, 'deferred');
  // The connection may be one to either server, so there may be a second deferral. Time passes once for each, because an attempt would lose
  // its lease.
  const deferrals = new Set<string>();
  await eventually('the recipient to be tried again', async () => {
    const [row] = await server.rows<{ status: string; at: string }>(
      'select status, updated_at::text as at from message_recipients where message_id = $1',
      [id],
    );
    if (row?.status === 'deferred' && !deferrals.has(row.at)) pass(3_600_000);
    deferrals.add(row?.at ?? '');
    return row?.status === 'sent' || null;
  });
  expect(row.sinks.flatMap((sink) => sink.copiesFor('grey@two.example'))).toHaveLength(1);
});

test('direct: a domain that accepts no mail, or does not exist, is a hard bounce', async () => {
  for (const [to, code] of [
    ['bob@null.example', '5.1.10'],
    ['bob@missing.example', '5.1.2'],
  ] as const) {
    const { id } = await send(to);
    await becomes(id, 'bounced');
    expect(await eventsOf(id)).toMatchObject([
      { event: 'message.bounced', extra: { recipient: to, bounce: { type: 'hard', code } } },
    ]);
    expect(await suppressionOf(to)).toEqual([{ reason: 'hard_bounce' }]);
  }
});

test('direct: a domain whose MX is this server is rejected, and nobody is suppressed', async () => {
  await expect(send('bob@loop.example')).rejects.toMatchObject({ status: 422 });
  expect(await suppressionOf('bob@loop.example')).toEqual([]);
});

test('direct: mail to an inbox of this server stays here, and an unknown one bounces', async () => {
  const other = await server.inbox();
  await becomes((await send(other.address)).id, 'delivered');
  const { messages } = await server.client.messages.list({ inbox_id: other.id });
  expect(messages).toHaveLength(1);
  const { id } = await send('nobody@postrider.test');
  await becomes(id, 'bounced');
  expect(await stateOf(id)).toEqual(['bounced', '550 5.1.1 No such user here']);
});

test('direct: mail to an own domain stays here, unless its owner has it go elsewhere', async () => {
  const domain = await server.client.domains.create({ hostname: 'moving.example' });
  publishRecords(dns, domain);
  await server.client.domains.verify(domain.id);
  const box = await server.client.inboxes.create({ local_part: 'bob', domain_id: domain.id });
  await becomes((await send(box.address)).id, 'delivered');
  dns.set('moving.example', 'MX', ['10 mx0.example']);
  await server.client.domains.verify(domain.id);
  await becomes((await send(box.address)).id, 'sent');
  expect(row.sinks[0]?.copiesFor(box.address)).toHaveLength(1);
});

test('direct: an unreachable recipient is tried for 5 days, and is then a soft bounce', async () => {
  await becomes((await send('first@two.example')).id, 'sent');
  const { id } = await send('bob@dead.example');
  await becomes(id, 'deferred');
  expect((await stateOf(id))[1]).toContain('ECONNREFUSED');
  const [recipient] = await server.rows<{ expires_at: Date }>(
    'select expires_at from message_recipients where message_id = $1',
    [id],
  );
  const lifeMs =
    recipient!.expires_at.getTime() - Date.parse((await server.client.messages.get(id)).created_at);
  expect(lifeMs).toBe(limits.directDeliveryExpiryMs / timeScale);
  pass(limits.directDeliveryExpiryMs);
  await becomes(id, 'bounced');
  expect(await eventsOf(id)).toMatchObject([
    { event: 'message.deferred' },
    { event: 'message.bounced', extra: { bounce: { type: 'soft' } } },
  ]);
  expect(await suppressionOf('bob@dead.example')).toEqual([{ reason: 'soft_bounce' }]);
});

test('direct: /readyz says what DNS knows of the shared domain', async () => {
  const transportOf = async () => {
    const { body } = await server.request('/readyz');
    return JSON.stringify(body);
  };
  dns.set('postrider.test', 'MX', ['10 mx.postrider.test']);
  await eventually('the MX to be found', async () => {
    pass(60_000);
    return (await transportOf()).includes('the MX of postrider.test is mx.postrider.test') || null;
  });
});
