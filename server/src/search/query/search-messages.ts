import type { ListMessages } from '@postrider/contract';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { waitForChange } from '../../events/wait-for-change.ts';
import { timeOfId } from '../../lib/ids.ts';
import { selectNewest as newestIds } from '../../messages/list-messages.ts';
import { messageFilters } from '../../messages/message-filters.ts';
import { indexedBy, readIndexState } from '../index/index-state.ts';
import { bestOfThreads } from './best-of-threads.ts';
import { findHits, type HitPage, type HitsRequest } from './find-hits.ts';
import { findNear, newestId } from './find-near.ts';
import { searchWaits, withinTime } from './match-slice.ts';
import { type OpenSearch, openSearch, type SearchInput } from './open-search.ts';
import { fallBack, type ModeChosen, type PreparedMode, prepareMode } from './prepare-mode.ts';
import type { Position } from './search-cursor.ts';
import { readHits, type SearchHit } from './search-hit.ts';

/** The way in which a search ran. */
export interface SearchOutcome extends ModeChosen {
  /** Messages from before this time were not compared, or are not all in the index yet; null if all were. */
  rankedWithin: Date | null;
}

/** Hits of one page. */
export interface SearchPage extends FoundPage {
  /** Whether the index had all mail from before the search. */
  isCurrent: boolean;
}

interface FoundPage extends SearchOutcome {
  hits: SearchHit[];
  /** The place where the search continues; null at its end. */
  next: Position | null;
  /** Returns the sort keys of a position, from which its cursor is created. */
  keysAt(position: Position): string[];
}

/** A search as a list asks for it. */
export interface SearchRequest extends SearchInput {
  mode: ListMessages['mode'];
  limit: number;
  /** Whether a page has only the best hit of each thread. */
  isOfThreads?: boolean;
}

/** When a search that waits for a hit looks again while the index is behind. */
const lookAgainMs = 300;

/**
 * Returns a page of the caller's messages that match a query and pass every filter, best first. With `wait_seconds` it waits for the first
 * hit.
 *
 * @throws ApiError `not_found` if a filter names something that is not the caller's, `invalid_request` for a date in the query that is
 * none.
 */
export function searchMessages(
  ctx: Context,
  request: ListMessages & { query: string },
  clientGone: AbortSignal,
): Promise<SearchPage> {
  const { query, mode, limit, cursor, wait_seconds: waitSeconds = 0, ...filters } = request;
  return waitForChange(ctx, waitSeconds, clientGone, async () => {
    const result = await findSearchPage(ctx, { query, mode, limit, cursor, filters });
    // Nothing wakes a request that waits when a slow index gets to the mail.
    return { result, found: result.hits.length > 0, ...(!result.isCurrent && { againMs: lookAgainMs }) };
  });
}

/** Returns a page of hits, once mail that has just come is indexed. Throws as `searchMessages`. */
export async function findSearchPage(ctx: Context, request: SearchRequest): Promise<SearchPage> {
  const isCurrent = await indexedBy(ctx, searchWaits.indexMs);
  // Outside of the limit on reads, because a provider of vectors may take seconds.
  const prepared = await prepareMode(ctx, request);
  const page = await ctx.readLimiter.run(ctx.workspaceId, () => findPage(ctx, request, prepared));
  return { ...page, isCurrent };
}

async function findPage(ctx: Context, request: SearchRequest, prepared: PreparedMode): Promise<FoundPage> {
  const { limit, isOfThreads = false } = request;
  const opened = await openSearch(ctx, { ...request, needsThreads: isOfThreads });
  if (opened === null) {
    const rankedWithin = await timeCompared(ctx, await readIndexState(ctx).then(({ since }) => since));
    return { ...pickMode(prepared), hits: [], next: null, keysAt: () => [], rankedWithin };
  }
  const { search, from, keysAt, terms } = opened;
  const choose = isOfThreads ? bestOfThreads(search) : undefined;
  const { found, ...chosen } = await findInMode(ctx, opened, prepared, { from, limit, choose });
  const { hits, isCut } = await readHits(ctx, found.hits, terms);
  const next = isCut ? (hits.at(-1)?.position ?? found.next) : found.next;
  const { state, restrictions } = search;
  const isLeftOut = state.since !== null && (restrictions.range.from ?? '') < state.since;
  const rankedWithin = await timeCompared(ctx, newestId([found.oldestId, isLeftOut ? state.since : null]));
  return { ...chosen, hits, next, keysAt, rankedWithin };
}

/**
 * Returns the time from which messages were compared, by the id of the first; null if all were. A caller that is limited to some inboxes
 * gets the time right after the newest message in these inboxes that was not compared, because the other may be somebody else's message.
 */
async function timeCompared(ctx: Context, id: string | null): Promise<Date | null> {
  if (id === null || ctx.scope.inboxIds === null) return id === null ? null : timeOfId(id);
  const [own] = (await messageFilters(ctx, { limit: 1 })) ?? [];
  if (!own) return null;
  const [left] = await newestIds(ctx, own, { from: null, before: [id] }, 1).execute();
  return left ? new Date(timeOfId(left.id).getTime() + 1) : null;
}

async function findInMode(
  ctx: Context,
  opened: OpenSearch,
  prepared: PreparedMode,
  request: HitsRequest,
): Promise<ModeChosen & { found: HitPage }> {
  const { modeUsed, meaning } = prepared;
  const isFirst = request.from.after === null;
  if (meaning && modeUsed !== 'keyword') {
    try {
      return { ...pickMode(prepared), found: await findNear(ctx, opened, modeUsed, meaning, request) };
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      return findInMode(ctx, opened, fallBack(ctx, error, isFirst), request);
    }
  }
  const found = await withinTime(ctx, !request.from.isKnown, (inside, budget) =>
    findHits(inside, opened.search, request, budget),
  );
  return { ...pickMode(prepared), found };
}

function pickMode({ modeUsed, fallbackReason }: PreparedMode): ModeChosen {
  return fallbackReason === undefined ? { modeUsed } : { modeUsed, fallbackReason };
}
