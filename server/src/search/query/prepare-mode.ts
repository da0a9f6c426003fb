import type { ListMessages, MessagePage, SearchMode } from '@postrider/contract';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { ApiError, invalidField } from '../../lib/api-error.ts';
import { planLimits } from '../../workspaces/usage.ts';
import { type Meaning, readMeaning, waitForVectors } from '../semantic/read-meaning.ts';
import { parseQuery } from '../text/parse-query.ts';
import { searchWaits } from './match-slice.ts';
import { decodeSearch, type Phase } from './search-cursor.ts';

/** The mode that a search runs in, and why if it is not the one that was asked for. */
export interface ModeChosen {
  modeUsed: SearchMode;
  fallbackReason?: MessagePage['fallback_reason'];
}

/** A mode, with what messages are compared by. */
export interface PreparedMode extends ModeChosen {
  /** Null if words alone decide. */
  meaning: Meaning | null;
}

/**
 * Returns the mode that the caller's plan, this server and its provider of vectors allow. Keyword search always runs. A later page goes on
 * in the mode of the first one. It may take seconds, if the provider is a service.
 *
 * @throws ApiError `invalid_request` for the cursor of another mode, `unavailable` if a later page needs a provider that fails.
 */
export async function prepareMode(
  ctx: Context,
  {
    query,
    mode = 'keyword',
    cursor,
  }: { query: string; mode: ListMessages['mode']; cursor?: string | undefined },
): Promise<PreparedMode> {
  const phase = cursor === undefined ? null : decodeSearch(query, cursor).phase;
  const chosen = chooseMode(ctx, mode);
  if (phase !== null && isByMeaning(phase)) {
    if (phase !== mode) throw invalidField('cursor', 'must be a `next_cursor` of a search in this mode');
    if (chosen.modeUsed !== mode) throw new ApiError('unavailable');
  }
  const { text } = parseQuery(query);
  // If only operators restrict the search, there is nothing to compare by meaning.
  if (chosen.modeUsed === 'keyword' || text === '') return { ...chosen, meaning: null };
  if (phase !== null && !isByMeaning(phase)) return fallback;
  try {
    await waitForVectors(ctx, searchWaits);
    return { ...chosen, meaning: await readMeaning(ctx, text) };
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    return fallBack(ctx, error, phase === null);
  }
}

/**
 * Returns the mode with which a search continues if its provider fails on its first page.
 *
 * @throws ApiError `unavailable` on a later page, because the order of keyword search has no such place.
 */
export function fallBack(
  { log }: Pick<Context, 'log'>,
  error: EmbeddingError,
  isFirst: boolean,
): PreparedMode {
  log.debug({ err: error }, 'a search by meaning was not possible');
  if (!isFirst) throw new ApiError('unavailable');
  return fallback;
}

const fallback: PreparedMode = { modeUsed: 'keyword', fallbackReason: 'unavailable', meaning: null };

function isByMeaning(phase: Phase): phase is 'semantic' | 'hybrid' {
  return phase === 'semantic' || phase === 'hybrid';
}

function chooseMode(ctx: Pick<Context, 'plan' | 'config' | 'embedding'>, asked: SearchMode): ModeChosen {
  if (asked === 'keyword') return { modeUsed: asked };
  if (!planLimits(ctx).semantic_search) return { modeUsed: 'keyword', fallbackReason: 'plan' };
  return ctx.embedding ? { modeUsed: asked } : { modeUsed: 'keyword', fallbackReason: 'unavailable' };
}
