import { type ListMessages, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { decodeCursor, encodeCursor } from '../lib/cursor.ts';
import { firstIdAt } from '../lib/ids.ts';
import { type Page, pageOf } from '../lib/page.ts';
import { waitForChange } from '../workspaces/wait-for-change.ts';
import { liveMessages, selectListed } from './find-message.ts';
import { loadDetails, type MessageDetails } from './message-details.ts';
import { type Ids, type MessageFilter, messageFilters } from './message-filters.ts';
import type { MessageRow } from './message-record.ts';

/** A filter with no more messages than this is few enough, and which of two has fewer need not be known. */
const countMax = 1_000;

/**
 * A page of the caller's messages that pass every filter, newest first. Where filters are combined a page may end early, with a
 * cursor, once it has looked at `listCandidatesMax` messages.
 *
 * @throws ApiError `not_found` when a filter names an inbox, thread or label that is not the caller's.
 */
export const listMessages = async (
  ctx: Context,
  query: ListMessages,
  clientGone: AbortSignal,
): Promise<Page<MessageDetails>> => {
  if (query.query !== undefined) throw new ApiError('not_implemented');
  return waitForChange(ctx, query.wait_seconds ?? 0, clientGone, async () => {
    const result = await findMessages(ctx, query);
    return { result, found: result.rows.length > 0 || result.nextCursor !== null };
  });
};

const findMessages = async (ctx: Context, query: ListMessages): Promise<Page<MessageDetails>> => {
  const filters = await messageFilters(ctx, query);
  if (!filters) return { rows: [], nextCursor: null };
  const range = rangeOf(query);
  const page = await findPage(ctx, { filters, range, limit: query.limit });
  return { ...page, rows: await loadDetails(ctx, page.rows) };
};

interface Search {
  filters: MessageFilter[];
  range: IdRange;
  limit: number;
}

const findPage = async (ctx: Context, { filters, range, limit }: Search): Promise<Page<MessageRow>> => {
  const [way, ...others] = await fewestFirst(ctx, filters, range);
  const every = scoped(ctx).selectFrom('messages').select('id') as Ids;
  const onTheWay = newestOf(ctx, way?.ids ?? every, range);
  const candidates = others.length === 0 ? onTheWay : onTheWay.limit(limits.listCandidatesMax);
  let messages = liveMessages(ctx).innerJoin(candidates.as('candidate'), 'candidate.id', 'messages.id');
  for (const { passes } of others) messages = messages.where(passes);
  const rows = await selectListed(messages.orderBy('candidate.id', 'desc').limit(limit + 1));
  const page = pageOf(rows, limit, (row) => [row.id]);
  if (page.nextCursor !== null || others.length === 0) return page;
  const last = await onTheWay
    .offset(limits.listCandidatesMax - 1)
    .limit(1)
    .executeTakeFirst();
  return { ...page, nextCursor: last ? encodeCursor([last.id]) : null };
};

/** Ids from one on, and before another. */
interface IdRange {
  from: string | null;
  before: string[];
}

const rangeOf = ({ after, before, cursor }: ListMessages): IdRange => ({
  from: after === undefined ? null : firstIdAt('msg', new Date(after)),
  before: [
    ...(before === undefined ? [] : [firstIdAt('msg', new Date(before))]),
    ...(cursor === undefined ? [] : decodeCursor(cursor, 1)),
  ],
});

const within = (ctx: Context, ids: Ids, { from, before }: IdRange) => {
  let rows = acrossWorkspaces(ctx, 'the ids are those of the workspace')
    .selectFrom(ids.as('way'))
    .select('way.id');
  if (from !== null) rows = rows.where('way.id', '>=', from);
  for (const bound of before) rows = rows.where('way.id', '<', bound);
  return rows;
};

const newestOf = (ctx: Context, ids: Ids, range: IdRange) =>
  within(ctx, ids, range).orderBy('way.id', 'desc');

/** The filters, that with the fewest messages first. */
const fewestFirst = async (
  ctx: Context,
  filters: MessageFilter[],
  range: IdRange,
): Promise<MessageFilter[]> => {
  if (filters.length < 2) return filters;
  const counts = filters.map(({ ids }) => {
    const some = within(ctx, ids, range).limit(countMax);
    return sql<number>`(select count(*)::int from ${some.as('some')})`;
  });
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(
    ctx.db,
  );
  const countOf = (filter: MessageFilter) => rows[0]?.counts[filters.indexOf(filter)] ?? 0;
  return filters.toSorted((a, b) => countOf(a) - countOf(b));
};
