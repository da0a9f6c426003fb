import { setTimeout as sleep } from 'node:timers/promises';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Message, Postrider } from 'postrider';
import { isAcknowledged, type SentMail } from './intake-load.ts';
import type { Trial } from './trial.ts';

/** The invariants that several faults share, by their names in reports. */
export const invariants = {
  acknowledgedMissing: 'acknowledged mails that are missing',
  storedTwice: 'mails that are stored twice',
  neverSent: 'stored mails that nobody sent',
  rawDiffers: 'raw sources that differ',
  exits: 'processes that ended by themselves',
  permanentRefusals: 'SMTP answers 5xx',
} as const;

const settleMsMax = 60_000;
const lookAgainMs = 1_000;
const askedAtOnce = 10;
const openStates = ['queued', 'sending', 'deferred'];

/** The mails of a load, and the inbox to look for them in. */
export interface Stored {
  client: Postrider;
  inboxId: string;
  mails: SentMail[];
  /** The number of mails whose raw source is compared. */
  sample: number;
}

/**
 * Compares the replies to senders with the list of the API. Every acknowledged mail is listed once, with the bytes that were sent, and
 * nothing is listed that nobody sent. A mail may be listed a moment after its acknowledgement.
 */
export async function checkStored(trial: Trial, stored: Stored): Promise<void> {
  const acknowledged = stored.mails.filter(isAcknowledged);
  const ids = await settledList(stored, acknowledged);
  const known = new Set(stored.mails.map(({ messageId }) => messageId));
  const missing = acknowledged.filter(({ messageId }) => !ids.has(messageId));
  const twice = [...ids].filter(([, each]) => each.length > 1);
  const unknown = [...ids.keys()].filter((id) => !known.has(id));
  trial.count('mails sent', known.size);
  trial.count('mails acknowledged', new Set(acknowledged.map(({ messageId }) => messageId)).size);
  trial.count('mails listed', ids.size);
  const none = { exactly: 0 };
  trial.invariant(invariants.acknowledgedMissing, missing.length, none, collectIds(missing));
  trial.invariant(
    invariants.storedTwice,
    twice.length,
    none,
    twice.map(([id]) => id),
  );
  trial.invariant(invariants.neverSent, unknown.length, none, unknown);
  await checkRaw(trial, stored, ids);
}

function collectIds(mails: SentMail[]) {
  return mails.map(({ messageId }) => messageId);
}

/** Returns the list once it is complete and has stopped growing, or once the time for it is over. */
async function settledList(stored: Stored, acknowledged: SentMail[]): Promise<Map<string, string[]>> {
  const until = performance.now() + settleMsMax;
  let before = -1;
  for (;;) {
    const ids = await listIds(stored);
    const total = [...ids.values()].reduce((sum, each) => sum + each.length, 0);
    const complete = acknowledged.every(({ messageId }) => ids.has(messageId));
    // A mail that is lost for good is also missing in a list that has stopped growing.
    const late = performance.now() > until;
    if ((complete && total === before) || late) return ids;
    if (!complete && total === before && performance.now() > until - settleMsMax + stillMs) return ids;
    before = total;
    await sleep(lookAgainMs);
  }
}

/** Longer than the 10 s after which another process takes over the mail of one that ended. */
const stillMs = 30_000;

/** Returns the ids of the messages of an inbox, by their Message-ID. */
async function listIds({ client, inboxId }: Stored): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  for await (const { id, message_id } of client.messages.list({ inbox_id: inboxId, limit: 100 }))
    ids.set(message_id, [...(ids.get(message_id) ?? []), id]);
  return ids;
}

async function checkRaw(
  trial: Trial,
  { client, mails, sample }: Stored,
  ids: Map<string, string[]>,
): Promise<void> {
  const there = mails.filter(({ messageId }) => ids.has(messageId));
  const step = Math.max(1, Math.floor(there.length / sample));
  const different: string[] = [];
  const chosen = there.filter((_, index) => index % step === 0);
  for (const { messageId, raw } of chosen) {
    const { url } = await client.messages.raw(ids.get(messageId)?.[0] ?? '');
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    if (!bytes.equals(raw)) different.push(messageId);
  }
  trial.count('raw sources compared', chosen.length);
  trial.invariant(invariants.rawDiffers, different.length, { exactly: 0 }, different);
}

/** Returns the message once no recipient is left to deliver to, or as it is after a minute. */
async function settledMessage(client: Postrider, id: string): Promise<Message> {
  const until = performance.now() + settleMsMax;
  for (;;) {
    const message = await client.messages.get(id);
    const open = message.recipients.some(({ status }) => openStates.includes(status));
    if (!open || performance.now() > until) return message;
    await sleep(100);
  }
}

/** Returns the settled messages, and requests a few at a time. */
async function* settledMessages(client: Postrider, ids: string[]): AsyncGenerator<Message> {
  for (let begun = 0; begun < ids.length; begun += askedAtOnce)
    yield* await Promise.all(ids.slice(begun, begun + askedAtOnce).map((id) => settledMessage(client, id)));
}

/** The invariants of sending, by their names in reports. */
export const sendInvariants = {
  duplicates: 'recipients with two copies',
  twoMessageIds: 'recipients with two Message-IDs',
  lostSilently: 'recipients told sent without a copy',
  unsettled: 'recipients without an outcome',
  unexplained: 'failures that say neither unconfirmed nor a refusal',
  otherMessageId: 'copies under another Message-ID than told',
} as const;

/** Compares what the API shows for each recipient with the mail that arrived at the sink. */
export async function checkSends(
  trial: Trial,
  client: Postrider,
  sink: MailSink,
  messageIds: string[],
): Promise<void> {
  const broken = new Map<string, string[]>(Object.values(sendInvariants).map((name) => [name, []]));
  const note = (name: string, address: string) => broken.get(name)?.push(address);
  for await (const message of settledMessages(client, messageIds)) {
    for (const { address, status, detail } of message.recipients) {
      const copies = sink.copiesFor(address);
      const ids = new Set(copies.map(({ messageId }) => messageId));
      trial.count(`recipients ${status}`);
      if (copies.length > 1) note(sendInvariants.duplicates, address);
      if (ids.size > 1) note(sendInvariants.twoMessageIds, address);
      if ([...ids].some((each) => each !== message.message_id)) note(sendInvariants.otherMessageId, address);
      if (openStates.includes(status)) note(sendInvariants.unsettled, `${address}: ${status}, ${detail}`);
      if (status === 'sent' && copies.length === 0) note(sendInvariants.lostSilently, address);
      if (status !== 'failed') continue;
      const unconfirmed = detail?.startsWith('unconfirmed: ') ?? false;
      if (!unconfirmed) note(sendInvariants.unexplained, `${address}: ${detail}`);
      else trial.count(copies.length > 0 ? 'unconfirmed, copy arrived' : 'unconfirmed, no copy');
    }
  }
  for (const [name, addresses] of broken) trial.invariant(name, addresses.length, { exactly: 0 }, addresses);
}
