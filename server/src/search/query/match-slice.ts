import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { inTimedTransaction } from '../../db/connections.ts';
import { isStatementTimeout } from '../../db/database-errors.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { allOfParts, inInbox, inInboxes, oneLexeme } from './index-query.ts';
import type { IdRange } from './slices.ts';

/** The maximum that one search compares. */
export const searchLimits = {
  /** The messages that one statement ranks. A bucket holds about 1,024, and is the smallest step. */
  rowsMax: 2_500,
  /** The messages that one page compares. */
  examinedMax: 10_000,
  msMax: 500,
  /** This many messages at least are ranked among themselves before older ones follow. */
  rankedMin: 125,
  /** A step is to find this many. It is more, because a second step costs about as much as the first. */
  rankedWanted: 250,
  /** If all messages together have at most this many matches, all of them are ranked. */
  wholeMax: 600,
  /** A bucket with more matches than that would be skipped. It never has as many messages. */
  bucketRowsMax: 20_000,
  firstBuckets: 2,
  bucketsMax: 1_024,
  /** The maximum factor by which the next step has more buckets. */
  growthMax: 64,
};

/**
 * How long a search waits for mail that has just come or gone to be indexed, and for the vectors of such mail. The first search by meaning
 * of a workspace waits for the vectors of all its mail.
 */
export const searchWaits = { indexMs: 300, vectorsMs: 200, firstVectorsMs: 1_000 };

/** The work that is left for a page. */
export interface Budget {
  examined: number;
  untilMs: number;
}

/** Returns the budget of one page. */
function createBudget(ctx: Pick<Context, 'timeScale'>): Budget {
  return {
    examined: searchLimits.examinedMax,
    untilMs: performance.now() + ctx.timeScale.scaleMs(searchLimits.msMax),
  };
}

/** Returns whether nothing more should be compared for this page. */
export function isSpent(budget: Budget): boolean {
  return budget.examined <= 0 || performance.now() > budget.untilMs;
}

/** A message that matches, with its score. Of two with the same score the newer one comes first. */
export interface Hit {
  id: string;
  score: number;
  /** Known once it was checked. */
  threadId?: string;
}

/** A question to the index, for one statement. */
interface SliceQuery {
  /** The tsqueries that the index is asked for. There is one, at least, unless inboxes are given. */
  match: string[];
  /** A further tsquery of the messages, for which it is not asked. */
  filter: string | null;
  /** If given, only these messages are compared. */
  ids: string[] | null;
  /** If given, only messages of these inboxes are compared. */
  inboxIds: string[] | null;
  range: IdRange;
  /** Of a row with `words` and `message_id`. A row below 0 is left out. */
  score: RawBuilder<number>;
  /** If more messages match, none is returned. */
  rowsMax: number;
  /** Only hits after this one are returned. */
  after: Hit | null;
  /** The number of best hits to return. */
  limit: number;
}

/** The best messages of a slice, and how many match; null if these are more than `rowsMax`. */
export interface Matches {
  count: number | null;
  best: Hit[];
}

/** Returns the best messages that match. The database ranks at most one more than `rowsMax`. */
export async function matchSlice(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'scope'>,
  query: SliceQuery,
): Promise<Matches> {
  const { filter, range, rowsMax, score, after, limit } = query;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter !== null) conditions.push(sql`words @@ ${filter}::tsquery`);
  if (range.from !== null) conditions.push(sql`message_id >= ${range.from}`);
  if (range.before !== null) conditions.push(sql`message_id < ${range.before}`);
  const isAfter =
    after === null
      ? sql`true`
      : sql`(score < ${after.score} or (score = ${after.score} and message_id < ${after.id}))`;
  const statement = sql<{ count: number; ids: string[]; scores: number[] }>`
    with scored as materialized (
      select message_id, ${score} as score from (
        select message_id, ${unpackedWords} as words from ${matchingRows(ctx, query)} where ${sql.join(conditions, sql` and `)}
          limit ${rowsMax + 1}) as matched
    ), best as (
      select message_id, score from scored where score >= 0 and ${isAfter} order by score desc, message_id desc limit ${limit}
    )
    select (select count(*)::int from scored) as count,
      coalesce(array_agg(message_id order by score desc, message_id desc), '{}') as ids,
      coalesce(array_agg(score order by score desc, message_id desc), '{}') as scores from best`;
  const db = acrossWorkspaces(ctx, 'the rows are those of the workspace');
  const { rows } = await statement.execute(db);
  const [slice = { count: 0, ids: [], scores: [] }] = rows;
  if (slice.count > rowsMax) return { count: null, best: [] };
  return {
    count: slice.count,
    best: slice.ids.map((id, index) => ({ id, score: slice.scores[index] ?? 0 })),
  };
}

