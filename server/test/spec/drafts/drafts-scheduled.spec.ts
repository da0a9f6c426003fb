import { setTimeout as sleep } from 'node:timers/promises';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Draft, Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  // Drafts are found because of their time or a wake-up, and never because a worker looks now and then.
  running = await startServerWithSink({
    clock,
    lookAgainMs: 24 * hour,
    env: { POSTRIDER_RATE_LIMITS: 'off' },
  });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => {
  clock.goOn();
  sink.clearScript();
});
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

test('Draft scheduled_at: it goes out at its time, for which a worker is there, and not before, and keeps the time', async () => {
  const delays = [900, 1_300, 1_700, 1_700, 2_400];
  const made = await Promise.all(delays.map((delay) => draft({ scheduled_at: timeIn(delay) })));
  const late = await Promise.all(
    made.map(async (each) => {
      expect(each.status).toBe('scheduled');
      await eventually('the copy', async () => copiesOf(each).length > 0, { pauseMs: 5 });
      return clock.now().getTime() - Date.parse(each.scheduled_at ?? '');
    }),
  );
  console.log(`late by ${late.join(', ')} ms`);
  for (const ms of late) expect(ms).toBeGreaterThanOrEqual(0);
  for (const each of made) {
    await reaches(each, 'sent');
    const { message_id, scheduled_at } = await server.client.drafts.get(each.id);
    expect(scheduled_at).toBe(each.scheduled_at);
    const message = await server.client.messages.get(message_id ?? '');
    expect(message).toMatchObject({
      to_addrs: each.to,
      subject: 'Hello',
      delivery_status: 'sent',
      client_id: null,
    });
    expect(copiesOf(each)).toHaveLength(1);
    const [maker] = await server.rows('select actor_id, request_id from messages where id = $1', [
      message_id,
    ]);
    const [drafter] = await server.rows('select actor_id, request_id from drafts where id = $1', [each.id]);
    expect(maker).toEqual({ actor_id: server.keyId, request_id: expect.stringMatching(/^req_/) });
    expect(maker).toEqual(drafter);
  }
});

test('Draft scheduled_at: a time that has passed sends at once, also when it is set later', async () => {
  const made = await draft({ scheduled_at: '2001-01-01T00:00:00Z' });
  await eventually('the copy', async () => copiesOf(made).length > 0);
  const plain = await draft();
  await looked();
  expect(copiesOf(plain)).toEqual([]);
  await server.client.drafts.update(plain.id, { scheduled_at: timeIn(-hour) });
  await eventually('the copy', async () => copiesOf(plain).length > 0);
  await reaches(plain, 'sent');
  await catchApiError(server.client.drafts.send(plain.id), 'draft_already_sent');
});

test('Interface 3 Draft: one that is cleared, moved, deleted or sent by hand before its time does not go out at it', async () => {
  const { drafts } = server.client;
  const scheduled_at = timeIn(hour);
  const [cleared, moved, deleted, byHand, kept] = await Promise.all(
    Array.from({ length: 5 }, () => draft({ scheduled_at })),
  );
  if (!cleared || !moved || !deleted || !byHand || !kept) throw new Error('There are five drafts.');
  await drafts.update(cleared.id, { scheduled_at: null });
  await drafts.update(moved.id, { scheduled_at: timeIn(3 * hour) });
  await drafts.delete(deleted.id);
  await drafts.send(byHand.id);
  clock.advance(2 * hour);
  await eventually('the copy', async () => copiesOf(kept).length > 0);
  await looked();
  expect([cleared, moved, deleted].map((each) => copiesOf(each).length)).toEqual([0, 0, 0]);
  expect(copiesOf(byHand)).toHaveLength(1);
  expect(await statusOf(cleared)).toBe('draft');
  clock.advance(2 * hour);
  await eventually('the copy', async () => copiesOf(moved).length > 0);
});

