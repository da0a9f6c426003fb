/*
 * Caps of policies: how many mails can be sent in an hour or a day, in a thread, or to one recipient. A message counts once for each of its
 * recipients, when it is stored. Sends at the same moment do not see each other, so sends that are close to a cap take turns and are
 * counted again when they are stored.
 */
import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import type { Cap, Controls, PolicyInForce, StoredControls } from './controls.ts';

/** Sends take turns when they are this close to a cap: more recipients than all sends in progress have. */
export const nearMargin = 100 * limits.recipientsMax;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Caps count whole slots, so that few rows are read. A mail counts for up to a slot longer than the window. */
const slotMs = 5 * 60_000;

/** The time for which counts are kept, which is longer than the longest window. */
export const countsKeptMs = dayMs + 2 * hourMs;

const windowsMs = { hour: hourMs, day: dayMs, thread: hourMs, recipient: dayMs };

/** Returns the beginning of the window of a cap. What was sent until then does not count. */
export function windowBegin({ kind }: Cap, { timeScale }: Pick<Context, 'timeScale'>, at: Date): Date {
  return timeScale.before(at, windowsMs[kind] + slotMs);
}

/** Returns the time from which mails that were counted in a slot no longer count for a cap. */
export function windowEnd({ kind }: Cap, { timeScale }: Pick<Context, 'timeScale'>, slot: Date): Date {
  return timeScale.after(slot, windowsMs[kind] + slotMs);
}

/** Returns all caps that a message to these addresses counts for, before counting. */
export function findCaps(policies: PolicyInForce[], addresses: string[]): Cap[] {
  const people = [...countByPerson(addresses).keys()];
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
function countByPerson(addresses: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const address of addresses) {
    const person = stripPlusTag(address);
    found.set(person, (found.get(person) ?? 0) + 1);
  }
  return found;
}

/** Returns how many mails a message to these addresses adds to what counts for each cap. */
export function addsTo(caps: Cap[], addresses: string[]): { cap: Cap; more: number }[] {
  if (caps.length === 0) return [];
  const people = countByPerson(addresses);
  return caps.map((cap) => ({
    cap,
    more: cap.person === null ? addresses.length : (people.get(cap.person) ?? 0),
  }));
}

/** A send whose caps are counted. */
export interface ControlledSend {
  inboxId: string;
  addresses: string[];
  /** Its thread, or the hashes of the Message-IDs by which that is found. */
  thread: { thread_id: string | null; named: string[] };
  at: Date;
}

/** The counts and recipients that policies ask for. */
interface Counts {
  thread_id: string | null;
  /** In the order in which they were asked for. */
  sent: number[];
  known: string[] | null;
}

/**
 * Returns the settings of people for a send, with the counts for their caps. A send without a policy that needs counts takes no round trip.
 */
export async function countControls(
  ctx: Context,
  { inboxId, addresses, thread, at }: ControlledSend,
  stored: StoredControls,
): Promise<Controls> {
  const { policies } = stored;
  const caps = findCaps(policies, addresses);
  // Nothing counts for a thread that the message begins.
  const joins = thread.thread_id !== null || thread.named.length > 0;
  const counted = caps.filter(({ kind }) => kind !== 'thread' || joins);
  const asks_known = policies.some(({ lines }) => lines.recipients === 'known');
  if (!asks_known && counted.length === 0) return { ...stored, caps, threadId: null, known: null };
  const asked = {
    workspace_id: ctx.workspaceId,
    inbox_id: inboxId,
    asks_known,
    ...(asks_known && { addresses }),
    caps: counted.map((cap) => [cap.subject, windowBegin(cap, ctx, at), cap.most]),
    ...(counted.some(({ kind }) => kind === 'thread') && thread),
  };
  const [{ counts } = { counts: null }] = await selectCounts(ctx, { asked: JSON.stringify([asked]) });
  for (const [n, cap] of counted.entries()) cap.sent = counts?.sent[n] ?? 0;
  return { ...stored, caps, threadId: counts?.thread_id ?? null, known: counts?.known ?? null };
}

const selectCounts = prepared((db, { asked }: { asked: string }) =>
  sql<{ counts: Counts | null }>`select counts from sending_counts(${asked}::jsonb)`.compile(db),
);

/** A cap that a message is close to. The message is counted again when it is stored. */
export interface NearCap {
  subject: string;
  /** The part that distinguishes an hour and a day of one subject. */
  window: Cap['kind'];
  since: Date;
  most: number;
  amount: number;
}

/**
 * Returns the caps that a message is so close to that it must take turns with others. A message that `hasWaited` for its turn may have come
 * close to any of them meanwhile. Nothing counts for a thread that does not exist yet.
 */
export function nearCaps(
  ctx: Context,
  { caps, threadId }: Controls,
  addresses: string[],
  at: Date,
  hasWaited: boolean,
): NearCap[] {
  return addsTo(caps, addresses)
    .filter(({ cap, more }) => more > 0 && (hasWaited || cap.sent + more > cap.most - nearMargin))
    .filter(({ cap }) => cap.kind !== 'thread' || threadId !== null)
    .map(({ cap, more }) => ({
      subject: subjectOfThread(cap.subject, threadId),
      window: cap.kind,
      since: windowBegin(cap, ctx, at),
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
  const amounts = new Map(addsTo(caps, addresses).map(({ cap, more }) => [cap.subject, more]));
  return { slot, of: [...amounts].filter(([, amount]) => amount > 0) };
}

export function subjectOfThread(subject: string, threadId: string | null): string {
  return subject.replace(/>\{thread\}$/, `>${threadId ?? ''}`);
}

/** Reaches back over a pause of the job. What was counted before stays as it is until it no longer counts. */
const reachesBackMs = 3_600_000;

/**
 * Adds up what was counted for caps of an hour and a day, every minute. A send only ever inserts its count, because with one row for
 * each workspace its sends would wait for each other.
 */
export function addUpSendCounts(deps: Deps): JobDefinition<object> {
  return {
    name: jobNames.addUpSendCounts,
    cron: '* * * * *',
    run: async () => {
      const since = deps.timeScale.before(deps.clock.now(), reachesBackMs);
      await sql`select add_up_counts(${since})`.execute(acrossWorkspaces(deps, 'policies of all workspaces'));
    },
  };
}