/** Vectors up to this size are in their rows as they are. */
const packedBytesMin = 7_000;

/**
 * The SQL of `words` as an uncompressed value; those of large messages are compressed. A score reads the words dozens of times, and would
 * decompress them each time. The value must be in a subquery with a limit, or the planner puts the expression everywhere the words are
 * used.
 */
export const unpackedWords = sql`case when pg_column_size(words) < ${sql.lit(packedBytesMin)} then words else words || ''::tsvector end`;

/**
 * Returns the SQL of the rows of the workspace that match. The workspace is compared behind a fence (`offset 0`): the lexemes of the
 * tsquery belong to it alone, and otherwise the planner might list all of its messages by the primary key. Messages whose ids are known
 * are read one by one. So are inboxes, because an index that is asked for any of a hundred looks at each message of the other words a
 * hundred times.
 */
function matchingRows(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  { match, ids, inboxIds }: SliceQuery,
): RawBuilder<unknown> {
  const matching = (query: RawBuilder<unknown>) => sql`(select message_id, words from (
      select workspace_id, message_id, words from search_messages where words @@ ${query}::tsquery offset 0) as matching
    where workspace_id = ${workspaceId}) as own`;
  if (ids === null && inboxIds === null) return matching(sql`${allOfParts(match)}`);
  if (ids === null) {
    const queries = (inboxIds ?? []).map((id) => allOfParts([oneLexeme(inInbox(id)), ...match]));
    return sql`unnest(${queries}::text[]) as wanted(query) cross join lateral ${matching(sql`wanted.query`)}`;
  }
  const matches = sql`words @@ ${allOfParts([...(inboxIds === null ? [] : [inInboxes(inboxIds)]), ...match])}::tsquery`;
  return sql`unnest(${ids}::text[]) as wanted(id) cross join lateral (select message_id, words from search_messages
        where workspace_id = ${workspaceId} and message_id = wanted.id and ${matches} limit 1) as own`;
}

/** Sorts hits: best first, and newest first where scores are equal. */
export function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? 1 : -1);
}

/** Returns whether a hit comes after another one. */
export function isAfter(one: Hit, other: Hit): boolean {
  return one.score < other.score || (one.score === other.score && one.id < other.id);
}

/** Work that compares messages, within a budget. */
type Work<T> = (ctx: Context, budget: Budget) => Promise<T>;

/**
 * Runs the statements of a search, each of which may take half a second. If one takes longer, the work starts again without any budget, so
 * that it compares as little as it can.
 */
export async function withinTime<T>(ctx: Context, canStartAgain: boolean, work: Work<T>): Promise<T> {
  try {
    return await inTimedTransaction(ctx, statementMsMax(ctx), (inside) => work(inside, createBudget(ctx)));
  } catch (error) {
    if (!canStartAgain || !isStatementTimeout(error)) throw error;
    ctx.log.warn(
      { workspaceId: ctx.workspaceId },
      'a search took too long, and compares the newest messages only',
    );
    return inTimedTransaction(ctx, statementMsMax(ctx), (inside) =>
      work(inside, { examined: 0, untilMs: 0 }),
    );
  }
}

function statementMsMax({ timeScale }: Pick<Context, 'timeScale'>): number {
  return Math.max(timeScale.scaleMs(searchLimits.msMax), 50);
}
