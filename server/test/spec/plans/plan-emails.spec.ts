/* Section 7: messages of a UTC calendar month are held against the plan, exactly but for what is in flight. */
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeWorkspace } from '../../../src/workspaces/manage-workspaces.ts';
import { monthEnd } from '../../../src/workspaces/usage.ts';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.stop());

const to = ['ada@remote.example'];
const send = ({ client }: TestWorkspace, inbox: Pick<Inbox, 'id'>, more: object = {}) =>
  client.messages.send({ inbox_id: inbox.id, to, subject: 's', text: 't', ...more });
const emailsOf = async ({ client }: TestWorkspace) => (await client.account.get()).usage.emails_this_month;

/** Has a workspace send so many messages, as far as its usage tells. */
const pretend = (owner: TestWorkspace, emails: number) =>
  server.rows("insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'emails', $2, $3)", [
    owner.id,
    emails,
    clock.now(),
  ]);

/** A workspace on the free plan that may send `left` more messages this month, with an inbox. */
const nearlyFull = async (left: number) => {
  const owner = await server.workspace({ plan: 'free' });
  await pretend(owner, 5_000 - left);
  return { owner, inbox: await server.inbox(owner) };
};

test.each([
  { rule: 'Limits Free plan emails', plan: 'free', limit: 5_000, upgrade: true },
  { rule: 'Limits Paid entry plan', plan: 'pro', limit: 20_000, upgrade: true },
  { rule: 'Interface 7 emails sent a month, Scale', plan: 'scale', limit: 200_000, upgrade: true },
  { rule: 'Interface 7 emails sent a month, Business', plan: 'business', limit: 2_000_000, upgrade: false },
] as const)('$rule: $limit, and one more is 402 email_limit_reached with upgrade $upgrade', async (row) => {
  const { plan, limit, upgrade } = row;
  const owner = await server.workspace({ plan });
  const inbox = await server.inbox(owner);
  await pretend(owner, limit - 1);
  await send(owner, inbox);
  await catchApiError(send(owner, inbox), 'email_limit_reached', { upgrade, limit });
  expect(await emailsOf(owner)).toBe(limit);
});

test('Interface 7: replies and forwards count and are refused as sends are, and inbound mail goes on', async () => {
  const { owner, inbox } = await nearlyFull(3);
  const mail = { from: 'ada@remote.example', to: inbox.address, subject: 'Hello', text: 'Hi' };
  await sendMail(server.smtpPort, mail);
  const { id } = await owner.client.messages.waitFor({
    inbox_id: inbox.id,
    after: inbox.created_at,
    timeout: 300_000,
  });
  const { reply, forward } = owner.client.messages;
  const calls = [
    () => send(owner, inbox),
    () => reply.call(owner.client.messages, id, { text: 'Yes' }),
    () => forward.call(owner.client.messages, id, { to }),
  ];
  for (const call of calls) await call();
  for (const call of calls)
    await catchApiError(Promise.resolve(call()), 'email_limit_reached', { limit: 5_000 });
  await sendMail(server.smtpPort, { ...mail, subject: 'Again' });
  expect(await emailsOf(owner)).toBe(5_000);
});

test('Interface 7: the count is of messages, not of recipients, and a repeat of a client_id counts once', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const body = { to: ['a@remote.example', 'b@remote.example'], cc: ['c@remote.example'], client_id: 'once' };
  await send(owner, inbox, body);
  await send(owner, inbox, body);
  expect(await emailsOf(owner)).toBe(1);
});

