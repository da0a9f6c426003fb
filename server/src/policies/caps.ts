/*
 * Caps of policies: how many mails may be sent in an hour or a day, in a thread, or to one recipient. A message counts once for each of its
 * recipients, when it is stored. Sends at the same moment do not see each other, so those that come near a cap take turns and are counted once
 * more when they are stored.
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { overCap } from '../lib/rate-limited.ts';
import type { Controls, PolicyInForce } from './decide-sending.ts';
import { nearMargin } from './known-counts.ts';

/** Counts of a send, which are stored with it: `{thread}` stands for its thread. */
export interface Counted {
  subject: string;
  slot: Date;
  amount: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Caps count whole slots, so that few rows are read. A mail counts for up to a slot longer than the window. */
const slotMs = 5 * 60_000;

/** How long counts are kept: longer than the longest window. */
export const countsKeptMs = dayMs + 2 * hourMs;

/** Returns the beginnings of the windows of caps, by which sent mails are counted. */
export function capWindows(ctx: Pick<Context, 'timeScale'>, at: Date): { hour_since: Date; day_since: Date } {
  return {
    hour_since: ctx.timeScale.before(at, hourMs + slotMs),
    day_since: ctx.timeScale.before(at, dayMs + slotMs),
  };
}

/**
 * Checks that a message to these recipients stays within all caps.
 *
 * @throws ApiError `rate_limited` with the reason `policy` and the time until the message would stay within the cap, if nothing else is sent.
 */
export async function requireWithinCaps(
  ctx: Context,
  { policies }: Controls,
  addresses: string[],
): Promise<void> {
  for (const policy of policies) {
    const { recipients_max } = policy.lines;
    if (recipients_max != null && addresses.length > recipients_max)
      throw overCap(
        Number.POSITIVE_INFINITY,
        `${allows(policy)} ${recipients_max} recipients of a message. ${fewer}`,
      );
    for (const cap of capsOf(policy, addresses))
      if (cap.sent + cap.more > cap.most) throw overCap(await untilFree(ctx, cap), sentenceOf(policy, cap));
  }
}

/** Returns the caps of a policy that a message counts for. */
function capsOf({ subject, lines, ...counts }: PolicyInForce, addresses: string[]): Cap[] {
  const more = addresses.length;
  const { thread_id } = counts;
  const all: (Omit<Cap, 'most' | 'sent'> & { most: number | null | undefined; sent: number | null })[] = [
    { what: 'mails an hour', windowMs: hourMs, most: lines.per_hour, sent: counts.hour, more, subject },
    { what: 'mails a day', windowMs: dayMs, most: lines.per_day, sent: counts.day, more, subject },
    {
      what: 'mails an hour in one thread',
      windowMs: hourMs,
      most: lines.per_thread_hour,
      sent: counts.thread,
      more,
      subject: thread_id === null ? null : `${subject}>${thread_id}`,
    },
    ...[...byPerson(addresses)].map(([person, ofPerson]) => ({
      what: `mails a day to ${person}`,
      windowMs: dayMs,
      most: lines.per_recipient_day,
      sent: counts.recipients?.[person] ?? 0,
      more: ofPerson,
      subject: `${subject}>${person}`,
    })),
  ];
  return all.flatMap(({ most, sent, ...cap }) => (most == null ? [] : [{ ...cap, most, sent: sent ?? 0 }]));
}

/** A cap that a message comes near to, by which it is counted once more when it is stored. */
export interface NearCap {
  subject: string;
  /** The length of the window in ms, by which an hour and a day of one subject differ, and its beginning. */
  window: number;
  since: Date;
  most: number;
  amount: number;
}

/** Returns the caps that a message comes so near to that it has to take turns with others. */
export function nearCapsOf(ctx: Context, { policies }: Controls, addresses: string[], at: Date): NearCap[] {
  return policies
    .flatMap((policy) => capsOf(policy, addresses))
    .flatMap(({ subject, windowMs, most, sent, more }) =>
      subject !== null && sent + more > most - nearMargin
        ? [
            {
              subject,
              window: windowMs,
              since: ctx.timeScale.before(at, windowMs + slotMs),
              most,
              amount: more,
            },
          ]
        : [],
    );
}

interface Cap {
  what: string;
  windowMs: number;
  most: number;
  sent: number;
  /** How many mails the message would add. */
  more: number;
  /** Null for a thread that is not there yet. */
  subject: string | null;
}

const fewer = 'Send it to fewer recipients.';

function sentenceOf(policy: PolicyInForce, { what, most, more }: Cap): string {
  const sentence = `${allows(policy)} ${most} ${what}.`;
  return most && more > most ? `${sentence} ${fewer}` : sentence;
}

function allows({ level }: PolicyInForce): string {
  return `The policy of ${placeOf[level]} allows`;
}

/** Returns the time in ms until so many mails no longer count that there is room for more; infinite if there never is. */
async function untilFree(ctx: Context, { windowMs, most, more, subject }: Cap): Promise<number> {
  const now = ctx.clock.now();
  const since = ctx.timeScale.before(now, windowMs + slotMs);
  const room = most - more;
  const asked = { workspaceId: ctx.workspaceId, subject: subject ?? '', since, room };
  const [row] = await selectLastToEnd(ctx, asked);
  if (!row?.slot) return Number.POSITIVE_INFINITY;
  return ctx.timeScale.after(row.slot, windowMs + slotMs).getTime() - now.getTime();
}

/** Returns the slot after which few enough mails are counted. */
const selectLastToEnd = prepared(
  (db, asked: { workspaceId: string; subject: string; since: Date; room: number }) =>
    sql<{ slot: Date | null }>`select min(slot) as slot from (
      select slot, sum(sum(amount)) over (order by slot desc) - sum(amount) as later from send_counts
        where workspace_id = ${asked.workspaceId} and subject = ${asked.subject} and slot > ${asked.since} group by slot) s
      where later <= ${asked.room}`.compile(db),
);

const placeOf = { key: 'this key', inbox: 'this inbox', workspace: 'this workspace' };

/** Returns how many recipients there are of each address. Plus tags of one address lead to one person. */
function byPerson(addresses: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const address of addresses) {
    const person = stripPlusTag(address);
    found.set(person, (found.get(person) ?? 0) + 1);
  }
  return found;
}

/** Returns what is to be counted when a message is stored: for each policy what it has caps on. */
export function countedOf(ctx: Context, { policies }: Controls, addresses: string[], at: Date): Counted[] {
  const scaledMs = Math.max(1, Math.floor(ctx.timeScale.scaleMs(slotMs)));
  const slot = new Date(Math.floor(at.getTime() / scaledMs) * scaledMs);
  return policies.flatMap(({ subject, lines }) => {
    const amount = addresses.length;
    return [
      ...(lines.per_hour != null || lines.per_day != null ? [{ subject, slot, amount }] : []),
      ...(lines.per_thread_hour != null ? [{ subject: `${subject}>{thread}`, slot, amount }] : []),
      ...(lines.per_recipient_day != null
        ? [...byPerson(addresses)].map(([person, more]) => ({
            subject: `${subject}>${person}`,
            slot,
            amount: more,
          }))
        : []),
    ];
  });
}
