import type { ListMessages } from '@postrider/contract';
import type { Context } from '../../context.ts';
import { timeOfId } from '../../lib/ids.ts';
import { waitForChange } from '../../workspaces/wait-for-change.ts';
import { indexedBy } from '../index/indexed-by.ts';
import { bestOfThreads } from './best-of-threads.ts';
import { chooseMode, type ModeChosen } from './choose-mode.ts';
import { findHits } from './find-hits.ts';
import { openSearch, type SearchInput } from './open-search.ts';
import type { Position } from './search-cursor.ts';
import { readHits, type SearchHit } from './search-hit.ts';
import { withinTime } from './within-time.ts';

/** How a search ran. */
export interface SearchOutcome extends ModeChosen {
  /** The messages of before were not compared; null if all were. */
  rankedWithin: Date | null;
}

/** Hits of one page. */
export interface SearchPage extends SearchOutcome {
  hits: SearchHit[];
  /** Where the search continues; null at its end. */
  next: Position | null;
  /** Returns the sort keys of a position, from which its cursor is made. */
  keysAt(position: Position): string[];
}

/** A search as a list asks for it. */
export interface SearchRequest extends SearchInput {
  mode: ListMessages['mode'];
  limit: number;
  /** Whether a page has only the best hit of each thread. */
  isOfThreads?: boolean;
}

/** How long a search waits for mail that has just come or gone to be indexed. */
const indexWaitMs = 300;

/**
 * Returns a page of the caller's messages that match a query and pass every filter, best first. With `wait_seconds` it waits for the first
 * hit.
 *
 * @throws ApiError `not_found` if a filter names something that is not the caller's, `invalid_request` for a date in the query that is none.
 */
export function searchMessages(
  ctx: Context,
  request: ListMessages & { query: string },
  clientGone: AbortSignal,
): Promise<SearchPage> {
  const { query, mode, limit, cursor, wait_seconds: waitSeconds = 0, ...filters } = request;
  return waitForChange(ctx, waitSeconds, clientGone, async () => {
    const result = await findSearchPage(ctx, { query, mode, limit, cursor, filters });
    return { result, found: result.hits.length > 0 };
  });
}

/** Returns a page of hits, once mail that has just come is indexed. Throws as `searchMessages`. */
export async function findSearchPage(ctx: Context, request: SearchRequest): Promise<SearchPage> {
  await indexedBy(ctx, indexWaitMs);
  return ctx.readLimiter.run(ctx.workspaceId, () => findPage(ctx, request));
}

async function findPage(ctx: Context, request: SearchRequest): Promise<SearchPage> {
  const { limit, isOfThreads = false } = request;
  const chosen = chooseMode(ctx, request.mode);
  const opened = await openSearch(ctx, { ...request, needsThreads: isOfThreads });
  if (opened === null) return { ...chosen, hits: [], next: null, keysAt: () => [], rankedWithin: null };
  const { search, from, keysAt, terms } = opened;
  const choose = isOfThreads ? bestOfThreads(search) : undefined;
  const found = await withinTime(ctx, !from.isKnown, (inside, budget) =>
    findHits(inside, search, { from, limit, choose }, budget),
  );
  const { hits, isCut } = await readHits(ctx, found.hits, terms);
  const next = isCut ? (hits.at(-1)?.position ?? found.next) : found.next;
  const rankedWithin = found.oldestId === null ? null : timeOfId(found.oldestId);
  return { ...chosen, hits, next, keysAt, rankedWithin };
}
