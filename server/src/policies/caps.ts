/*
 * Caps of policies: how many mails may be sent in an hour or a day, in a thread, or to one recipient. A message counts once for each of its
 * recipients, when it is stored. Sends at the same moment do not see each other, so a cap may be exceeded by what is under way.
 */
import type { Context } from '../context.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { overCap } from '../lib/rate-limited.ts';
import type { Controls, Sent } from './decide-sending.ts';

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
 * @throws ApiError `rate_limited` with the reason `policy` and the time until the oldest mail no longer counts.
 */
export function requireWithinCaps(ctx: Context, { policies }: Controls, addresses: string[]): void {
  for (const policy of policies) {
    const { per_hour, per_day, per_thread_hour, per_recipient_day, recipients_max } = policy.lines;
    const refuse = (what: string, windowMs: number, sent: Sent | null = null) => {
      const firstMs = sent?.first ? Date.parse(sent.first) : ctx.clock.now().getTime();
      const ends = ctx.timeScale.after(new Date(firstMs), windowMs + slotMs);
      throw overCap(
        ends.getTime() - ctx.clock.now().getTime(),
        `The policy of ${placeOf[policy.level]} allows ${what}.`,
      );
    };
    const isOver = (cap: number | null | undefined, sent: Sent | null, more: number) =>
      cap != null && (sent?.sent ?? 0) + more > cap;
    const count = addresses.length;
    if (isOver(recipients_max, null, count)) refuse(`${recipients_max} recipients of a message`, dayMs);
    if (isOver(per_hour, policy.hour, count)) refuse(`${per_hour} mails an hour`, hourMs, policy.hour);
    if (isOver(per_day, policy.day, count)) refuse(`${per_day} mails a day`, dayMs, policy.day);
    if (isOver(per_thread_hour, policy.thread, count))
      refuse(`${per_thread_hour} mails an hour in one thread`, hourMs, policy.thread);
    for (const [address, more] of byPerson(addresses)) {
      const sent = policy.recipients?.[address] ?? null;
      if (isOver(per_recipient_day, sent, more))
        refuse(`${per_recipient_day} mails a day to ${address}`, dayMs, sent);
    }
  }
}

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
