/*
 * Caps of policies: how many mails may be sent in an hour or a day, in a thread, or to one recipient. A message counts once for each of
 * its recipients, when it is stored. Sends at the same moment do not see each other, so those that come near a cap take turns and are
 * counted once more when they are stored.
 */
import { fewerRecipients, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { overCap } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import type { Cap, Controls, PolicyInForce } from './controls.ts';

/** So near to a cap sends take turns: more recipients than sends that are under way at once have. */
export const nearMargin = 100 * limits.recipientsMax;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Caps count whole slots, so that few rows are read. A mail counts for up to a slot longer than the window. */
const slotMs = 5 * 60_000;

/** How long counts are kept: longer than the longest window. */
export const countsKeptMs = dayMs + 2 * hourMs;

const windowsMs = { hour: hourMs, day: dayMs, thread: hourMs, recipient: dayMs };

/** Returns the beginning of the window of a cap. What was sent until then does not count. */
export function beginningOf({ kind }: Cap, { timeScale }: Pick<Context, 'timeScale'>, at: Date): Date {
  return timeScale.before(at, windowsMs[kind] + slotMs);
}

/** Returns all caps that a message to these addresses counts for, not yet counted. */
export function capsOf(policies: PolicyInForce[], addresses: string[]): Cap[] {
  const people = [...byPerson(addresses).keys()];
  return policies.flatMap((policy) => {
    const { subject, lines } = policy;
    const { per_hour, per_day, per_thread_hour, per_recipient_day } = lines;
    const caps: Cap[] = [];
    const add = (
      kind: Cap['kind'],
      most: number | null | undefined,
      place = '',
      person: string | null = null,
    ) => {
      if (most != null) caps.push({ kind, policy, subject: subject + place, person, most, sent: 0 });
    };
    add('hour', per_hour);
    add('day', per_day);
    add('thread', per_thread_hour, '>{thread}');
    for (const person of people) add('recipient', per_recipient_day, `>${person}`, person);
    return caps;
  });
}

/** Returns how many recipients there are of each address. Plus tags of one address lead to one person. */
function byPerson(addresses: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const address of addresses) {
    const person = stripPlusTag(address);
    found.set(person, (found.get(person) ?? 0) + 1);
  }
  return found;
}

/** Returns how many mails a message to these addresses adds to what counts for each cap. */
function adding(caps: Cap[], addresses: string[]): { cap: Cap; more: number }[] {
  if (caps.length === 0) return [];
  const people = byPerson(addresses);
  return caps.map((cap) => ({
    cap,
    more: cap.person === null ? addresses.length : (people.get(cap.person) ?? 0),
  }));
}

/**
 * Checks that a message to these recipients stays within all caps.
 *
 * @throws ApiError `rate_limited` with the reason `policy` and the time until the message would stay within the cap, if nothing else is
 * sent.
 */
export async function requireWithinCaps(
  ctx: Context,
  { policies, caps, threadId }: Controls,
  recipients: { address: string }[],
): Promise<void> {
  const addresses = recipients.map(({ address }) => address);
  for (const policy of policies) {
    const { recipients_max } = policy.lines;
    if (recipients_max != null && addresses.length > recipients_max)
      throw overCap(
        Number.POSITIVE_INFINITY,
        `${allows(policy)} ${recipients_max} recipients in one message. ${fewerRecipients}`,
      );
  }
  const exceeded = adding(caps, addresses).find(({ cap, more }) => more > 0 && cap.sent + more > cap.most);
  if (!exceeded) return;
  const { cap, more } = exceeded;
  const subject = ofThread(cap.subject, threadId);
  throw overCap(await untilFree(ctx, { ...cap, subject }, more), sentenceOf(cap, more));
}

/** A cap that a message comes near to, by which it is counted once more when it is stored. */
export interface NearCap {
  subject: string;
  /** By which an hour and a day of one subject differ. */
  window: Cap['kind'];
  since: Date;
  most: number;
  amount: number;
}

/**
 * Returns the caps that a message comes so near to that it has to take turns with others. A message that `hasWaited` for its turn may
 * have come near to any of them meanwhile. Nothing counts for a thread that is not there yet.
 */
export function nearCaps(
  ctx: Context,
  { caps, threadId }: Controls,
  addresses: string[],
  at: Date,
  hasWaited: boolean,
): NearCap[] {
  return adding(caps, addresses)
    .filter(({ cap, more }) => more > 0 && (hasWaited || cap.sent + more > cap.most - nearMargin))
    .filter(({ cap }) => cap.kind !== 'thread' || threadId !== null)
    .map(({ cap, more }) => ({
      subject: ofThread(cap.subject, threadId),
      window: cap.kind,
      since: beginningOf(cap, ctx, at),
      most: cap.most,
      amount: more,
    }));
}

/** The mails that are counted when a message is stored, by subject. `{thread}` stands for its thread. */
export interface Counted {
  slot: Date;
  of: [subject: string, amount: number][];
}

/** Returns what is to be counted when a message is stored, or null if nothing is. An hour and a day are counted together. */
export function mailsToCount(
  ctx: Context,
  { caps }: Controls,
  addresses: string[],
  at: Date,
): Counted | null {
  if (caps.length === 0) return null;
  const scaledMs = Math.max(1, Math.floor(ctx.timeScale.scaleMs(slotMs)));
  const slot = new Date(Math.floor(at.getTime() / scaledMs) * scaledMs);
  const amounts = new Map(adding(caps, addresses).map(({ cap, more }) => [cap.subject, more]));
  return { slot, of: [...amounts].filter(([, amount]) => amount > 0) };
}

function ofThread(subject: string, threadId: string | null): string {
  return subject.replace(/>\{thread\}$/, `>${threadId ?? ''}`);
}

function sentenceOf({ kind, policy, person, most }: Cap, more: number): string {
  const what = {
    hour: 'mails an hour',
    day: 'mails a day',
    thread: 'mails an hour in one thread',
    recipient: `mails a day to ${person}`,
  };
  const sentence = `${allows(policy)} ${most} ${what[kind]}.`;
  return most && more > most ? `${sentence} ${fewerRecipients}` : sentence;
}

const placeOf = { key: 'this key', inbox: 'this inbox', workspace: 'this workspace' };

function allows({ level }: PolicyInForce): string {
  return `The policy of ${placeOf[level]} allows`;
}

/** Returns the time in ms until so many mails no longer count that there is room for more; infinite if there never is. */
async function untilFree(ctx: Context, cap: Cap, more: number): Promise<number> {
  const now = ctx.clock.now();
  const { subject, most } = cap;
  const asked = {
    workspaceId: ctx.workspaceId,
    subject,
    since: beginningOf(cap, ctx, now),
    room: most - more,
  };
  const [row] = await selectLastToEnd(ctx, asked);
  if (!row?.slot) return Number.POSITIVE_INFINITY;
  return ctx.timeScale.after(row.slot, windowsMs[cap.kind] + slotMs).getTime() - now.getTime();
}

/** Returns the slot after which few enough mails are counted. */
const selectLastToEnd = prepared(
  (db, asked: { workspaceId: string; subject: string; since: Date; room: number }) =>
    sql<{ slot: Date | null }>`select min(slot) as slot from (
      select slot, sum(sum(amount)) over (order by slot desc) - sum(amount) as later from send_counts
        where workspace_id = ${asked.workspaceId} and subject = ${asked.subject} and slot > ${asked.since} group by slot) s
      where later <= ${asked.room}`.compile(db),
);
