import { startPostgres, type TestPostgres } from '@postrider/testkit/database/postgres.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';

describe('a database that goes away, which needs Postgres', () => {
  let postgres: TestPostgres;
  let sink: MailSink;
  let home: ServerHome;
  let server: ServerProcess;

  beforeAll(async () => {
    // Without a wait for the log Postgres itself would forget what it acknowledged.
    postgres = await startPostgres({ settings: { synchronous_commit: 'on' } });
    sink = await MailSink.start();
    const url = await postgres.createDatabase();
    const database = await openDatabase({ url });
    await migrate(database).finally(() => database.close());
    home = await makeServerHome({
      DATABASE_URL: url,
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
    });
    server = await home.start();
  });

  afterAll(async () => {
    await home.remove();
    await sink.close();
    await postgres.stop({ mode: 'immediate' });
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${home.key}`, ...init.headers } });

  const deliver = (inbox: Inbox, subject: string) =>
    sendLines(server.smtpPort, { from: 'ada@sender.example', to: inbox.address }, [
      `Subject: ${subject}`,
      '',
      'x',
    ]);

  const sendTo = (inbox: Inbox, address: string) =>
    server.client.messages.send({
      inbox_id: inbox.id,
      to: [address],
      subject: 'Slow',
      text: 'x',
      client_id: address,
    });

  /** A mail that is half in, a send whose answer is awaited and a request that waits. */
  const beginAll = async (inbox: Inbox, slow: string) => {
    const half = await RawSmtpClient.greet(server.smtpPort);
    await half.codes('MAIL FROM:<ada@sender.example>', `RCPT TO:<${inbox.address}>`, 'DATA');
    half.write('Subject: half\r\n\r\n');
    const away = Promise.withResolvers<void>();
    sink.script({ at: 'dot', recipient: slow, until: away.promise });
    const sending = sendTo(inbox, slow).catch((error: unknown) => error);
    await eventually('the message at the relay', async () => sink.copiesFor(slow).length > 0);
    const nobody = { inbox_id: inbox.id, from: 'nobody@example.com', wait_seconds: 60 };
    const waiting = server.client.messages.list(nobody).catch((error: unknown) => error);
    return { half, sending, waiting, answer: away.resolve };
  };

  const expectUnavailable = async (inbox: Inbox) => {
    const refusal = await catchRefusal(deliver(inbox, 'during'));
    expect(refusal.responseCode).toBe(451);
    const json = { 'content-type': 'application/json' };
    const asked: [string, RequestInit][] = [
      ['/v1/inboxes', {}],
      [`/v1/inboxes/${inbox.id}`, {}],
      ['/v1/inboxes', { method: 'POST', body: '{"local_part": "x"}', headers: json }],
    ];
    for (const [path, init] of asked) {
      const answer = await ask(path, init);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await answer.json()).toMatchObject({ error: 'unavailable' });
    }
    expect((await ask('/livez')).status).toBe(200);
    expect((await ask('/readyz')).status).toBe(503);
  };

  test.each(['fast', 'immediate'] as const)(
    'stopped in mode %s: HTTP says 503, SMTP 451, nothing is lost, and all works again once it is back',
    async (mode) => {
      const { client } = server;
      const inbox = await client.inboxes.create({ local_part: `away-${mode}` });
      const slow = `slow-${mode}@example.com`;
      await deliver(inbox, 'before');
      const { half, sending, waiting, answer } = await beginAll(inbox, slow);
      await postgres.stop({ mode, keepData: true });
      half.write('the rest\r\n.\r\n');
      expect((await half.reply()).code).toBe(451);
      answer();
      await expectUnavailable(inbox);
      expect(await waiting).toMatchObject({ status: 503 });

      await postgres.start();
      await eventually('requests', async () => (await ask('/v1/inboxes')).status === 200);
      await eventually('readiness', async () => (await ask('/readyz')).status === 200);
      await deliver(inbox, 'after');
      const { messages } = await client.messages.list({ inbox_id: inbox.id, direction: 'inbound' });
      expect(messages.map(({ subject }) => subject)).toEqual(['after', 'before']);
      // The answer that a peer gave while nothing could be written is written now.
      const sent = await eventually('the outcome of the send', async () => {
        const page = await client.messages.list({ inbox_id: inbox.id, direction: 'outbound' });
        return page.messages.find(({ delivery_status }) => delivery_status === 'sent');
      });
      expect(sink.copiesFor(slow)).toHaveLength(1);
      await sending;
      expect(await sendTo(inbox, slow)).toMatchObject({ id: sent.id, idempotent: true });
      const next = client.messages.list({
        inbox_id: inbox.id,
        after: new Date().toISOString(),
        wait_seconds: 60,
      });
      await deliver(inbox, 'woken');
      expect((await next).messages.map(({ subject }) => subject)).toEqual(['woken']);
    },
  );

  test('a server stops in time while it is away', async () => {
    await postgres.stop({ mode: 'immediate', keepData: true });
    const { code, output } = await server.stop();
    expect(code).toBe(0);
    expect(output).not.toContain('Unhandled');
    const { code: refused, output: said } = await home.run(['start']);
    expect(refused).toBe(1);
    expect(said).toMatch(/ECONNREFUSED/);
    expect(said).not.toContain('    at ');
    await postgres.start();
  });
});