test('Interface 2 Errors email_limit_reached: comes after the 404, the repeat and the 413, and before the 422', async () => {
  const { owner, inbox } = await nearlyFull(1);
  const first = await send(owner, inbox, { client_id: 'first' });
  await catchApiError(send(owner, inbox), 'email_limit_reached');
  expect(await send(owner, inbox, { client_id: 'first' })).toEqual({ ...first, idempotent: true });
  await catchApiError(send(owner, { id: 'inb_unknown' }), 'not_found');
  const tooLarge = { filename: 'x', content: Buffer.alloc(limits.attachmentBytesMax + 1) };
  await catchApiError(send(owner, inbox, { attachments: [tooLarge] }), 'attachment_too_large');
  await server.rows(
    "insert into suppressions (workspace_id, address, reason, created_at) values ($1, $2, 'manual', $3)",
    [owner.id, to[0], clock.now()],
  );
  await catchApiError(send(owner, inbox), 'email_limit_reached');
});

test('Interface 7: a refused send stores nothing, reserves no client_id, and goes out once the plan allows it', async () => {
  const { owner, inbox } = await nearlyFull(0);
  await catchApiError(send(owner, inbox, { client_id: 'later' }), 'email_limit_reached');
  expect((await owner.client.messages.list()).messages).toEqual([]);
  await changeWorkspace(server.server.deps, owner, { plan: 'pro' });
  expect((await send(owner, inbox, { client_id: 'later' })).idempotent).toBe(false);
  await changeWorkspace(server.server.deps, owner, { plan: 'free' });
  await catchApiError(send(owner, inbox), 'email_limit_reached', { upgrade: true, limit: 5_000 });
});

test('Interface 7: twenty sends at once overshoot by what is in flight at most, and the next one is refused', async () => {
  const { owner, inbox } = await nearlyFull(5);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => send(owner, inbox)));
  const sent = answers.filter((answer) => answer.status === 'fulfilled').length;
  expect(sent).toBeGreaterThanOrEqual(5);
  for (const answer of answers)
    if (answer.status === 'rejected')
      await catchApiError(Promise.reject(answer.reason), 'email_limit_reached');
  await catchApiError(send(owner, inbox), 'email_limit_reached');
  expect(await emailsOf(owner)).toBe(4_995 + sent);
  expect((await owner.client.messages.list()).messages).toHaveLength(sent);
});

test('Interface 7: deleting what was sent gives no more messages in the month', async () => {
  const { owner, inbox } = await nearlyFull(1);
  await send(owner, inbox);
  await owner.client.inboxes.delete(inbox.id);
  expect(await emailsOf(owner)).toBe(5_000);
  await catchApiError(send(owner, await server.inbox(owner)), 'email_limit_reached');
});

test('Interface 7: a workspace that was far from its cap is known to be near it within a second', async () => {
  const owner = await server.workspace({ plan: 'pro' });
  const inbox = await server.inbox(owner);
  await send(owner, inbox);
  await pretend(owner, 20_000);
  const refusal = () =>
    send(owner, inbox).then(
      () => null,
      (error: unknown) => error,
    );
  const refused = await eventually('a refusal', refusal);
  await catchApiError(Promise.reject(refused), 'email_limit_reached');
});

test('Interface 7: the month is the UTC calendar month, to the millisecond, and a new one begins at nothing', async () => {
  const { owner, inbox } = await nearlyFull(1);
  const edge = monthEnd(clock.now());
  clock.advance(edge.getTime() - clock.now().getTime() - 60_000);
  const account = await owner.client.account.get();
  expect(account.usage).toMatchObject({ emails_this_month: 4_999, month_ends_at: edge.toISOString() });
  await send(owner, inbox);
  await catchApiError(send(owner, inbox), 'email_limit_reached');
  const entry = (at: number) =>
    server.rows("insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'emails', 10, $2)", [
      owner.id,
      new Date(at),
    ]);
  await entry(edge.getTime() - 1);
  await entry(edge.getTime());
  expect(await emailsOf(owner)).toBe(5_010);
  clock.advance(60_001);
  expect(await emailsOf(owner)).toBe(10);
  await send(owner, inbox);
  const { usage } = await owner.client.account.get();
  expect(usage).toMatchObject({
    emails_this_month: 11,
    month_ends_at: monthEnd(clock.now()).toISOString(),
  });
});
