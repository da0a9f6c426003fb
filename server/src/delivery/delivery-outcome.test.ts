import { Event, limits } from '@postrider/contract';
import { describe, expect, test } from 'vitest';
import { createTimeScale } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Outcome } from '../mail/transports/transport.ts';
import {
  type Attempt,
  type DeliveryChange,
  decideComplaint,
  decideDelivery,
  retryDelaysMs,
} from './delivery-outcome.ts';

const minute = 60_000;
const start = new Date('2026-03-01T12:00:00.000Z');
const expiry = new Date(start.getTime() + limits.deliveryExpiryMs);
const refusal = { code: 550, enhanced: '5.1.1', detail: '550 5.1.1 No such user' };
const delay = { code: 450, enhanced: '4.2.0', detail: '450 4.2.0 Greylisted' };

const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  recipient: 'ada@example.com',
  attempts: 1,
  expiresAt: expiry,
  at: start,
  timeScale: createTimeScale(1),
  ...change,
});

const expired = attempt({ at: expiry, attempts: 20 });
const accepted = (final: boolean): Outcome => ({
  kind: 'accepted',
  providerMessageId: 'ABC',
  detail: '250 2.0.0 Ok',
  final,
});

/** The events of a change as readers get them, checked by the contract. */
const eventsOf = (change: DeliveryChange) =>
  change.events.map(({ id, event, extra }) => {
    const shared = { workspace_id: newId('wsp'), inbox_id: newId('inb'), thread_id: newId('thr') };
    const about = { message_ref: newId('msg'), message: null };
    const whole = { id, event, created_at: start.toISOString(), ...shared, ...about, ...extra };
    return Event.parse(whole);
  });

const cases: [string, Outcome, Attempt, Partial<DeliveryChange>, object[]][] = [
  [
    'taken by a relay, it is sent',
    accepted(false),
    attempt(),
    { status: 'sent', detail: '250 2.0.0 Ok', providerMessageId: 'ABC', suppression: null, sandboxed: false },
    [{ event: 'message.sent', recipient: 'ada@example.com' }],
  ],
  [
    'kept by the sandbox, it is sent, and says that it went nowhere',
    { ...accepted(false), detail: 'sandbox: not sent', isSandboxed: true } as Outcome,
    attempt(),
    { status: 'sent', detail: 'sandbox: not sent', sandboxed: true },
    [{ event: 'message.sent', recipient: 'ada@example.com' }],
  ],
  [
    'in the hands of the recipient, it is delivered',
    accepted(true),
    attempt(),
    { status: 'delivered', providerMessageId: 'ABC' },
    [{ event: 'message.delivered', recipient: 'ada@example.com' }],
  ],
  [
    'a refused recipient has bounced hard and is suppressed',
    { kind: 'rejected', scope: 'recipient', ...refusal },
    attempt(),
    { status: 'bounced', detail: refusal.detail, suppression: 'hard_bounce' },
    [{ event: 'message.bounced', bounce: { type: 'hard', code: '5.1.1', diagnostic: refusal.detail } }],
  ],
  [
    'a bounce without an enhanced code names the reply code',
    { kind: 'rejected', scope: 'recipient', code: 550, enhanced: null, detail: '550 No' },
    attempt(),
    { status: 'bounced' },
    [{ event: 'message.bounced', bounce: { type: 'hard', code: '550', diagnostic: '550 No' } }],
  ],
  [
    'a bounce without any code names none',
    { kind: 'rejected', scope: 'recipient', code: null, enhanced: null, detail: 'No' },
    attempt(),
    { status: 'bounced' },
    [{ event: 'message.bounced', bounce: { type: 'hard', code: null, diagnostic: 'No' } }],
  ],
  [
    'a refused message is rejected and says nothing against the recipient',
    { kind: 'rejected', scope: 'message', code: 554, enhanced: '5.7.1', detail: '554 5.7.1 Spam' },
    attempt(),
    { status: 'rejected', detail: '554 5.7.1 Spam', suppression: null },
    [{ event: 'message.rejected', recipient: 'ada@example.com', reason: '554 5.7.1 Spam' }],
  ],
  [
    'one whose mailbox is full has bounced softly',
    {
      kind: 'rejected',
      scope: 'recipient',
      isSoft: true,
      code: 452,
      enhanced: '4.2.2',
      detail: '452 4.2.2 Full',
    },
    attempt(),
    { status: 'bounced', suppression: 'soft_bounce' },
    [{ event: 'message.bounced', bounce: { type: 'soft', code: '4.2.2', diagnostic: '452 4.2.2 Full' } }],
  ],
  [
    'a deferral that says when to come back is tried then',
    { kind: 'deferred', cause: 'recipient', retryAfterMs: 2_000, ...delay },
    attempt({ attempts: 5 }),
    { status: 'deferred', dueAt: new Date(start.getTime() + 2_000) },
    [{ event: 'message.deferred', recipient: 'ada@example.com', detail: delay.detail }],
  ],
  [
    'a recipient that asks to wait is tried again',
    { kind: 'deferred', cause: 'recipient', ...delay },
    attempt(),
    {
      status: 'deferred',
      detail: delay.detail,
      dueAt: new Date(start.getTime() + minute),
      suppression: null,
    },
    [{ event: 'message.deferred', recipient: 'ada@example.com', detail: delay.detail }],
  ],
  [
    'a recipient that asked to wait until the message expired has bounced softly',
    { kind: 'deferred', cause: 'recipient', ...delay },
    expired,
    { status: 'bounced', suppression: 'soft_bounce', dueAt: null },
    [{ event: 'message.bounced', bounce: { type: 'soft', code: '4.2.0', diagnostic: delay.detail } }],
  ],
  [
    'a relay that was away until the message expired makes it fail and suppresses nobody',
    { kind: 'deferred', cause: 'relay', code: null, enhanced: null, detail: 'connect ECONNREFUSED' },
    expired,
    { status: 'failed', detail: 'expired: connect ECONNREFUSED', suppression: null, dueAt: null },
    [{ event: 'message.rejected', recipient: 'ada@example.com', reason: 'expired' }],
  ],
  [
    'what may have gone is unconfirmed and never tried again',
    { kind: 'unconfirmed', detail: 'the relay closed the connection' },
    attempt(),
    {
      status: 'failed',
      detail: 'unconfirmed: the relay closed the connection',
      dueAt: null,
      suppression: null,
    },
    [],
  ],
];

