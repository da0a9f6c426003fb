import { setTimeout as sleep } from 'node:timers/promises';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Draft, Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  const POSTRIDER_PLANS = JSON.stringify({
    free: { emails_per_month: 1, storage_bytes: 10, mail_bytes: 1e9 },
  });
  running = await startServerWithSink({ clock, env: { POSTRIDER_RATE_LIMITS: 'off', POSTRIDER_PLANS } });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = () => `${server.freshName('rcpt')}@remote.example`;
const timeIn = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
const hour = 3_600_000;
const draft = (more: object = {}): Promise<Draft> =>
  server.client.drafts.create({
    inbox_id: inbox.id,
    to: [address()],
    subject: 'Hello',
    text: 'Hi.',
    ...more,
  });
const copiesOf = ({ to }: Draft) => sink.copiesFor(to[0] ?? '');
const statusOf = async ({ id }: Draft) => (await server.client.drafts.get(id)).status;
const reaches = (made: Draft, status: Draft['status']) =>
  eventually(`${made.id} to be ${status}`, async () => (await statusOf(made)) === status);
/** Long enough for a worker to look again. */
const looked = () => sleep(1_500);

test('Interface 3 Draft: a scheduled draft that cannot be sent fails with the error code, and can be edited and sent again', async () => {
  const { drafts, messages } = server.client;
  const suppressed = address();
  await running.suppress(server.id, suppressed);
  const blocked = address();
  await server.client.rules.create({ kind: 'block', direction: 'outbound', pattern: blocked });
  const from = 'robot@remote.example';
  const headers = { 'Auto-Submitted': 'auto-generated' };
  await sendMail(server.smtpPort, { from, to: inbox.address, subject: 'Robot', text: 'Hi', headers });
  const robot = (await messages.list({ from })).messages[0]?.id ?? '';
  const scheduled_at = timeIn(-1);
  const text = 'x'.repeat(2_000_000);
  const attachments = [{ filename: 'a.bin', content: Buffer.alloc(7_000_000) }];
  const cases = [
    ['no_deliverable_recipients', { to: [suppressed] }],
    ['no_deliverable_recipients', { to: [suppressed, blocked] }],
    ['invalid_request', { to: [] }],
    ['invalid_request', { subject: null }],
    ['auto_reply_loop', { reply_to_message_id: robot }],
    ['attachment_too_large', { attachments }],
  ] as const;
  for (const [failure, more] of cases) {
    const { id } = await draft(more);
    // No request may be as large as the message that becomes of two of them.
    const made = await drafts.update(id, { ...('attachments' in more && { text }), scheduled_at });
    await reaches(made, 'failed');
    const failed = await drafts.get(made.id);
    expect(failed).toMatchObject({ failure, message_id: null, scheduled_at: made.scheduled_at });
    expect(await drafts.update(made.id, {})).toMatchObject({ ...failed, attachments: expect.anything() });
    const good = { to: [address()], subject: 'Good', reply_to_message_id: null, attachments: [] };
    const edited = await drafts.update(made.id, good);
    expect(edited).toMatchObject({ status: 'draft', failure: null, scheduled_at: null });
    if (failure === 'invalid_request') {
      await drafts.update(made.id, { scheduled_at });
      await reaches(made, 'sent');
    } else await drafts.send(made.id);
    expect(copiesOf(edited)).toHaveLength(1);
  }
});

test('Interface 3 Draft: a failed one can be sent by hand as it is once the reason is gone', async () => {
  const to = address();
  await running.suppress(server.id, to);
  const made = await draft({ to: [to], scheduled_at: timeIn(-1) });
  await reaches(made, 'failed');
  await catchApiError(server.client.drafts.send(made.id), 'no_deliverable_recipients');
  expect(await server.client.drafts.get(made.id)).toMatchObject({ failure: 'no_deliverable_recipients' });
  await server.rows('delete from suppressions where workspace_id = $1 and address = $2', [server.id, to]);
  await server.client.drafts.send(made.id);
  expect(await server.client.drafts.get(made.id)).toMatchObject({ status: 'sent', failure: null });
});

test('Interface 3 Draft: a scheduled one that the provider rejects has failed with message_rejected', async () => {
  const to = address();
  sink.script({ at: 'data', recipient: to, reply: '554 5.7.1 No' });
  const made = await draft({ to: [to], scheduled_at: timeIn(-1) });
  await reaches(made, 'failed');
  const { failure, message_id } = await server.client.drafts.get(made.id);
  expect(failure).toBe('message_rejected');
  expect((await server.client.messages.get(message_id ?? '')).delivery_status).toBe('rejected');
  await looked();
  expect(await server.rows('select 1 from messages where to_addrs[1] = $1', [to])).toHaveLength(1);
});

test('Interface 3 Draft: a failure of ours is no failure of the draft, which goes out once it is over', async () => {
  const made = await draft({ to: [address()], subject: 'ours', scheduled_at: timeIn(hour) });
  const failure = { table: 'messages', sqlstate: '57P03', message: 'starting', when: "new.subject = 'ours'" };
  await failOn(server, failure, async () => {
    clock.advance(hour);
    await eventually('two attempts', async () => {
      const [row] = await server.rows<{ attempts: number }>('select attempts from drafts where id = $1', [
        made.id,
      ]);
      return (row?.attempts ?? 0) >= 2;
    });
    expect(await server.client.drafts.get(made.id)).toMatchObject({ status: 'scheduled', failure: null });
    await catchApiError(server.client.drafts.send(made.id), 'unavailable');
  });
  await reaches(made, 'sent');
  expect(copiesOf(made)).toHaveLength(1);
});

test('Errors 402 email_limit_reached: a draft over the limit of the month fails at its time, and stays as it was by hand', async () => {
  const { client, ...owner } = await server.workspace({ plan: 'free' });
  const { id: inbox_id } = await server.inbox({ client, ...owner });
  const body = { inbox_id, to: [address()], subject: 's' };
  const made = await client.drafts.create({ ...body, scheduled_at: timeIn(hour) });
  await client.messages.send(body);
  await catchApiError(client.drafts.send(made.id), 'email_limit_reached', { limit: 1 });
  expect(await client.drafts.get(made.id)).toEqual(made);
  await client.drafts.update(made.id, { scheduled_at: timeIn(-1) });
  await eventually('the draft to fail', async () => (await client.drafts.get(made.id)).status === 'failed');
  expect((await client.drafts.get(made.id)).failure).toBe('email_limit_reached');
});

test('Errors 402 storage_limit_reached: a draft with a file is not sent at the cap of the plan, and fails at its time', async () => {
  const { client, ...owner } = await server.workspace({ plan: 'free' });
  const { id: inbox_id, address: to } = await server.inbox({ client, ...owner });
  const files = [{ filename: 'a.txt', content: Buffer.from('fits') }];
  const made = await client.drafts.create({ inbox_id, to: [address()], subject: 's', attachments: files });
  const attachments = [{ filename: 'b.txt', content: 'more than ten bytes' }];
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to, text: 'Hi', attachments });
  await catchApiError(client.drafts.send(made.id), 'storage_limit_reached');
  await client.drafts.update(made.id, { scheduled_at: timeIn(-1) });
  await eventually('the draft to fail', async () => (await client.drafts.get(made.id)).status === 'failed');
  await client.drafts.update(made.id, { attachments: [] });
  expect(await client.drafts.send(made.id)).toMatchObject({ delivery_status: 'sent' });
});
