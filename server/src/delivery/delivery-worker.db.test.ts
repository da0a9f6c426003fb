import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer, type Waits } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { Postrider } from 'postrider';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recipientLease } from './recipient-state.ts';

/** At this scale the first retry comes after one second; a lease never gets shorter than three. */
const timeScale = 60;

let sink: MailSink;
let fresh: FreshDatabase;
let files: string;
let servers: TestServer[];
const usualLease = { ...recipientLease };

beforeAll(async () => {
  sink = await MailSink.start();
});

afterAll(() => sink.close());

beforeEach(async () => {
  sink.clearScript();
  fresh = await freshDatabase();
  files = await mkdtemp(join(tmpdir(), 'postrider-files-'));
  servers = [];
});

afterEach(async () => {
  Object.assign(recipientLease, usualLease);
  for (const server of servers) await server.stop();
  await fresh.drop();
  await rm(files, { recursive: true });
});

/** A server on the database of the test, as one of several where that can be. */
const start = async (env: Record<string, string> = {}, waits: Waits = {}): Promise<TestServer> => {
  const server = await startTestServer({
    waits,
    env: {
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
      POSTRIDER_FILES: `file:${files}`,
      POSTRIDER_TIME_SCALE: String(timeScale),
      POSTRIDER_SECRET: 'a'.repeat(64),
      ...env,
    },
    database: fresh.settings,
  });
  servers.push(server);
  return server;
};

const statusesOf = async (server: TestServer, id: string): Promise<Record<string, string>> => {
  const { recipients } = await server.client.messages.get(id);
  return Object.fromEntries(recipients.map(({ address, status }) => [address, status]));
};

