import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type Choose, type PlannedSearch, planTier } from './find-hits.ts';
import { allOfParts } from './index-query.ts';
import { type Hit, isAfter, unpackedWords } from './match-slice.ts';
import type { Phase, Position } from './search-cursor.ts';
import { wholeSlice } from './slices.ts';

/** The newest messages of a thread that are looked through for an earlier hit, and how many of those count. */
const earlier = { messagesMax: 200, hitsMax: 20 };
/** Threads are looked up in groups, because on later pages many may have been shown already. */
const groupMin = 50;

/**
 * Returns what keeps the best hit of each thread. A thread stands where its best message does: in the tier of its newest hit, and before
 * all messages that lack some of the words.
 */
export function bestOfThreads(search: PlannedSearch): Choose {
  return async (ctx, hits, position, wanted) => {
    const seen = new Set<string>();
    const best = hits.filter(({ threadId = '' }) => !seen.has(threadId) && seen.add(threadId));
    const { after } = position;
    const rest = after === null ? best : best.filter((one) => isAfter(one, after));
    const chosen: Hit[] = [];
    const group = Math.max(groupMin, 2 * wanted);
    for (let from = 0; from < rest.length && chosen.length < wanted; from += group) {
      const some = rest.slice(from, from + group);
      const shown = await shownBefore(ctx, search, position, some);
      chosen.push(...some.filter(({ threadId = '' }) => !shown.has(threadId)));
    }
    return chosen;
  };
}

/** Returns the threads that have a hit before all of this tier. */
async function shownBefore(
  ctx: Context,
  search: PlannedSearch,
  { phase, buckets }: Position,
  hits: Hit[],
): Promise<Set<string>> {
  const threads = [...new Set(hits.map(({ threadId = '' }) => threadId))];
  const complete = phase === 'most' ? await hitsIn(ctx, search, 'all', null, threads) : [];
  const newer = buckets.top === null ? [] : await hitsIn(ctx, search, phase, buckets.top, threads);
  return new Set([...complete, ...newer].map(({ threadId = '' }) => threadId));
}

/** Returns hits of these threads, of the buckets from `from` on. */
async function hitsIn(
  ctx: Context,
  search: PlannedSearch,
  phase: Phase,
  from: number | null,
  threads: string[],
): Promise<Hit[]> {
  const { match, score, ids, pass, range } = planTier(search, phase);
  const whole = allOfParts([...wholeSlice(ctx, false).match, ...match]);
  const { workspaceId } = ctx;
  const isNewer: RawBuilder<boolean> = from === null ? sql`true` : sql`s.bucket >= ${from}`;
  const { rows } = await sql<{ id: string; score: number; thread_id: string }>`
    select hit.id, hit.score, thread.id as thread_id from unnest(${threads}::text[]) as thread(id) cross join lateral (
      select message_id as id, ${score} as score from (
        select s.message_id, ${unpackedWords} as words from (
          select m.id from messages m where m.workspace_id = ${workspaceId} and m.thread_id = thread.id
            order by m.id desc limit ${earlier.messagesMax}) as m
        join search_messages s on s.workspace_id = ${workspaceId} and s.message_id = m.id
        where ${isNewer} and s.words @@ ${whole}::tsquery limit ${earlier.hitsMax}) as own) as hit
    where hit.score >= 0`.execute(ctx.db);
  const isIn = (id: string) =>
    (range.from === null || id >= range.from) &&
    (range.before === null || id < range.before) &&
    (ids === null || ids.includes(id));
  const bestHits = rows
    .filter(({ id }) => isIn(id))
    .map(({ id, score, thread_id: threadId }) => ({ id, score, threadId }));
  return pass === null ? bestHits : pass(ctx, bestHits);
}
