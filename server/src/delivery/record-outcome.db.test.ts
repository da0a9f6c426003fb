import type { DeliveryStatus } from '@postrider/contract';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimeScale } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { Outcome } from '../mail/transports/transport.ts';
import { findProviderMessageId, worstDeliveryStatus } from '../messages/message.view.ts';
import { readMessage } from '../messages/message-details.ts';
import { type DeliveryChange, decideDelivery } from './delivery-outcome.ts';
import { recordOutcome } from './recipient-state.ts';

const statuses: DeliveryStatus[] = [
  'complained',
  'bounced',
  'rejected',
  'failed',
  'deferred',
  'queued',
  'sending',
  'sent',
  'delivered',
];
const refusal = { code: 550, enhanced: '5.1.1', detail: '550 5.1.1 No such user' };
const outcomes: Record<string, Outcome> = {
  sent: { kind: 'accepted', providerMessageId: 'P1', detail: null, final: false },
  delivered: { kind: 'accepted', providerMessageId: 'P1', detail: null, final: true },
  bounced: { kind: 'rejected', scope: 'recipient', ...refusal },
  rejected: { kind: 'rejected', scope: 'message', ...refusal },
  deferred: { kind: 'deferred', cause: 'relay', code: null, enhanced: null, detail: 'away' },
  failed: { kind: 'unconfirmed', detail: 'lost' },
};
const at = new Date('2026-03-01T12:00:00.000Z');

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
});

afterAll(() => store.close());

const changeFor = (recipient: string, outcome: Outcome): DeliveryChange =>
  decideDelivery(outcome, {
    recipient,
    attempts: 1,
    expiresAt: new Date(at.getTime() + 1_000),
    at,
    timeScale: createTimeScale(1),
  });

const freshAddress = () => `${newId('evt')}@example.com`;

/** Stores an outbound mail whose recipients have these statuses. */
const outbound = async (recipients: Record<string, DeliveryStatus>): Promise<string> => {
  const messageId = newId('msg');
  await store.store({ inboxId, message: { id: messageId }, recipients: Object.keys(recipients) });
  for (const [address, status] of Object.entries(recipients)) {
    await store.rows('update message_recipients set status = $1 where message_id = $2 and address = $3', [
      status,
      messageId,
      address,
    ]);
  }
  return messageId;
};

const report = (messageId: string, address: string, outcome: Outcome, attempts: number | null = 1) =>
  recordOutcome(
    store.deps,
    { workspaceId: store.workspaceId, messageId, address },
    changeFor(address, outcome),
    at,
    attempts,
  );

const stateOf = async (messageId: string) => {
  const details = await readMessage(
    { ...store.deps, workspaceId: store.workspaceId, scope: wholeWorkspace },
    messageId,
  );
  const message = {
    delivery_status: worstDeliveryStatus(details),
    provider_message_id: findProviderMessageId(details),
  };
  const recipients = await store.rows<{ address: string; status: string; due_at: Date | null }>(
    'select address, status, due_at, detail from message_recipients where message_id = $1 order by position',
    [messageId],
  );
  const events = await store.rows<{ event: string; extra: unknown }>(
    'select event, extra from events where message_id = $1',
    [messageId],
  );
  return { message, recipients, events };
};

const suppressionsOf = (address: string) =>
  store.rows<{ reason: string; message_id: string }>(
    'select reason, message_id from suppressions where address = $1',
    [address],
  );

