import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, ofEach } from '../db/scoped.ts';
import type { Ids, MessageFilter } from './message-filters.ts';

/** Counting ends here: filters with at least this many messages are not compared with each other. */
const countMax = 1_000;

/** The ids from `from` on that are below every one of `before`. */
export interface IdRange {
  from: string | null;
  before: string[];
}

/**
 * Returns the newest ids of all queries of a filter. Each query has its own limit, or the planner would sort all ids instead of merging
 * them.
 */
export function newestOf(
  ctx: Pick<Context, 'db'>,
  { ids, of }: Pick<MessageFilter, 'ids' | 'of'>,
  { from, before }: IdRange,
  limit: number,
) {
  const db = acrossWorkspaces(ctx, 'the ids are those of the workspace');
  const newest = (some: Ids) => {
    let rows = db.selectFrom(some.as('one')).select('one.id');
    if (from !== null) rows = rows.where('one.id', '>=', from);
    for (const bound of before) rows = rows.where('one.id', '<', bound);
    return rows.orderBy('one.id', 'desc').limit(limit);
  };
  const [first, ...others] = ids.map((some) => db.selectFrom(newest(some).as('all')).select('all.id'));
  const together = others.reduce((all, some) => all.unionAll(some), first!);
  const merged = db.selectFrom(together.as('way')).select('way.id').orderBy('way.id', 'desc').limit(limit);
  if (of === null) return merged;
  const parts = ofEach(ctx, of, merged as unknown as Ids);
  return db.selectFrom(parts.as('way')).select('way.id').orderBy('way.id', 'desc').limit(limit);
}

/** Returns the filters, with the one that has the fewest messages first. */
export async function fewestFirst(
  ctx: Pick<Context, 'db'>,
  filters: MessageFilter[],
  range: IdRange,
): Promise<MessageFilter[]> {
  if (filters.length < 2) return filters;
  const counts = filters.map((filter) => {
    const some = newestOf(ctx, filter, range, countMax);
    return sql<number>`(select count(*)::int from ${some.as('some')})`;
  });
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    ctx.db,
  );
  const countOf = (filter: MessageFilter) => rows[0]?.counts[filters.indexOf(filter)] ?? 0;
  return filters.toSorted((a, b) => countOf(a) - countOf(b));
}
