import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { liveMessages } from '../../messages/find-message.ts';
import type { MessageFilter } from '../../messages/message-filters.ts';
import { fewestFirst, newestOf } from '../../messages/newest-ids.ts';
import type { Candidate } from './match-slice.ts';
import type { Restrictions } from './plan-search.ts';
import { scanLimits } from './scan-limits.ts';
import type { Scan } from './scan-tier.ts';

/** A condition on a row of `messages` that the index does not know. */
export type Condition = RawBuilder<boolean> | MessageFilter['passes'];

/**
 * Returns the messages that can pass, if a filter has few of them, and a function that checks candidates; null in place of either if it is
 * not needed.
 */
export async function planChecks(
  ctx: Context,
  { filters, excluded, range }: Restrictions,
  conditions: Condition[],
  needsPass: boolean,
): Promise<Pick<Scan, 'ids' | 'pass'>> {
  const inIds = { from: range.from, before: range.before === null ? [] : [range.before] };
  const [fewest, ...others] = await fewestFirst(ctx, filters, inIds);
  const rowsMax = scanLimits.rowsMax;
  const rows = fewest ? await newestOf(ctx, fewest, inIds, rowsMax + 1).execute() : [];
  const isFew = fewest !== undefined && rows.length <= rowsMax;
  const all: Condition[] = [
    ...(isFew ? others : filters).map(({ passes }) => passes),
    ...excluded.map((condition) => sql<boolean>`not ${condition}`),
    ...conditions,
  ];
  return {
    ids: isFew ? rows.map(({ id }) => id) : null,
    pass: needsPass || all.length > 0 ? (inside, candidates) => passing(inside, candidates, all) : null,
  };
}

/** Returns the candidates that are live and meet every condition, in their order. */
async function passing(ctx: Context, candidates: Candidate[], conditions: Condition[]): Promise<Candidate[]> {
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  let message = liveMessages(ctx)
    .select('messages.thread_id')
    .where('messages.id', '=', sql.ref<string>('wanted.id'));
  for (const condition of conditions) message = message.where(condition as MessageFilter['passes']);
  const rows = await acrossWorkspaces(ctx, 'the messages are those of the workspace')
    .selectFrom(sql<{ id: string }>`unnest(${ids}::text[])`.as<'wanted'>(sql`wanted(id)`))
    .innerJoinLateral(message.limit(1).as('message'), (on) => on.onTrue())
    .select(['wanted.id', 'message.thread_id'])
    .execute();
  const threads = new Map(rows.map(({ id, thread_id }) => [id, thread_id]));
  return candidates.flatMap((candidate) => {
    const threadId = threads.get(candidate.id);
    return threadId === undefined ? [] : [{ ...candidate, threadId }];
  });
}
