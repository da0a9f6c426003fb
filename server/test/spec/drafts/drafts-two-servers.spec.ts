import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { type Draft, Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const hour = 3_600_000;

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
      POSTRIDER_RATE_LIMITS: 'off',
    };
    one = await startTestServer({ clock, database: database.settings, env });
    two = await startTestServer({ clock, database: database.settings, env, roles: ['api', 'worker'] });
    atTwo = new Postrider({ apiKey: one.key, baseURL: `${two.url}/v1`, maxRetries: 0 });
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await sink.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const letter = (inbox_id: string, more: object = {}) => ({
    inbox_id,
    to: [`${one.freshName('rcpt')}@remote.example`],
    subject: 'Hello',
    ...more,
  });
  const timeIn = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const copiesOf = ({ to }: Draft) => sink.copiesFor(to[0] ?? '').length;

  test('Interface 3 Draft: twenty sends of one draft over two servers make one message, five times over', async () => {
    const inbox = await one.inbox();
    for (let round = 0; round < 5; round += 1) {
      const made = await one.client.drafts.create(letter(inbox.id));
      const client_id = one.freshName();
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? one.client : atTwo).drafts.send(made.id, { client_id }),
        ),
      );
      expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
      expect(receipts.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
      expect(copiesOf(made)).toBe(1);
    }
  });

  test('Interface 3 Draft: two workers send what is scheduled once, also where both are asked by hand', async () => {
    const inbox = await one.inbox();
    const scheduled_at = timeIn(hour);
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? one.client : atTwo).drafts.create(letter(inbox.id, { scheduled_at })),
      ),
    );
    clock.advance(hour);
    await eventually('the first copy', async () => made.some((each) => copiesOf(each) > 0), { pauseMs: 2 });
    const byHand = made.slice(40).flatMap(({ id }) => [one.client.drafts.send(id), atTwo.drafts.send(id)]);
    const answers = await Promise.allSettled(byHand);
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason.status] : [],
    );
    expect(new Set(refusals)).toEqual(new Set([409]));
    const sent = async () =>
      (await one.client.drafts.list({ inbox_id: inbox.id, status: 'sent', limit: 100 })).drafts.length === 60;
    await eventually('all to be sent', sent);
    expect(made.map(copiesOf)).toEqual(Array(60).fill(1));
    console.log(`${answers.length - refusals.length} of 20 were sent by hand`);
  });

  test('Interface 3 Draft: what one server schedules goes out at its time by the worker of another, without the first', async () => {
    const inbox = await one.inbox();
    const api = await startTestServer({
      clock,
      database: database.settings,
      roles: ['api'],
      env: { POSTRIDER_SECRET: 'a'.repeat(64), POSTRIDER_FILES: `file:${folder}` },
    });
    const client = new Postrider({ apiKey: one.key, baseURL: `${api.url}/v1`, maxRetries: 0 });
    const [made, later] = await Promise.all(
      [hour, 2 * hour].map((ms) => client.drafts.create(letter(inbox.id, { scheduled_at: timeIn(ms) }))),
    );
    if (!made || !later) throw new Error('There are two drafts.');
    await api.stop();
    expect(copiesOf(made)).toBe(0);
    clock.advance(hour);
    await eventually('the copy', async () => copiesOf(made) > 0);
    expect(copiesOf(later)).toBe(0);
  });
});
