import { fewerRecipients, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError, overCap } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { addsTo, subjectOfThread, windowBegin, windowEnd } from './caps.ts';
import { type Cap, type Controls, type PolicyInForce, sendMode } from './controls.ts';

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
  const exceeded = addsTo(caps, addresses).find(({ cap, more }) => more > 0 && cap.sent + more > cap.most);
  if (!exceeded) return;
  const { cap, more } = exceeded;
  const subject = subjectOfThread(cap.subject, threadId);
  throw overCap(await untilFree(ctx, { ...cap, subject }, more), describeCap(cap, more));
}

/**
 * Checks that a message which has to be approved is not one more than people can look through. Sends at the same moment may go beyond that
 * by as many as they are.
 *
 * @throws ApiError `limit_reached`.
 */
export async function requireRoomToHold(ctx: Context, controls: Controls): Promise<void> {
  if (sendMode(controls) !== 'approve') return;
  const limit = limits.heldMessagesPerWorkspaceMax;
  const last = await scoped({ ...ctx, scope: wholeWorkspace })
    .selectFrom('approvals')
    .select('message_id')
    .where('state', '=', 'held')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  if (last) throw new ApiError('limit_reached', { limit }, { message: tooMany });
}

const tooMany =
  'Too many messages are waiting for approval, so this one was not stored. Wait until people have decided about some of them.';

function describeCap({ kind, policy, person, most }: Cap, more: number): string {
  const what = {
    hour: 'mails an hour',
    day: 'mails a day',
    thread: 'mails an hour in one thread',
    recipient: `mails a day to ${person}`,
  };
  const sentence = `${allows(policy)} ${most} ${what[kind]}.`;
  return most && more > most ? `${sentence} ${fewerRecipients}` : sentence;
}

const places = { key: 'this key', inbox: 'this inbox', workspace: 'this workspace' };

function allows({ level }: PolicyInForce): string {
  return `The policy of ${places[level]} allows`;
}

/** Returns the time in ms until so many mails no longer count that there is room for more; infinite if there never is. */
async function untilFree(ctx: Context, cap: Cap, more: number): Promise<number> {
  const now = ctx.clock.now();
  const { subject, most } = cap;
  const asked = {
    workspaceId: ctx.workspaceId,
    subject,
    since: windowBegin(cap, ctx, now),
    room: most - more,
  };
  const [row] = await selectLastToEnd(ctx, asked);
  if (!row?.slot) return Number.POSITIVE_INFINITY;
  return windowEnd(cap, ctx, row.slot).getTime() - now.getTime();
}

/** Returns the slot after which few enough mails are counted. */
const selectLastToEnd = prepared(
  (db, asked: { workspaceId: string; subject: string; since: Date; room: number }) =>
    sql<{ slot: Date | null }>`select min(slot) as slot from (
      select slot, sum(sum(amount)) over (order by slot desc) - sum(amount) as later from send_counts
        where workspace_id = ${asked.workspaceId} and subject = ${asked.subject} and slot > ${asked.since} group by slot) s
      where later <= ${asked.room}`.compile(db),
);
