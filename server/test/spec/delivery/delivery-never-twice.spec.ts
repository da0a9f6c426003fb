/*
 * Never silently sent twice, never silently forgotten: a relay that hangs, drops, stalls and refuses at every point of a session,
 * and what became of each recipient, counted by the copies that it took.
 */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { SinkStep } from '@postrider/testkit/smtp/sink-script.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

/** Three hundred times as fast: the first retry comes after 0.2 s. */
const timeScale = 300;
const env = { POSTRIDER_RATE_LIMITS: 'off', POSTRIDER_TIME_SCALE: String(timeScale) };
/** How long each answer is awaited: so much that one is not missed because the machine is busy. A send does not wait for as long. */
const waits = { peerMs: 6_000, settleMs: 10_000 };
const hour = 3_600_000;
const clock = createMovingClock();
const pass = (durationMs: number) => clock.advance(durationMs / timeScale);
const looked = () => new Promise((resolve) => setTimeout(resolve, 300));
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({ clock, env, waits });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const address = (name = 'rcpt') => `${server.freshName(name)}@remote.example`;
const send = async (to: string[], text = 't') => {
  const { id } = await server.client.messages.send({ inbox_id: inbox.id, to, subject: 's', text });
  return id;
};
const underway = ['queued', 'sending', 'deferred'];
const settled = (id: string) =>
  eventually(`${id} to be settled`, async () => {
    const message = await server.client.messages.get(id);
    return message.recipients.every(({ status }) => !underway.includes(status)) && message;
  });
const statusOf = async (id: string) => (await server.client.messages.get(id)).recipients[0]?.status;
/** Copies that the recipient has or may have: the relay did not say no to them. */
const copiesThatCount = (recipient: string) =>
  sink.copiesFor(recipient).filter(({ answer }) => answer === null || answer.startsWith('2'));

test('Interface 3 delivery_status: a relay that goes silent before the final dot leaves the mail deferred, and one copy arrives in the end', async () => {
  const stages = ['mail', 'rcpt', 'data'] as const;
  // Each hangs whoever comes to it first, so that all three are waited for at the same time.
  sink.script(...stages.map((at) => ({ at, hang: true, times: 1 })));
  const sent = await Promise.all(
    stages.map(async () => {
      const to = address();
      return { to, id: await send([to]) };
    }),
  );
  for (const { to, id } of sent) {
    expect((await settled(id)).recipients[0]?.status).toBe('sent');
    expect(sink.copiesFor(to)).toHaveLength(1);
  }
});

test('Interface 3 delivery_status: a relay that stalls in the middle of a large message gets it once, whole, in the end', async () => {
  const to = address();
  sink.script({ at: 'content', afterBytes: 100_000, hang: true, times: 1 });
  const id = await send([to], 'A line of text.\n'.repeat(300_000));
  const { recipients } = await settled(id);
  // The part of the message that the system had taken by then may have been all of it.
  expect(['sent', 'failed']).toContain(recipients[0]?.status);
  expect(sink.copiesFor(to).length).toBe(recipients[0]?.status === 'sent' ? 1 : 0);
});

test('Interface 3 delivery_status: a relay that goes silent after the final dot is waited for while the recipient is sending, which then failed as unconfirmed and is never sent again', async () => {
  const to = address();
  sink.script({ at: 'dot', hang: true });
  const id = await send([to]);
  await eventually('the message to be handed over', async () => sink.copiesFor(to).length === 1);
  const seen = new Set<string | undefined>();
  await eventually('the end', async () => {
    const status = await statusOf(id);
    seen.add(status);
    return status !== 'sending';
  });
  expect([...seen]).toEqual(['sending', 'failed']);
  const message = await settled(id);
  expect(message).toMatchObject({ delivery_status: 'failed', provider_message_id: null });
  expect(message.recipients).toMatchObject([
    { status: 'failed', detail: expect.stringMatching(/^unconfirmed: /) },
  ]);
  pass(50 * hour);
  await looked();
  expect(await statusOf(id)).toBe('failed');
  expect(sink.copiesFor(to)).toHaveLength(1);
  expect(await server.rows('select 1 from suppressions where address = $1', [to])).toEqual([]);
});

