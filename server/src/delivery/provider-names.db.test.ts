import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTimeScale } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { sesMessageIds } from '../mail/aws/ses-notification.ts';
import { decideDelivery } from './delivery-outcome.ts';
import { recordOutcome } from './recipient-state.ts';

let store: MailStore;
let inboxId: string;
let sent: string;
let seenAs: string;

beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  inboxId = await store.inbox();
  sent = newId('msg');
  seenAs = `0102${sent}-000000`;
  await store.store({
    inboxId,
    message: { id: sent },
    recipients: ['ada@remote.example', 'bob@remote.example'],
  });
});

const at = new Date();
const ids = () => sesMessageIds(seenAs, 'eu-west-1');

const recordSent = (address = 'ada@remote.example', messageIds = ids()) =>
  recordOutcome(
    store.deps,
    { workspaceId: store.workspaceId, messageId: sent, address },
    decideDelivery(
      { kind: 'accepted', providerMessageId: seenAs, detail: null, final: false, messageIds },
      {
        recipient: address,
        attempts: 1,
        expiresAt: new Date(at.getTime() + 1_000),
        at,
        timeScale: createTimeScale(1),
      },
    ),
    at,
    1,
  );

/** Sets what a recipient of a stored mail has once it is being handed over. */
const handOver = () =>
  store.rows("update message_recipients set status = 'sending', attempts = 1 where message_id = $1", [sent]);

const answer = async (named: string[]) => {
  const stored = await store.store({ inboxId, named });
  if (stored.outcome !== 'stored') throw new Error(stored.outcome);
  return stored.messageId;
};
const threadsOf = async (...messages: string[]) => {
  const rows = await store.rows<{ thread_id: string }>(
    'select distinct thread_id from messages where id = any($1)',
    [messages],
  );
  return rows.length;
};

describe('a message that the provider gave another Message-ID', () => {
  test('is recognised as our own mail when it comes back under this id', async () => {
    await handOver();
    await recordSent();
    const comeBack = async (envelopeTo: string) => {
      const own = ids()[0] ?? expect.fail('The provider gave no id.');
      const message = { direction: 'inbound' as const, envelope_to: [envelopeTo] };
      const stored = await store.store({ inboxId, own, message });
      if (stored.outcome !== 'stored') throw new Error(stored.outcome);
      const [row] = await store.rows<{ auto_submitted: boolean }>(
        'select auto_submitted from messages where id = $1',
        [stored.messageId],
      );
      return row?.auto_submitted;
    };
    expect(await comeBack('inbox@postrider.test')).toBe(true);
    expect(await comeBack('Ada@remote.example')).toBe(false);
  });

  test('is joined by an answer that names this id, in either form', async () => {
    await handOver();
    expect(await recordSent()).toBe(true);
    for (const id of ids()) expect(await threadsOf(sent, await answer([id]))).toBe(1);
    expect(await threadsOf(sent, await answer(['<other@eu-west-1.amazonses.com>']))).toBe(2);
  });

  test('is joined by an answer that came before the id was recorded, and its thread keeps the older id', async () => {
    await handOver();
    const early = await answer([ids()[0]!]);
    expect(await threadsOf(sent, early)).toBe(2);
    const [before] = await store.rows<{ thread_id: string }>('select thread_id from messages where id = $1', [
      sent,
    ]);
    await recordSent();
    expect(await threadsOf(sent, early)).toBe(1);
    const [after] = await store.rows<{ thread_id: string }>('select thread_id from messages where id = $1', [
      early,
    ]);
    expect(after).toEqual(before);
  });

  test('has an id for each recipient, and each leads to it', async () => {
    await handOver();
    await recordSent();
    const others = sesMessageIds('0102-bob-000000', 'eu-west-1');
    await recordSent('bob@remote.example', others);
    expect(await threadsOf(sent, await answer([ids()[0]!]), await answer([others[0]!]))).toBe(1);
  });

  test('has it also if the status was decided by an earlier report', async () => {
    await store.rows("update message_recipients set status = 'bounced', attempts = 1 where message_id = $1", [
      sent,
    ]);
    expect(await recordSent()).toBe(false);
    expect(await threadsOf(sent, await answer([ids()[0]!]))).toBe(1);
  });

  test('gets none once its inbox is deleted', async () => {
    await handOver();
    await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
    await recordSent();
    expect(await store.rows('select from message_ids where message_id = $1', [sent])).toHaveLength(1);
  });

  test('is one thread with its answers, however these meet the record of the id', async () => {
    await handOver();
    const [, ...answers] = await Promise.all([
      recordSent(),
      ...Array.from({ length: 8 }, () => answer([ids()[0]!])),
    ]);
    expect(await threadsOf(sent, ...answers)).toBe(1);
  });
});
