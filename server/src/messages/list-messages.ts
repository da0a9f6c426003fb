import { type ListMessages, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, ofEach, scoped } from '../db/scoped.ts';
import { waitForChange } from '../events/wait-for-change.ts';
import { decodeCursor, encodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { firstIdAt } from '../lib/ids.ts';
import { liveMessages } from './find-message.ts';
import { fillLarge, withListed } from './listed-messages.ts';
import { loadDetails, type MessageDetails } from './message-details.ts';
import { type Ids, type MessageFilter, messageFilters } from './message-filters.ts';
import type { MessageRow } from './store/message-record.ts';

/**
 * Returns a page of the caller's messages that pass every filter, newest first. With several filters a page may end early, with a cursor,
 * after `listCandidatesMax` messages were examined. Any page ends early if its response would become too large.
 *
 * @throws ApiError `not_found` if a filter names an inbox, thread or label that is not the caller's.
 */
export async function listMessages(
  ctx: Context,
  query: ListMessages,
  clientGone: AbortSignal,
): Promise<Page<MessageDetails>> {
  const look = async () => {
    const result = await findMessages(ctx, query);
    return { result, found: result.rows.length > 0 };
  };
  return waitForChange(ctx, query.wait_seconds ?? 0, clientGone, () =>
    ctx.readLimiter.run(ctx.workspaceId, look),
  );
}

async function findMessages(ctx: Context, query: ListMessages): Promise<Page<MessageDetails>> {
  const filters = await messageFilters(ctx, query);
  if (!filters) return { rows: [], nextCursor: null };
  const range = idRange(query);
  const page = await findPage(ctx, { filters, range, limit: query.limit });
  const { rows, lastId } = await fillLarge(ctx, page.rows);
  const nextCursor = lastId === null ? page.nextCursor : encodeCursor([lastId]);
  return { rows: await loadDetails(ctx, rows), nextCursor };
}

interface Search {
  filters: MessageFilter[];
  range: IdRange;
  limit: number;
}

async function findPage(ctx: Context, { filters, range, limit }: Search): Promise<Page<MessageRow>> {
  const [way, ...others] = await fewestFirst(ctx, filters, range);
  const every = scoped(ctx).selectFrom('messages').select('id') as Ids;
  const first = way ?? { ids: [every], of: null };
  const few = selectNewest(ctx, first, range, others.length === 0 ? limit + 1 : limits.listCandidatesMax);
  const rows = await candidatesIn(ctx, few, others, limit + 1)
    .selectAll('message')
    .execute();
  if (rows.length > limit) return pageOf(rows as MessageRow[], limit, (row) => [row.id]);
  // Without other filters only messages of deleted inboxes and threads are skipped, and usually there are none.
  const isAll = others.length === 0 && !(await few.offset(limit).executeTakeFirst());
  if (isAll) return { rows: rows as MessageRow[], nextCursor: null };
  return readToBound(ctx, selectNewest(ctx, first, range, limits.listCandidatesMax), others, limit);
}

type Candidates = ReturnType<typeof selectNewest>;

/**
 * Returns a query that reads messages one by one. Otherwise the planner might join the candidates with all messages from the first to the
 * last.
 */
function candidatesIn(ctx: Context, candidates: Candidates, filters: MessageFilter[], limit: number) {
  let messages = liveMessages(ctx).where('messages.id', '=', sql.ref<string>('candidate.id'));
  for (const { passes } of filters) messages = messages.where(passes);
  return acrossWorkspaces(ctx, 'the ids are those of the workspace')
    .selectFrom(candidates.as('candidate'))
    .innerJoinLateral(withListed(messages).limit(1).as('message'), (on) => on.onTrue())
    .orderBy('candidate.id', 'desc')
    .limit(limit);
}

/**
 * Returns the page that the candidates hold, and where the next one begins. One statement reads both: messages that came or went between
 * two statements would be shown twice or left out.
 */
async function readToBound(
  ctx: Context,
  candidates: Candidates,
  filters: MessageFilter[],
  limit: number,
): Promise<Page<MessageRow>> {
  const page = candidatesIn(ctx, candidates, filters, limit + 1).selectAll('message');
  const last = candidates.offset(limits.listCandidatesMax - 1).limit(1);
  const db = acrossWorkspaces(ctx, 'the ids are those of the workspace');
  const rows = await db
    .selectFrom(db.selectNoFrom(last.as('last')).as('bound'))
    .leftJoin(page.as('found'), (on) => on.onTrue())
    .selectAll('found')
    .select('bound.last')
    .orderBy('found.id', 'desc')
    .execute();
  const found = rows.filter(({ id }) => id !== null) as unknown as MessageRow[];
  if (found.length > limit) return pageOf(found, limit, (row) => [row.id]);
  const [{ last: end } = { last: null }] = rows;
  return { rows: found, nextCursor: end === null ? null : encodeCursor([end]) };
}

function idRange({ after, before, cursor }: ListMessages): IdRange {
  return {
    from: after === undefined ? null : firstIdAt('msg', new Date(after)),
    before: [
      ...(before === undefined ? [] : [firstIdAt('msg', new Date(before))]),
      ...(cursor === undefined ? [] : decodeCursor(cursor, 1)),
    ],
  };
}

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
export function selectNewest(
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
    const some = selectNewest(ctx, filter, range, countMax);
    return sql<number>`(select count(*)::int from ${some.as('some')})`;
  });
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    ctx.db,
  );
  const countOf = (filter: MessageFilter) => rows[0]?.counts[filters.indexOf(filter)] ?? 0;
  return filters.toSorted((a, b) => countOf(a) - countOf(b));
}
