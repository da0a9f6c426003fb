import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { deliverMail } from '@postrider/testkit/mail/thread-mail.ts';
import { byWakeups, neverMs } from '@postrider/testkit/servers/by-wakeups.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { Postrider } from 'postrider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

/** Ten times as fast. Whatever one server does for the other comes by a wake-up, or at its time. */
const timeScale = 10;

describe('two servers on one database', () => {
  const clock = createMovingClock();
  let database: FreshDatabase;
  let folder: string;
  let sink: MailSink;
  let one: TestServer;
  let two: TestServer;
  let atTwo: Postrider;

  beforeAll(async () => {
    database = await freshDatabase();
    folder = await mkdtemp(join(tmpdir(), 'postrider-shared-'));
    sink = await MailSink.start();
    const env = {
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}`,
      POSTRIDER_SECRET: 'a'.repeat(64),
      POSTRIDER_FILES: `file:${folder}`,
      POSTRIDER_TIME_SCALE: String(timeScale),
    };
    const waits = { settleMs: neverMs };
    const options = { database: database.settings, env, clock, waits, lookAgainMs: neverMs };
    [one, two] = await Promise.all([startTestServer(options), startTestServer(options)]);
    atTwo = new Postrider({ apiKey: one.key, baseURL: `${two.url}/v1`, maxRetries: 0 });
  });
  afterEach(() => sink.clearScript());
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await sink.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const address = () => `${one.freshName('rcpt')}@remote.example`;

  test('Messages 1: identical requests at once to two servers send one message', async () => {
    const inbox = await one.inbox();
    const bodies = Array.from({ length: 10 }, () => ({ to: [address()], client_id: one.freshName() }));
    for (const body of bodies) {
      const sends = Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one.client : atTwo).messages.send({ inbox_id: inbox.id, subject: 's', ...body }),
      );
      const receipts = await Promise.all(sends);
      expect(new Set(receipts.map((receipt) => receipt.id)).size).toBe(1);
      expect(receipts.filter((receipt) => !receipt.idempotent)).toHaveLength(1);
      // An answer waits ten seconds for the relay, of which a busy machine may need one: so much is left at this scale.
      const { id } = receipts[0]!;
      await eventually(
        'the message to be sent',
        async () => (await atTwo.messages.get(id)).delivery_status === 'sent',
      );
      expect(sink.copiesFor(body.to[0] ?? '')).toHaveLength(1);
    }
  });

  test('Interface 4 client_id: a repeat at the other server waits for the first', async () => {
    const inbox = await one.inbox();
    const body = { inbox_id: inbox.id, to: [address()], subject: 's', client_id: one.freshName() };
    const answered = Promise.withResolvers<void>();
    sink.script({ at: 'dot', recipient: body.to[0] ?? '', until: answered.promise });
    const first = one.client.messages.send(body);
    await eventually('the mail to be handed over', async () => sink.copiesFor(body.to[0] ?? '').length === 1);
    const repeat = Promise.resolve(atTwo.messages.send(body));
    // Time for one that does not wait. A slow machine may need more, and then sees nothing wrong.
    expect(await Promise.race([repeat.then(() => 'answered'), sleep(500, 'waits')])).toBe('waits');
    answered.resolve();
    expect(await repeat).toEqual({ ...(await first), idempotent: true });
  });

  test('Interface 4 wait_seconds: mail that one server takes answers who waits at the other at once', async () => {
    const inbox = await one.inbox();
    await byWakeups(two, async () => {
      const answer = atTwo.messages.list({ inbox_id: inbox.id, wait_seconds: 60 });
      await eventually(
        'the request to wait',
        async () => waitingRequests(two.server.deps).countOf(one.id) === 1,
      );
      await sendMail(one.smtpPort, {
        from: 'ada@remote.example',
        to: inbox.address,
        subject: 'across',
        text: 'x',
      });
      expect((await answer).messages.map((message) => message.subject)).toEqual(['across']);
    });
  });

  test('Authentication 4: a key that is revoked at one server is refused by the other at once, also where it waits', async () => {
    const inbox = await one.inbox();
    for (let round = 0; round < 10; round++)
      await byWakeups(two, async () => {
        const { id, key } = await createKey(one.server.deps, one.name, `round ${round}`);
        const client = new Postrider({ apiKey: key, baseURL: `${two.url}/v1`, maxRetries: 0 });
        const waits = catchApiError(
          Promise.resolve(client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 })),
          'invalid_token',
        );
        await eventually(
          'the request to wait',
          async () => waitingRequests(two.server.deps).countOf(one.id) === 1,
        );
        await revokeKey(one.server.deps, id);
        await catchApiError(client.inboxes.get(inbox.id), 'invalid_token');
        await waits;
        await eventually('nobody to wait', async () => !waitingRequests(two.server.deps).countOf(one.id));
      });
  });

  test('Interface 5 GET /realtime: a socket at one server has what the other takes without looking for it, and is closed when its key is revoked there', async () => {
    const inbox = await one.inbox();
    const { id, key } = await createKey(one.server.deps, one.name, 'socket');
    const clients = [await openRealtime(two.url, key), await openRealtime(one.url, key)];
    await sendMail(one.smtpPort, { from: 'ada@remote.example', to: inbox.address, subject: 's', text: 'x' });
    const [atTwo, atOne] = await Promise.all(clients.map((client) => client.received(1)));
    expect(atTwo).toEqual(atOne);
    await revokeKey(one.server.deps, id);
    for (const client of clients) expect((await client.ended).code).toBe(4001);
  });

  test('States Rule POST /lists: a rule that is made at one server is in force for the next RCPT of a session that is open at the other', async () => {
    const { address: to } = await one.inbox();
    const smtp = await RawSmtpClient.greet(two.smtpPort);
    for (let round = 0; round < 20; round++) {
      const from = `a@r${round}.example`;
      const rcpt = async () => (await smtp.codes(`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'RSET'))[1];
      expect(await rcpt()).toBe(250);
      const { id } = await one.client.rules.create({ kind: 'block', direction: 'both', pattern: from });
      expect(await rcpt()).toBe(550);
      await one.client.rules.delete(id);
      expect(await rcpt()).toBe(250);
    }
    smtp.destroy();
  });

  test('Interface 3 delivery_status: deferred recipients are taken up by one of two workers, and no copy goes out twice', async () => {
    const inbox = await one.inbox();
    const to = Array.from({ length: 40 }, address);
    for (const recipient of to) sink.script({ at: 'rcpt', recipient, reply: '450 4.2.1 Later', times: 1 });
    const { id, delivery_status } = await one.client.messages.send({ inbox_id: inbox.id, to, subject: 's' });
    expect(delivery_status).toBe('deferred');
    clock.advance(61_000 / timeScale);
    await eventually(
      'the message to be sent',
      async () => (await atTwo.messages.get(id)).delivery_status === 'sent',
    );
    expect(to.map((recipient) => sink.copiesFor(recipient).length)).toEqual(Array(40).fill(1));
    const attempts = await one.rows<{ attempts: number }>(
      'select attempts from message_recipients where message_id = $1',
      [id],
    );
    expect(attempts.map((row) => row.attempts)).toEqual(Array(40).fill(2));
  });

  test('Interface 3 Thread: fifty replies at once over two servers, with the mail that they answer, are one thread', async () => {
    const inbox = await one.inbox();
    const replies = Array.from({ length: 50 }, (_, i) => ({ id: `r${i}`, inReplyTo: 'parent' }));
    const deliveries = [...replies.slice(0, 25), { id: 'parent' }, ...replies.slice(25)];
    await Promise.all(deliveries.map((mail, i) => deliverMail(i % 2 === 0 ? one : two, inbox.address, mail)));
    const { threads } = await atTwo.threads.list({ inbox_id: inbox.id });
    expect(threads.map((thread) => thread.message_count)).toEqual([51]);
  });

  test('Interface 3 Inbox: what one server deletes is gone at the other, and links of one work at the other', async () => {
    const inbox = await one.inbox();
    const mail = { from: 'ada@remote.example', to: inbox.address, subject: 's', text: 'x' };
    await sendMail(two.smtpPort, { ...mail, attachments: [{ filename: 'a.txt', content: 'file' }] });
    await two.filed();
    const { messages } = await atTwo.messages.list({ inbox_id: inbox.id });
    const { pathname } = new URL(messages[0]?.attachments[0]?.url ?? '');
    expect(await (await fetch(one.url + pathname)).text()).toBe('file');
    await one.client.inboxes.delete(inbox.id);
    expect((await fetch(two.url + pathname)).status).toBe(404);
    await catchApiError(atTwo.inboxes.get(inbox.id), 'not_found');
    expect((await catchRefusal(sendMail(two.smtpPort, mail))).responseCode).toBe(550);
  });

  test('Messages 2: what one server suppresses is dropped from the next send at the other, and what it removes is sent to', async () => {
    const inbox = await one.inbox();
    const to = address();
    const send = () => atTwo.messages.send({ inbox_id: inbox.id, to: [to], subject: 's' });
    for (let round = 0; round < 5; round++) {
      await one.client.suppressions.create({ address: to });
      await catchApiError(send(), 'no_deliverable_recipients', {
        blocked: [{ address: to, reason: 'suppressed' }],
      });
      await one.client.suppressions.delete(to);
      expect((await send()).dropped).toEqual([]);
    }
    expect(sink.copiesFor(to)).toHaveLength(5);
  });

  test('Interface 3 Label: one that both servers create is made once, and assigning it at one wakes who waits at the other', async () => {
    const name = one.freshName();
    const create = (i: number) => (i % 2 === 0 ? one.client : atTwo).labels.create({ name });
    const made = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create(i)));
    const { value: label } = made.find((each) => each.status === 'fulfilled') ?? expect.fail('none was made');
    expect(made.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    const inbox = await one.inbox();
    const { id } = await one.client.messages.send({ inbox_id: inbox.id, to: [address()], subject: 's' });
    await byWakeups(two, async () => {
      const answer = atTwo.messages.list({ label_id: label.id, wait_seconds: 60 });
      await eventually(
        'the request to wait',
        async () => waitingRequests(two.server.deps).countOf(one.id) === 1,
      );
      await one.client.labels.assign(label.id, { message_id: id });
      expect((await answer).messages.map((message) => message.id)).toEqual([id]);
    });
  });

  test('Inboxes POST /inboxes: the cap is exact and an address has one owner, also over two servers', async () => {
    const owner = await one.workspace({ plan: 'free' });
    const other = new Postrider({ apiKey: owner.key, baseURL: `${two.url}/v1`, maxRetries: 0 });
    const clients = [owner.client, other];
    const create = (i: number) => clients[i % 2]?.inboxes.create({ local_part: one.freshName() });
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create(i)));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(5);
    const local_part = one.freshName();
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one.client : atTwo).inboxes.create({ local_part })),
    );
    expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1);
  });

  test('Interface 7: messages that one server sent count at the other at once, where they are few to go', async () => {
    const owner = await one.workspace({ plan: 'free' });
    const inbox = await one.inbox(owner);
    await one.rows(
      "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'emails', 4997, $2)",
      [owner.id, clock.now()],
    );
    const other = new Postrider({ apiKey: owner.key, baseURL: `${two.url}/v1`, maxRetries: 0 });
    const send = ({ messages }: Postrider) =>
      messages.send({ inbox_id: inbox.id, to: [address()], subject: 's', text: 't' });
    for (const client of [other, owner.client, other]) await send(client);
    for (const client of [owner.client, other])
      await catchApiError(Promise.resolve(send(client)), 'email_limit_reached');
    expect((await other.account.get()).usage).toEqual((await owner.client.account.get()).usage);
  });
});

describe('two servers on one folder', () => {
  test('Interface 10 POSTRIDER_DATA_DIR: a second server on the folder of the first is refused, and the first goes on', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'postrider-one-'));
    const first = await openDatabase({ dataDir });
    await expect(openDatabase({ dataDir })).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`);
    expect((await first.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await first.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});
