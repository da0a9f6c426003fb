import { takeSnapshot } from '@postrider/testkit/database/database-snapshot.ts';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox, SendMessageParams } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink();
  ({ server } = running);
  inbox = await server.inbox();
});
afterAll(() => running.stop());

const host = () => `${server.freshName('h')}.example`;
const bodyOf = (change: Partial<SendMessageParams>): SendMessageParams => ({
  inbox_id: inbox.id,
  to: ['ada@remote.example'],
  subject: 'Hi',
  ...change,
});
const check = (change: Partial<SendMessageParams>) => server.client.messages.check(bodyOf(change));
const send = (change: Partial<SendMessageParams>) => server.client.messages.send(bodyOf(change));

test('Interface 6 POST /messages/check: says who would get a message and who would be dropped, as the send after it does', async () => {
  const domain = host();
  const rule = await server.client.rules.create({ kind: 'block', direction: 'outbound', pattern: domain });
  await server.client.rules.create({ kind: 'allow', direction: 'both', pattern: `vip@${domain}` });
  const gone = `gone@${host()}`;
  await running.suppress(server.id, gone);
  const lists = {
    to: [`Ada <Ada@Remote.example>`, `a@${domain}`],
    cc: [gone, 'ada@remote.example'],
    bcc: [`vip@${domain}`],
  };
  const { deliverable, dropped } = await check(lists);
  expect(deliverable).toEqual(['ada@remote.example', `vip@${domain}`]);
  expect(dropped).toEqual([
    { address: `a@${domain}`, reason: 'rule', rule_id: rule.id },
    { address: gone, reason: 'suppressed' },
  ]);
  const sent = await send(lists);
  const { recipients } = await server.client.messages.get(sent.id);
  expect([recipients.map(({ address }) => address), sent.dropped]).toEqual([deliverable, dropped]);
});

test('Interface 6 POST /messages/check: with nobody left it answers 200 with an empty list', async () => {
  const domain = host();
  const { id } = await server.client.rules.create({ kind: 'block', direction: 'both', pattern: domain });
  const dropped = [{ address: `a@${domain}`, reason: 'rule', rule_id: id }];
  expect(await check({ to: [`a@${domain}`] })).toEqual({ deliverable: [], dropped, send: 'allow' });
  await catchApiError(send({ to: [`a@${domain}`] }), 'no_deliverable_recipients', { blocked: dropped });
});

test('Interface 6 POST /messages/check: stores, sends and reserves nothing', async () => {
  const client_id = server.freshName();
  const to = `a@${host()}`;
  const before = await takeSnapshot(server);
  const attachments = [{ filename: 'a.txt', content: Buffer.from('x') }];
  const { data, response } = await server.client.messages
    .check(bodyOf({ to: [to], client_id, attachments }))
    .withResponse();
  expect([response.status, data]).toEqual([200, { deliverable: [to], dropped: [], send: 'allow' }]);
  expect(await takeSnapshot(server)).toEqual(before);
  expect(running.sink.copiesFor(to)).toEqual([]);
  expect((await send({ to: [to], client_id })).idempotent).toBe(false);
  expect(await check({ to: [to], client_id })).toEqual(data);
});

test('Interface 6 POST /messages/check: refuses what a send refuses: 400, 404 and 413', async () => {
  const foreign = await server.inbox(await server.workspace());
  for (const inbox_id of [foreign.id, newId('inb'), 'x'])
    await catchApiError(check({ inbox_id }), 'not_found');
  expect(await invalidFields(check({ to: [] }))).toEqual(['to']);
  expect(await invalidFields(check({ to: ['nobody'] }))).toEqual(['to.0']);
  expect(await invalidFields(check({ headers: { 'X-SES-A': 'x' } }))).toEqual(['headers.X-SES-A']);
  const long = { to: [`a@${'bü.'.repeat(40)}example`] };
  expect(await invalidFields(check(long))).toEqual(await invalidFields(send(long)));
  const file = (bytes: number) => ({ attachments: [{ filename: 'a.bin', content: Buffer.alloc(bytes) }] });
  await catchApiError(check(file(7_340_033)), 'attachment_too_large', { limit_bytes: 7_340_032 });
  const bodies = { text: 'é'.repeat(2_500_000), html: 'é'.repeat(2_500_000) };
  await catchApiError(check(bodies), 'payload_too_large', { limit_bytes: 10_485_760 });
  await catchApiError(check({ ...bodies, ...file(1) }), 'attachment_too_large', { limit_bytes: 10_485_760 });
  expect((await check(file(7_340_032))).deliverable).toHaveLength(1);
});
