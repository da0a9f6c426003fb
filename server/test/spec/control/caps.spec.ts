/* Interface 11: caps of policies. A message counts once for each of its recipients, in windows that slide. */
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { deliverMail, rfcId } from '@postrider/testkit/mail/thread-mail.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { type Inbox, type Postrider, RateLimitError } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { removeExpired } from '../../../src/jobs/remove-expired.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Mails are counted in slots of five minutes. */
const slotMs = 5 * minuteMs;
const clock = createMovingClock();
let server: TestServer;
let client: Postrider;
let workspaceId: string;
let inbox: Inbox;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_LOOP_ANSWERS: 'off' } });
});
afterAll(() => server.stop());

beforeEach(async () => {
  const workspace = await server.workspace();
  ({ client, id: workspaceId } = workspace);
  inbox = await server.inbox(workspace);
  // To the beginning of a slot, so that a test stays within it.
  clock.advance(slotMs - (clock.now().getTime() % slotMs) + 1);
});

const set = (lines: Parameters<typeof setPolicy>[2], level: 'workspace' | 'inbox' = 'workspace') =>
  setPolicy(
    server.server.deps,
    { workspaceId, level, subjectId: level === 'inbox' ? inbox.id : workspaceId },
    lines,
    operator,
  );
const people = (count: number) =>
  Array.from({ length: count }, () => `${server.freshName('rcpt')}@remote.example`);
const send = (count = 1, more: object = {}) =>
  client.messages.send({ inbox_id: inbox.id, to: people(count), subject: 'Hello', text: 'Hello', ...more });
/** Returns the seconds that a refusal says to wait. */
const refused = async (sending: Promise<unknown>): Promise<number> => {
  const error = await sending.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RateLimitError);
  const { body } = error as RateLimitError & { body: { reason: string; retry_after_seconds: number } };
  expect(body.reason).toBe('policy');
  return body.retry_after_seconds;
};

/** The clock runs while a test does. */
const expectSeconds = (seconds: number, expected: number) => {
  expect(seconds).toBeLessThanOrEqual(expected);
  expect(seconds).toBeGreaterThan(expected - 60);
};

test('Interface 11 Policy: an hour slides, and retry_after_seconds is when the message fits', async () => {
  await set({ per_hour: 3 });
  await send(2);
  clock.advance(20 * minuteMs);
  await send(1);
  const afterFirst = await refused(send(2));
  const afterBoth = await refused(send(3));
  expectSeconds(afterFirst, 45 * 60);
  expectSeconds(afterBoth, 65 * 60);
  clock.advance(afterFirst * 1_000 - 30_000);
  await refused(send(1));
  clock.advance(30_000);
  await send(2);
  await refused(send(1));
});

test('Interface 11 Policy: a day slides', async () => {
  await set({ per_day: 2 });
  await send();
  clock.advance(10 * hourMs);
  await send();
  const seconds = await refused(send());
  expectSeconds(seconds, 14 * 3_600 + 5 * 60);
  clock.advance(seconds * 1_000 - 30_000);
  await refused(send());
  clock.advance(30_000);
  await send();
  await refused(send());
});

test('Interface 11 Policy: a cap of a thread holds for replies, for sends that name a message of it, and for no other thread', async () => {
  await set({ per_thread_hour: 2 }, 'inbox');
  const id = server.freshName('mail');
  await deliverMail(server, inbox.address, { id });
  const { messages } = await client.messages.list({ inbox_id: inbox.id });
  const [received] = messages;
  await client.messages.reply(received!.id, { text: 'One' });
  await send(1, { in_reply_to: rfcId(id) });
  await refused(client.messages.reply(received!.id, { text: 'Three' }));
  await refused(send(1, { in_reply_to: rfcId(id) }));
  await refused(client.messages.forward(received!.id, { to: people(1) }));
  const draft = await client.drafts.create({
    inbox_id: inbox.id,
    reply_to_message_id: received!.id,
    text: 'Four',
  });
  await refused(client.drafts.send(draft.id));
  for (let n = 0; n < 3; n += 1) await send();
  clock.advance(65 * minuteMs);
  await client.messages.reply(received!.id, { text: 'Five' });
});

test('Interface 11 Policy: a cap of a thread holds for messages that name an unknown one', async () => {
  await set({ per_thread_hour: 2 });
  const named = { in_reply_to: rfcId(server.freshName('unknown')) };
  const sent = [await send(1, named), await send(1, named)];
  expect(new Set(sent.map(({ thread_id }) => thread_id)).size).toBe(1);
  await refused(send(1, named));
});

test('Interface 11 Policy: what was sent in threads that are merged counts for the one that is left', async () => {
  await set({ per_thread_hour: 2 });
  const parent = server.freshName('parent');
  const [first, second] = [server.freshName('first'), server.freshName('second')];
  for (const id of [first, second]) await deliverMail(server, inbox.address, { id });
  for (const id of [first, second])
    await deliverMail(server, inbox.address, { id: `${id}-more`, references: [parent, id] });
  for (const id of [first, second]) await send(1, { in_reply_to: rfcId(id) });
  await deliverMail(server, inbox.address, { id: parent });
  await refused(send(1, { in_reply_to: rfcId(first) }));
  await refused(send(1, { in_reply_to: rfcId(second) }));
});