test('Interface 3 delivery_status: an answer to the last byte that comes late but in time is the answer', async () => {
  const to = address();
  const answered = Promise.withResolvers<void>();
  sink.script({ at: 'dot', until: answered.promise });
  const id = await send([to]);
  await eventually('the message to be handed over', async () => sink.copiesFor(to).length === 1);
  expect(await statusOf(id)).toBe('sending');
  answered.resolve();
  expect((await settled(id)).recipients).toMatchObject([{ status: 'sent' }]);
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('Interface 3 delivery_status: a relay that nobody reaches is tried until expiry, then failed with reason expired and no suppression', async () => {
  const away = await startTestServer({
    clock,
    waits,
    env: { ...env, POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: 'smtp://127.0.0.1:1' },
  });
  try {
    const from = await away.inbox();
    const { id } = await away.client.messages.send({ inbox_id: from.id, to: [address()], subject: 's' });
    const seen = (status: string) =>
      eventually(`${id} to be ${status}`, async () => {
        const { recipients } = await away.client.messages.get(id);
        return recipients[0]?.status === status && recipients[0];
      });
    expect((await seen('deferred')).detail).toMatch(/ECONNREFUSED/);
    await eventually('several tries', async () => {
      const [row] = await away.rows<{ attempts: number }>('select attempts from message_recipients');
      return (row?.attempts ?? 0) >= 3;
    });
    pass(49 * hour);
    expect((await seen('failed')).detail).toMatch(/^expired: /);
    expect(await away.rows('select event, extra->>$1 as reason from events', ['reason'])).toEqual([
      { event: 'message.deferred', reason: null },
      { event: 'message.rejected', reason: 'expired' },
    ]);
    expect(await away.rows('select 1 from suppressions')).toEqual([]);
  } finally {
    await away.stop();
  }
});

/** How a recipient is treated, and in which states it may end. */
interface Treatment {
  name: string;
  steps: SinkStep[];
  ends: string[];
}

const givenUp = Promise.withResolvers<void>();
const later = '451 4.3.0 Try again later';
const treatments: Treatment[] = [
  { name: 'taken', steps: [], ends: ['sent'] },
  { name: 'taken slowly', steps: [{ at: 'dot', delayMs: 600 }], ends: ['sent'] },
  { name: 'answered in drops', steps: [{ at: 'rcpt', dripMs: 20 }], ends: ['sent'] },
  { name: 'no such user', steps: [{ at: 'rcpt', reply: '550 5.1.1 No such user' }], ends: ['bounced'] },
  {
    name: 'no such user after all',
    steps: [{ at: 'dot', reply: '550 5.1.1 No such user' }],
    ends: ['bounced'],
  },
  { name: 'unwanted', steps: [{ at: 'dot', reply: '554 5.7.1 Spam' }], ends: ['rejected'] },
  { name: 'later at RCPT', steps: [{ at: 'rcpt', reply: later, times: 2 }], ends: ['sent'] },
  { name: 'later at the end', steps: [{ at: 'dot', reply: later, times: 2 }], ends: ['sent'] },
  {
    name: 'later, then never',
    steps: [
      { at: 'dot', reply: later, times: 1 },
      { at: 'dot', reply: '550 5.1.1 No' },
    ],
    ends: ['bounced'],
  },
  { name: 'dropped at RCPT', steps: [{ at: 'rcpt', drop: true, times: 2 }], ends: ['sent'] },
  { name: 'dropped at DATA', steps: [{ at: 'data', drop: true, times: 2 }], ends: ['sent'] },
  {
    name: 'closing',
    steps: [{ at: 'rcpt', reply: '421 4.3.2 Closing', drop: true, times: 1 }],
    ends: ['sent'],
  },
  { name: 'silent at RCPT', steps: [{ at: 'rcpt', hang: true, times: 1 }], ends: ['sent'] },
  { name: 'silent at DATA', steps: [{ at: 'data', hang: true, times: 1 }], ends: ['sent'] },
  { name: 'dropped after the end', steps: [{ at: 'dot', drop: true }], ends: ['failed'] },
  { name: 'taken and dropped', steps: [{ at: 'dot', reply: '250 2.0.0 Ok', drop: true }], ends: ['sent'] },
  {
    name: 'half an answer',
    steps: [{ at: 'dot', reply: '25', unterminated: true, drop: true }],
    ends: ['failed'],
  },
  { name: 'silent after the end', steps: [{ at: 'dot', hang: true }], ends: ['failed'] },
  { name: 'far too late', steps: [{ at: 'dot', until: givenUp.promise }], ends: ['failed'] },
  {
    name: 'later, then silent',
    steps: [
      { at: 'dot', reply: later, times: 1 },
      { at: 'dot', hang: true },
    ],
    ends: ['failed'],
  },
];

/** Checks the rules that hold for every recipient, however it was treated. */
const checkCopies = (recipient: string, status: string | undefined, where: string) => {
  const counting = copiesThatCount(recipient);
  const accepted = counting.filter(({ answer }) => answer !== null);
  expect(counting.length, where).toBeLessThanOrEqual(1);
  if (status === 'sent') expect(accepted.length, where).toBe(1);
  if (status === 'bounced' || status === 'rejected') expect(counting.length, where).toBe(0);
  expect(
    new Set(sink.copiesFor(recipient).map(({ messageId }) => messageId)).size,
    where,
  ).toBeLessThanOrEqual(1);
};

test('Interface 3 delivery_status: 100 recipients over every behaviour of a relay, at random: none gets a mail twice and none is forgotten', async () => {
  const picks = Array.from({ length: 100 }, (_, index) => ({
    // Every treatment at least once, the rest at random.
    treatment: treatments[
      index < treatments.length ? index : Math.floor(Math.random() * treatments.length)
    ] as Treatment,
    address: address(),
    rank: Math.random(),
  })).sort((a, b) => a.rank - b.rank);
  for (const { treatment, address: recipient } of picks)
    sink.script(...treatment.steps.map((step) => ({ ...step, recipient })));
  // Now and then the relay fails whoever comes.
  sink.script({ at: 'greeting', after: 5, times: 2, reply: '421 4.3.2 Too busy', drop: true });
  sink.script(
    { at: 'greeting', after: 20, times: 2, drop: true },
    { at: 'mail', after: 40, times: 2, reply: later },
  );
  const ids: string[] = [];
  for (let first = 0; first < picks.length; ) {
    // A message of nobody but unwanted ones would be answered with 422.
    const left = picks.length - first;
    const size = left < 15 ? left : 5 + Math.floor(Math.random() * 8);
    ids.push(await send(picks.slice(first, first + size).map((pick) => pick.address)));
    first += size;
  }
  const statuses = new Map<string, string>();
  for (const id of ids)
    for (const { address: recipient, status } of (await settled(id)).recipients)
      statuses.set(recipient, status);
  givenUp.resolve();
  await looked();
  for (const { treatment, address: recipient } of picks) {
    const status = statuses.get(recipient);
    const where = `${recipient}: ${treatment.name}`;
    expect(treatment.ends, where).toContain(status);
    checkCopies(recipient, status, where);
  }
  pass(50 * hour);
  await looked();
  for (const { address: recipient } of picks) checkCopies(recipient, statuses.get(recipient), recipient);
  const kinds = Object.groupBy([...statuses.values()], (status) => status);
  console.log(
    `${statuses.size} recipients: ${Object.entries(kinds)
      .map(([kind, all]) => `${all?.length} ${kind}`)
      .join(', ')}`,
  );
});