test('Interface 3 Draft: forty that cannot be stored do not hold up one whose time comes', async () => {
  const failure = { table: 'messages', sqlstate: 'XX000', message: 'poison', when: "new.subject = 'poison'" };
  await failOn(server, failure, async () => {
    const scheduled_at = timeIn(-1);
    const bad = await Promise.all(
      Array.from({ length: 40 }, () => draft({ subject: 'poison', scheduled_at })),
    );
    const good = await draft({ scheduled_at: timeIn(hour) });
    const tried = async () => {
      const rows = await server.rows('select from drafts where subject = $1 and attempts > 0', ['poison']);
      return rows.length === 40;
    };
    await eventually('all of them to be tried', tried);
    // They fall due again with it and before it, and none of them once more while it waits.
    clock.stop();
    clock.advance(hour);
    await eventually('the copy', async () => copiesOf(good).length > 0);
    expect(await statusOf(bad[39] as Draft)).toBe('scheduled');
    for (const { id } of bad) await server.client.drafts.delete(id);
  });
});

test('Interface 3 Draft: forty whose relay is silent do not keep one from becoming a message at its time', async () => {
  const slow = Array.from({ length: 40 }, address);
  const silent = Promise.withResolvers<void>();
  for (const recipient of slow) sink.script({ at: 'rcpt', recipient, until: silent.promise, times: 1 });
  const scheduled_at = timeIn(-1);
  const hung = await Promise.all(slow.map((to) => draft({ to: [to], scheduled_at })));
  const good = await draft({ scheduled_at: timeIn(hour) });
  clock.advance(hour);
  const stored = async () => (await server.client.drafts.get(good.id)).message_id !== null;
  await eventually('the message', stored);
  sink.clearScript();
  silent.resolve();
  for (const each of [...hung, good]) await reaches(each, 'sent');
  for (const each of [...hung, good]) expect(copiesOf(each)).toHaveLength(1);
});

test('Interface 9 Test workspaces: a scheduled draft of one goes nowhere but to test workspaces', async () => {
  const { client, ...tester } = await server.workspace({ isTest: true });
  const { id: inbox_id } = await client.inboxes.create({ local_part: server.freshName() });
  const { client: other } = await server.workspace({ isTest: true });
  const guest = await other.inboxes.create({ local_part: server.freshName() });
  const outside = address();
  const to = [outside, guest.address, inbox.address];
  const { id } = await client.drafts.create({ inbox_id, to, subject: tester.name, scheduled_at: timeIn(-1) });
  await eventually('the draft to be sent', async () => (await client.drafts.get(id)).status === 'sent');
  expect((await other.messages.list({ inbox_id: guest.id })).messages).toHaveLength(1);
  expect((await server.client.messages.list({ subject: tester.name })).messages).toEqual([]);
  expect(sink.copiesFor(outside)).toEqual([]);
});

test('Interface 3 Draft: what falls due together goes out, each once', async () => {
  const scheduled_at = timeIn(hour);
  const made = await Promise.all(Array.from({ length: 60 }, () => draft({ scheduled_at })));
  clock.advance(hour);
  for (const each of made) await reaches(each, 'sent');
  expect(made.map((each) => copiesOf(each).length)).toEqual(Array(60).fill(1));
});

test('Interface 3 Draft: a workspace with hundreds due keeps those of another waiting for a moment only', async () => {
  const scheduled_at = timeIn(hour);
  const many = await Promise.all(Array.from({ length: 200 }, () => draft({ scheduled_at })));
  const { client } = await server.workspace();
  const { id: inbox_id } = await client.inboxes.create({ local_part: server.freshName() });
  const content = { to: [address()], subject: 'Hello', text: 'Hi.' };
  const behind = new Date(Date.parse(scheduled_at) + 1).toISOString();
  const own = await client.drafts.create({ ...content, inbox_id, scheduled_at: behind });
  expect(await statusOf(many[199] as Draft)).toBe('scheduled');
  clock.advance(hour);
  const isMessage = async () => (await client.drafts.get(own.id)).message_id !== null;
  await eventually('the other message', isMessage, { pauseMs: 5 });
  const { message_id } = await client.drafts.get(own.id);
  const [{ before } = { before: 0 }] = await server.rows<{ before: number }>(
    `select count(*)::int as before from drafts d join messages m on m.workspace_id = d.workspace_id and m.id = d.message_id
      where d.scheduled_at = $1 and m.created_at < (select created_at from messages where id = $2)`,
    [scheduled_at, message_id],
  );
  for (const each of many) await reaches(each, 'sent');
  expect(before).toBeLessThan(100);
});