test('Interface 11 Policy: a cap of recipients of a message counts those that are left', async () => {
  await set({ recipients_max: 2, recipients: ['remote.example'] });
  expect(await send(2, { cc: 'eve@other.example' })).toMatchObject({
    dropped: [{ address: 'eve@other.example', reason: 'policy' }],
  });
  expect(await refused(send(3))).toBe(86_400);
  await set({ recipients_max: 0 });
  await refused(send(1));
});

test('Interface 11 Policy: a recipient is one person in to, cc and bcc, under any plus tag and letter case', async () => {
  await set({ per_recipient_day: 3 });
  const name = server.freshName('rcpt');
  const to = (tag: string) => `${name}${tag}@remote.example`;
  await client.messages.send({ inbox_id: inbox.id, to: to(''), cc: to('+a'), subject: 's', text: 't' });
  await refused(
    client.messages.send({ inbox_id: inbox.id, to: to('+b'), bcc: to('+c'), subject: 's', text: 't' }),
  );
  await client.messages.send({ inbox_id: inbox.id, to: to('+D').toUpperCase(), subject: 's', text: 't' });
  await refused(client.messages.send({ inbox_id: inbox.id, to: to(''), subject: 's', text: 't' }));
});

test('Interface 11 Policy: an address that reads like the name of a thread is one recipient', async () => {
  await set({ per_recipient_day: 2, per_thread_hour: 5 });
  const letter = { inbox_id: inbox.id, to: '{thread}@remote.example', subject: 's', text: 't' };
  await client.messages.send(letter);
  await client.messages.send(letter);
  await refused(client.messages.send(letter));
});

test('Interface 11 Policy: counts survive the deletion of messages, threads and inboxes', async () => {
  await set({ per_day: 3 });
  const [first, second, third] = [await send(), await send(), await send()];
  await client.messages.delete(first.id);
  await client.threads.delete(second.thread_id);
  await client.inboxes.delete(inbox.id);
  expect(third.id).toBeDefined();
  inbox = await client.inboxes.create({ local_part: server.freshName() });
  await refused(send());
});

test('Interface 11 Policy: a scheduled draft over a cap fails at its time', async () => {
  await set({ per_hour: 1 });
  await send();
  const scheduled_at = new Date(clock.now().getTime() + 1_000).toISOString();
  const { id } = await client.drafts.create({
    inbox_id: inbox.id,
    to: people(1),
    subject: 's',
    scheduled_at,
  });
  clock.advance(30_000);
  await expect
    .poll(() => client.drafts.get(id))
    .toMatchObject({
      status: 'failed',
      failure: 'rate_limited',
    });
});

test('Interface 11 Policy: a refused, repeated or dropped send does not count', async () => {
  await set({ per_hour: 2, recipients: ['remote.example'] });
  const client_id = server.freshName();
  const letter = { inbox_id: inbox.id, to: people(1), subject: 's', text: 't', client_id };
  const { id } = await client.messages.send(letter);
  expect(await client.messages.send(letter)).toMatchObject({ id, idempotent: true });
  await expect(client.messages.send({ ...letter, client_id: 'x', to: 'a@other.example' })).rejects.toThrow();
  await refused(send(2));
  await send(1);
});

test('Interface 11 Policy: counts are removed once no window reaches them', async () => {
  await set({ per_day: 1, per_thread_hour: 5, per_recipient_day: 5 });
  await send();
  const count = async () =>
    (await server.rows('select from send_counts where workspace_id = $1', [workspaceId])).length;
  expect(await count()).toBe(3);
  clock.advance(25 * hourMs);
  await removeExpired(server.server.deps).run({});
  expect(await count()).toBe(3);
  clock.advance(hourMs + slotMs);
  await removeExpired(server.server.deps).run({});
  expect(await count()).toBe(0);
});

test('Interface 11 Policy: sends at the same moment do not exceed a cap together', async () => {
  await set({ per_hour: 8, per_day: 8, per_recipient_day: 3 });
  await set({ per_hour: 7 }, 'inbox');
  const to = people(1);
  const sent = await Promise.allSettled([
    ...Array.from({ length: 10 }, () => send(1, { to })),
    ...Array.from({ length: 20 }, () => send(2)),
  ]);
  const accepted = sent.map(({ status }) => status === 'fulfilled');
  const toOne = accepted.slice(0, 10).filter(Boolean).length;
  const toTwo = accepted.slice(10).filter(Boolean).length;
  expect(toOne).toBeLessThanOrEqual(3);
  expect(toOne + 2 * toTwo).toBeLessThanOrEqual(7);
  expect(toOne + 2 * toTwo).toBeGreaterThanOrEqual(6);
});

test('Interface 11 Policy: large messages at the same moment do not exceed a cap together', async () => {
  await set({ per_hour: 150, per_day: 150 });
  const sent = await Promise.allSettled(Array.from({ length: 12 }, () => send(50)));
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('Interface 11 Policy: a cap of a thread holds for a send that names it last of all', async () => {
  await set({ per_thread_hour: 2 });
  const first = await send();
  const others = (round: number) => Array.from({ length: 49 }, (_, n) => rfcId(`other-${round}-${n}`));
  const named = (round: number) => ({
    in_reply_to: rfcId(`answered-${round}`),
    references: [first.message_id, ...others(round)],
  });
  expect((await send(1, named(1))).thread_id).toBe(first.thread_id);
  await refused(send(1, named(2)));
});