const addresses = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}@example.com`);

describe('the delivery worker', () => {
  test('sends 200 deferred recipients once each, also when two processes share them', async () => {
    // A busy machine may renew a lease late.
    recipientLease.leastMs = 300_000;
    const first = await start();
    await start();
    const inbox = await first.inbox();
    sink.script({ at: 'rcpt', reply: '451 4.7.1 Come back later', times: 200 });
    const groups = Array.from({ length: 4 }, (_, index) => addresses(`group-${index}`, 50));
    const sent = await Promise.all(
      groups.map((to) =>
        first.client.messages.send({ inbox_id: inbox.id, to, subject: 'Many', text: 'Hello' }),
      ),
    );
    await eventually('all to be sent', async () => {
      const all = await Promise.all(sent.map(({ id }) => statusesOf(first, id)));
      return all.flatMap((each) => Object.values(each)).every((status) => status === 'sent');
    });
    const copies = groups.flat().map((address) => sink.copiesFor(address).length);
    expect(copies).toEqual(groups.flat().map(() => 1));
  });

  test('a destination for which the relay never answers does not hold back another', async () => {
    const server = await start({ POSTRIDER_TIME_SCALE: '1' }, { settleMs: 500 });
    const inbox = await server.inbox();
    const dead = Array.from({ length: 30 }, (_, index) => `dead-${index}@dead.example`);
    for (const recipient of dead) sink.script({ at: 'rcpt', recipient, hang: true });
    const send = (to: string[]) =>
      server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello' });
    const held = await send(dead);
    await eventually('connections to hang', async () => sink.connections >= 10);
    const sent = await Promise.all(addresses('live', 20).map((address) => send([address])));
    await eventually('the others to be sent', async () => {
      const all = await Promise.all(sent.map(({ id }) => statusesOf(server, id)));
      return all.flatMap((each) => Object.values(each)).every((status) => status === 'sent');
    });
    expect(new Set(Object.values(await statusesOf(server, held.id)))).toEqual(new Set(['queued']));
    sink.cut();
  });

  test('keeps its lease while a peer takes long, so that nobody sends a second copy', async () => {
    const first = await start({}, { settleMs: 500 });
    await start({}, { settleMs: 500 });
    const inbox = await first.inbox();
    // Longer than a lease.
    const [slowCommand, slowAnswer] = addresses('slow', 2) as [string, string];
    for (const at of ['rcpt', 'dot'] as const) sink.script({ at, recipient: slowCommand, delayMs: 2_000 });
    sink.script({ at: 'dot', recipient: slowAnswer, delayMs: 4_000 });
    const { id, delivery_status } = await first.client.messages.send({
      inbox_id: inbox.id,
      to: [slowCommand, slowAnswer],
      subject: 'Slow',
      text: 'Hello',
    });
    expect(delivery_status).toMatch(/queued|sending/);
    await eventually('both to be sent', async () =>
      Object.values(await statusesOf(first, id)).every((status) => status === 'sent'),
    );
    for (const address of [slowCommand, slowAnswer]) expect(sink.copiesFor(address)).toHaveLength(1);
  });

  test('a peer that is silent after the final dot: sending while we wait, then unconfirmed, and no second copy', async () => {
    const server = await start({ POSTRIDER_TIME_SCALE: '400' }, { settleMs: 500, peerMs: 10_000 });
    const inbox = await server.inbox();
    const [silent, dropped] = addresses('lost', 2) as [string, string];
    sink.script({ at: 'dot', recipient: silent, hang: true }, { at: 'dot', recipient: dropped, drop: true });
    const { id, delivery_status } = await server.client.messages.send({
      inbox_id: inbox.id,
      to: [silent, dropped],
      subject: 'Lost',
      text: 'Hello',
    });
    expect(delivery_status).toMatch(/queued|sending|failed/);
    await eventually('the final dot', async () => (await statusesOf(server, id))[silent] === 'sending');
    const message = await eventually('the end of the wait', async () => {
      const found = await server.client.messages.get(id);
      return found.recipients.every(({ status }) => status === 'failed') && found;
    });
    for (const { detail } of message.recipients) expect(detail).toMatch(/^unconfirmed: /);
    expect(message.delivery_status).toBe('failed');
    for (const address of [silent, dropped]) expect(sink.copiesFor(address)).toHaveLength(1);
  });

  test('a recipient that is deferred until the message expires has bounced softly, one that no relay took has failed', async () => {
    // 48 hours of service time pass in three seconds.
    const server = await start({ POSTRIDER_TIME_SCALE: '60000' });
    const inbox = await server.inbox();
    const [greylisted, refused] = addresses('never', 2) as [string, string];
    sink.script({ at: 'rcpt', recipient: greylisted, reply: '450 4.2.0 Greylisted' });
    sink.script({ at: 'rcpt', recipient: refused, drop: true });
    const { id } = await server.client.messages.send({
      inbox_id: inbox.id,
      to: [greylisted, refused],
      subject: 'Never',
      text: 'Hello',
    });
    const message = await eventually('the expiry', async () => {
      const found = await server.client.messages.get(id);
      return found.recipients.every(({ status }) => status !== 'deferred' && status !== 'queued') && found;
    });
    expect(Object.fromEntries(message.recipients.map(({ address, status }) => [address, status]))).toEqual({
      [greylisted]: 'bounced',
      [refused]: 'failed',
    });
    const suppressed = await server.rows('select address, reason from suppressions');
    expect(suppressed).toEqual([{ address: greylisted, reason: 'soft_bounce' }]);
    const rejected = await server.rows(`select extra from events where event = 'message.rejected'`);
    expect(rejected).toEqual([{ extra: { recipient: refused, reason: 'expired' } }]);
    expect(sink.copiesFor(greylisted)).toEqual([]);
  });

  test('reports on mail of an inbox at a former domain return to this server', async () => {
    const before = await start({ POSTRIDER_MAIL_DOMAIN: 'former.example' });
    const inbox = await before.inbox();
    const now = await start({ POSTRIDER_MAIL_DOMAIN: 'mail.example' });
    const [address] = addresses('reported', 1) as [string];
    const client = new Postrider({ apiKey: before.key, baseURL: `${now.url}/v1` });
    await client.messages.send({ inbox_id: inbox.id, to: [address], subject: 'Hello', text: 'Hello' });
    const [copy] = sink.copiesFor(address);
    expect(copy?.from).toMatch(/^bounces\+\w+@mail\.example$/);
    const reporter = await RawSmtpClient.greet(now.smtpPort);
    expect(await reporter.codes('MAIL FROM:<>', `RCPT TO:<${copy?.from}>`)).toEqual([250, 250]);
    reporter.destroy();
  });

  test('deleting the inbox cancels what is still due', async () => {
    const server = await start({ POSTRIDER_TIME_SCALE: '1' });
    const inbox = await server.inbox();
    const [address] = addresses('cancelled', 1) as [string];
    sink.script({ at: 'rcpt', recipient: address, reply: '451 4.7.1 Come back later', times: 1 });
    await server.client.messages.send({ inbox_id: inbox.id, to: [address], subject: 'No', text: 'Hello' });
    await server.client.inboxes.delete(inbox.id);
    await eventually('the inbox to be removed', async () => {
      const left = await server.rows('select id from inboxes where id = $1', [inbox.id]);
      return left.length === 0;
    });
    expect(sink.copiesFor(address)).toEqual([]);
    expect(await server.rows('select address from message_recipients')).toEqual([]);
  });
});
