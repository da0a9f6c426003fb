/* A wait for a reply ends with a `DeliveryFailedError` once the message has failed for all of its recipients. */
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { deliveryReport } from '@postrider/testkit/mail/made-reports.ts';
import { decideHeld } from '@postrider/testkit/servers/decide-held.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { openReporting } from '@postrider/testkit/smtp/reporting.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import { DeliveryFailedError, type Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { pause, resume } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const hour = 3_600_000;
/** Ten times as fast, so that the simulator takes a fifth of a second for each step. */
const timeScale = 10;
const clock = createMovingClock();
let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;
let reporting: ReturnType<typeof openReporting>;

beforeAll(async () => {
  running = await startServerWithSink({ clock, env: { POSTRIDER_TIME_SCALE: String(timeScale) } });
  server = running.server;
  inbox = await server.inbox();
  reporting = openReporting(running, inbox);
});
afterAll(() => running.stop());

const simulated = (name: string) => `${name}+${server.freshName('x')}@simulator.postrider.test`;
const send = (to: string[], subject = 'Lunch?', { id: inbox_id } = inbox) =>
  server.client.messages.send({ inbox_id, to, subject, text: 'At noon?' });
const holdingInbox = async () => {
  const made = await server.inbox();
  const place = { workspaceId: server.id, level: 'inbox', subjectId: made.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  return made;
};
const answer = (messageId: string, subject: string) =>
  sendLines(server.smtpPort, { from: 'ada@example.com', to: inbox.address }, [
    'From: ada@example.com',
    `To: ${inbox.address}`,
    `Subject: ${subject}`,
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    `In-Reply-To: ${messageId}`,
    '',
    subject,
  ]);
const failureOf = async (wait: Promise<unknown>) => {
  const error = await wait.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DeliveryFailedError);
  return error as DeliveryFailedError;
};
const statusOf = async (id: string) => (await server.client.messages.get(id)).delivery_status;

test('Interface 4 wait_seconds: a wait for the reply to a message that bounced before ends at once, by message and by thread', async () => {
  const { messages } = server.client;
  const to = simulated('bounce');
  const sent = await send([to]);
  const errors = [
    await failureOf(messages.waitForReply(sent)),
    await failureOf(messages.waitFor({ thread_id: sent.thread_id })),
    await failureOf(messages.waitFor({ inbox_id: inbox.id, thread_id: sent.thread_id, after: sent })),
  ];
  for (const error of errors) {
    expect([error.reason, error.sent.id, error.threadId]).toEqual(['bounced', sent.id, sent.thread_id]);
    expect(error.recipients).toMatchObject([{ address: to, status: 'bounced' }]);
    expect(error.message).toContain('550 5.1.1 simulator: no such mailbox');
  }
});

test('Interface 4 wait_seconds: a bounce that comes back during the wait ends it', async () => {
  const out = await reporting.sendOut();
  const { thread_id } = await server.client.messages.get(out.id);
  const waits = [
    failureOf(server.client.messages.waitForReply(out.id, { timeout: 300_000 })),
    failureOf(server.client.messages.waitFor({ thread_id, timeout: 300_000 })),
  ];
  const report = { recipient: out.to, status: '5.1.1', diagnostic: '550 5.1.1 Nobody here' };
  await reporting.bringBack(out.returnPath, deliveryReport(report));
  for (const error of await Promise.all(waits)) {
    expect(error.reason).toBe('bounced');
    expect(error.recipients).toMatchObject([{ detail: '550 5.1.1 Nobody here' }]);
  }
});

test('Interface 4 wait_seconds: a complaint during the wait ends it', async () => {
  const sent = await send([simulated('complaint')]);
  expect((await failureOf(server.client.messages.waitForReply(sent))).reason).toBe('complained');
});

test('Interface 4 wait_seconds: the wait goes on over deferrals, and while one of several recipients may reply', async () => {
  const { messages } = server.client;
  const deferred = await send([simulated('defer')]);
  const wait = messages.waitForReply(deferred, { timeout: 300_000 });
  await eventually('the delivery', async () => (await statusOf(deferred.id)) === 'delivered');
  const echo = simulated('echo');
  const sent = await send([simulated('bounce'), simulated('reject'), echo]);
  expect((await messages.waitForReply(sent)).from_addr).toBe(echo);
  await answer(deferred.message_id, 'Re: Lunch?');
  expect((await wait).subject).toBe('Re: Lunch?');
});

test('Interface 4 wait_seconds: a message that failed earlier in the thread does not end the wait for the reply to a later one', async () => {
  const { messages } = server.client;
  const first = await send([simulated('bounce')]);
  const sent = await messages.send({
    inbox_id: inbox.id,
    to: [simulated('success')],
    subject: 'Re: Lunch?',
    in_reply_to: first.message_id,
  });
  expect(sent.thread_id).toBe(first.thread_id);
  const waits = [
    messages.waitForReply(sent, { timeout: 300_000 }),
    messages.waitFor({ thread_id: sent.thread_id, timeout: 300_000 }),
  ];
  await answer(sent.message_id, 'Yes');
  for (const { subject } of await Promise.all(waits)) expect(subject).toBe('Yes');
  expect((await failureOf(messages.waitForReply(first, { after: sent.id, match: () => false }))).reason).toBe(
    'bounced',
  );
});

test.each([
  ['refused', 'too pushy'],
  ['refused', null],
] as const)(
  'Interface 11 Approval: the wait for a reply goes on while a message is held, and ends when it is %s (%s)',
  async (_, reason) => {
    const held = await holdingInbox();
    const sent = await send([simulated('echo')], 'Lunch?', held);
    expect(sent.delivery_status).toBe('held');
    const { messages } = server.client;
    const waits = [
      failureOf(messages.waitForReply(sent, { timeout: 300_000 })),
      failureOf(messages.waitFor({ thread_id: sent.thread_id, timeout: 300_000 })),
    ];
    await decideHeld(server, 'refuse', sent.id, reason);
    for (const error of await Promise.all(waits)) {
      expect([error.reason, error.isRetryable]).toEqual(['not_approved', false]);
      expect(error.message).toContain(JSON.stringify(reason ?? 'people refused it without giving a reason'));
    }
  },
);

test('Interface 11 Approval: the wait for a reply that began while the message was held returns it once people approve', async () => {
  const sent = await send([simulated('echo')], 'Lunch?', await holdingInbox());
  const wait = server.client.messages.waitForReply(sent, { timeout: 300_000 });
  await decideHeld(server, 'approve', sent.id);
  expect((await wait).subject).toBe('Re: Lunch?');
});

test('Interface 11 Approval: a message that nobody approved in time has failed for those who wait', async () => {
  const sent = await send([simulated('echo')], 'Lunch?', await holdingInbox());
  const wait = failureOf(server.client.messages.waitForReply(sent, { timeout: 300_000 }));
  clock.advance((73 * hour) / timeScale);
  expect((await wait).message).toContain('nobody approved it within 72 hours');
});

test('Interface 11 Pause: a message that expires while sending is paused has failed, with an event and for those who wait', async () => {
  // Nothing falls due before the pause, however long that takes.
  clock.stop();
  const sent = await send([simulated('defer')]);
  const place = { level: 'inbox', workspaceId: server.id, subjectId: inbox.id } as const;
  await pause(server.server.deps, place, null, operator);
  clock.goOn();
  clock.advance(1_000);
  const wait = failureOf(server.client.messages.waitForReply(sent, { timeout: 300_000 }));
  const waiting = 'select from message_recipients where message_id = $1 and resume_at is not null';
  await eventually('the message to wait', async () => (await server.rows(waiting, [sent.id])).length > 0);
  clock.advance((49 * hour) / timeScale);
  const error = await wait;
  await resume(server.server.deps, place, operator);
  expect([error.reason, error.isRetryable]).toEqual(['expired', true]);
  expect(error.message).toContain('sending was paused until the message expired');
  expect(await reporting.eventsOf(sent)).toMatchObject([
    { event: 'message.deferred' },
    { event: 'message.rejected', extra: { reason: 'expired' } },
  ]);
});