describe('the outcome of an attempt', () => {
  test.each(Object.entries(outcomes))(
    '%s follows a recipient that is underway, and on evidence one that was sent or given up',
    async (name, outcome) => {
      const isEvidence = name === 'delivered' || name === 'bounced';
      const from = ['queued', 'sending', 'deferred', ...(isEvidence ? ['sent', 'failed'] : [])];
      for (const present of statuses) {
        const address = freshAddress();
        const messageId = await outbound({ [address]: present });
        const before = await stateOf(messageId);
        const mayFollow = from.includes(present);
        expect([present, await report(messageId, address, outcome)]).toEqual([present, mayFollow]);
        const after = await stateOf(messageId);
        if (mayFollow) expect(after.recipients[0]?.status).toBe(name);
        else expect({ ...after, message: null }).toEqual({ ...before, message: null });
        expect(after.message.delivery_status).toBe(mayFollow ? name : present);
        expect((await suppressionsOf(address)).length).toBe(mayFollow && name === 'bounced' ? 1 : 0);
      }
    },
  );

  test('reported again changes nothing: one event, one suppression', async () => {
    const address = freshAddress();
    const messageId = await outbound({ [address]: 'sending' });
    expect(await report(messageId, address, outcomes.bounced!)).toBe(true);
    const first = await stateOf(messageId);
    for (const outcome of Object.values(outcomes))
      expect(await report(messageId, address, outcome, null)).toBe(false);
    expect(await stateOf(messageId)).toEqual(first);
    expect(first.events).toMatchObject([{ event: 'message.bounced', extra: { recipient: address } }]);
    expect(await suppressionsOf(address)).toEqual([{ reason: 'hard_bounce', message_id: messageId }]);
  });

  test('is an event the first time that a recipient is put off, and not again', async () => {
    const [a, b] = [freshAddress(), freshAddress()];
    const messageId = await outbound({ [a]: 'sending', [b]: 'sending' });
    for (const address of [a, a, b, a])
      expect(await report(messageId, address, outcomes.deferred!)).toBe(true);
    expect((await stateOf(messageId)).events).toMatchObject(
      [a, b].map((recipient) => ({ event: 'message.deferred', extra: { recipient, detail: 'away' } })),
    );
  });

  test('by the sandbox says that the mail was kept', async () => {
    const address = freshAddress();
    const messageId = await outbound({ [address]: 'sending' });
    await report(messageId, address, { ...outcomes.sent, isSandboxed: true } as Outcome);
    const sandboxed = 'select sandboxed from message_recipients where message_id = $1';
    expect(await store.rows(sandboxed, [messageId])).toEqual([{ sandboxed: true }]);
  });

  test('by a process that no longer has the recipient changes nothing', async () => {
    const address = freshAddress();
    const messageId = await outbound({ [address]: 'queued' });
    expect(await report(messageId, address, outcomes.sent!, 2)).toBe(false);
    expect(await report(messageId, address, outcomes.sent!, 1)).toBe(true);
  });

  test('that comes after a report on it changes nothing but an id of the provider that was not known', async () => {
    const address = freshAddress();
    const messageId = await outbound({ [address]: 'sending' });
    expect(await report(messageId, address, outcomes.bounced!, null)).toBe(true);
    const idOf = async () => (await stateOf(messageId)).message;
    expect(await report(messageId, address, outcomes.sent!, 2)).toBe(false);
    expect(await idOf()).toEqual({ delivery_status: 'bounced', provider_message_id: null });
    expect(await report(messageId, address, outcomes.sent!)).toBe(false);
    expect(await idOf()).toEqual({ delivery_status: 'bounced', provider_message_id: 'P1' });
    const other: Outcome = { kind: 'accepted', providerMessageId: 'P2', detail: null, final: false };
    expect(await report(messageId, address, other)).toBe(false);
    expect(await idOf()).toEqual({ delivery_status: 'bounced', provider_message_id: 'P1' });
  });

  test('for a message or recipient that is gone changes nothing', async () => {
    const messageId = await outbound({ 'known@example.com': 'queued' });
    expect(await report(messageId, 'unknown@example.com', outcomes.bounced!)).toBe(false);
    expect(await report(newId('msg'), 'known@example.com', outcomes.bounced!)).toBe(false);
    expect(await suppressionsOf('unknown@example.com')).toEqual([]);
  });

  test('keeps the first suppression of an address', async () => {
    const address = freshAddress();
    const messages = [await outbound({ [address]: 'queued' }), await outbound({ [address]: 'queued' })];
    const results = await Promise.all(messages.map((id) => report(id, address, outcomes.bounced!)));
    expect(results).toEqual([true, true]);
    expect(await suppressionsOf(address)).toHaveLength(1);
  });

  test('is due again when deferred, and at no time otherwise', async () => {
    const address = freshAddress();
    const messageId = await outbound({ [address]: 'sending' });
    await report(messageId, address, outcomes.deferred!);
    expect((await stateOf(messageId)).recipients[0]?.due_at).toEqual(new Date(at.getTime() + 1_000));
    await report(messageId, address, outcomes.failed!);
    const { recipients } = await stateOf(messageId);
    expect(recipients).toMatchObject([{ status: 'failed', due_at: null, detail: 'unconfirmed: lost' }]);
  });
});

describe('evidence that comes later', () => {
  const follows: [DeliveryStatus, DeliveryStatus[]][] = [
    ['delivered', ['sent', 'failed']],
    ['bounced', ['sent', 'failed', 'delivered']],
    ['complained', ['sent', 'failed', 'delivered']],
  ];

  test.each(follows)('%s follows %j and nothing else', async (next, from) => {
    const address = freshAddress();
    for (const present of statuses) {
      const messageId = await outbound({ [address]: present });
      const change = { ...changeFor(address, outcomes.delivered!), status: next, fromStatuses: from };
      const key = { workspaceId: store.workspaceId, messageId, address };
      expect([present, await recordOutcome(store.deps, key, change, at, null)]).toEqual([
        present,
        from.includes(present),
      ]);
    }
  });
});

describe('the suppression that follows', () => {
  test.each(['hard_bounce', 'soft_bounce', 'complaint'] as const)(
    '%s names the message, and leaves a later one as it is',
    async (suppression) => {
      const address = freshAddress();
      const [first, second] = [await outbound({ [address]: 'sent' }), await outbound({ [address]: 'sent' })];
      const status = suppression === 'complaint' ? 'complained' : 'bounced';
      for (const messageId of [first, second]) {
        const change: DeliveryChange = { ...changeFor(address, outcomes.bounced!), status, suppression };
        const key = { workspaceId: store.workspaceId, messageId, address };
        expect(await recordOutcome(store.deps, key, change, at, null)).toBe(true);
      }
      expect(await suppressionsOf(address)).toEqual([{ reason: suppression, message_id: first }]);
    },
  );
});

describe('the status of a message', () => {
  test('is the worst of its recipients, for every pair', async () => {
    const last = freshAddress();
    for (const [rank, worse] of statuses.entries()) {
      for (const better of statuses.slice(rank)) {
        const messageId = await outbound({
          'a@example.com': better,
          'b@example.com': worse,
          [last]: 'queued',
        });
        await report(messageId, last, outcomes.delivered!);
        expect((await stateOf(messageId)).message.delivery_status).toBe(worse);
      }
    }
  });

  test('is right when recipients settle at the same moment, again and again', async () => {
    for (let round = 0; round < 30; round++) {
      const [a, b, c] = [freshAddress(), freshAddress(), freshAddress()];
      const messageId = await outbound({ [a]: 'sending', [b]: 'sending', [c]: 'sending' });
      await Promise.all([
        report(messageId, a, outcomes.sent!),
        report(messageId, b, round % 2 ? outcomes.bounced! : outcomes.deferred!),
        report(messageId, c, outcomes.delivered!),
      ]);
      const { message } = await stateOf(messageId);
      expect(message).toEqual({
        delivery_status: round % 2 ? 'bounced' : 'deferred',
        provider_message_id: 'P1',
      });
    }
  });
});