describe('what an attempt means for its recipient', () => {
  test.each(cases)('%s', (_name, outcome, made, expected, events) => {
    const change = decideDelivery(outcome, made);
    expect(change).toMatchObject(expected);
    expect(eventsOf(change)).toMatchObject(events);
    // A reply about the recipient itself also counts after the recipient was given up, or was sent by somebody else.
    const isEvidence = ['delivered', 'bounced'].includes(change.status);
    const late = isEvidence ? ['failed', 'sent'] : [];
    expect(change.fromStatuses.toSorted()).toEqual(['deferred', 'queued', 'sending', ...late].sort());
    expect(change.isEvidence).toBe(isEvidence);
    if (change.status !== 'deferred') expect(change.dueAt).toBeNull();
  });
});

describe('what a complaint means for its recipient', () => {
  test.each([['abuse'], [null]])('of type %s, it is suppressed, and the event names the type', (type) => {
    const change = decideComplaint(type, { recipient: 'ada@example.com', at: start });
    expect(change).toMatchObject({ status: 'complained', suppression: 'complaint', dueAt: null });
    expect(eventsOf(change)).toMatchObject([
      { event: 'message.complained', recipient: 'ada@example.com', complaint: { feedback_type: type } },
    ]);
  });

  test('that will come, the recipient is delivered and looked at again', () => {
    const outcome: Outcome = { ...accepted(true), complaintAfterMs: 2_000 } as Outcome;
    const dueAt = new Date(start.getTime() + 2_000);
    expect(decideDelivery(outcome, attempt())).toMatchObject({
      status: 'delivered',
      dueAt,
      suppression: null,
    });
    const complained = decideDelivery({ kind: 'complained', feedbackType: 'abuse' }, attempt());
    expect(complained).toMatchObject({ status: 'complained', dueAt: null });
  });

  test('counts from everything but a bounce, a rejection and a complaint, whoever learned it', () => {
    const { fromStatuses, isEvidence } = decideComplaint('abuse', attempt());
    expect(fromStatuses.toSorted()).toEqual(['deferred', 'delivered', 'failed', 'queued', 'sending', 'sent']);
    expect(isEvidence).toBe(true);
  });
});

describe('the retries of a deferred recipient', () => {
  const later = (at: Date, attempts: number, timeScale = createTimeScale(1), expiresAt = expiry) =>
    decideDelivery(
      { kind: 'deferred', cause: 'relay', ...delay },
      attempt({ at, attempts, timeScale, expiresAt }),
    ).dueAt;

  test('come after growing waits, fill the 48 hours, and end with one at the expiry itself', () => {
    const tries = [start];
    for (let due = later(start, 1); due; due = later(due, tries.length)) tries.push(due);
    const waits = tries.slice(1).map((at, index) => (at.getTime() - (tries[index]?.getTime() ?? 0)) / minute);
    expect(waits.slice(0, 8)).toEqual([1, 5, 15, 30, 60, 120, 240, 240]);
    expect(waits.slice(6, -1).every((wait) => wait === 240)).toBe(true);
    expect(tries.at(-1)).toEqual(expiry);
    expect(expiry.getTime() - start.getTime()).toBe(48 * 60 * minute);
  });

  test('never wait past the expiry', () => {
    const nearly = new Date(expiry.getTime() - 1);
    expect(later(nearly, 1)).toEqual(expiry);
    expect(later(expiry, 1)).toBeNull();
  });

  test('run faster under a time scale', () => {
    expect(later(start, 1, createTimeScale(60))).toEqual(new Date(start.getTime() + 1_000));
    expect(later(start, retryDelaysMs.length + 5, createTimeScale(240))).toEqual(
      new Date(start.getTime() + minute),
    );
  });
});
