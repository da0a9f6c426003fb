import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { perServer } from '../../lib/per-server.ts';
import { createRecentMap } from '../../lib/recent-map.ts';
import { beforeAny } from './refill-pending.ts';
import { spaceOf } from './vector-space.ts';

/** Vectors of texts that were searched for, a few megabytes at most. */
const vectorsMax = 500;
const vectorsOf = perServer(() => createRecentMap<Float32Array>(vectorsMax));

/** What a text is compared by. */
export interface Meaning {
  /** Zeros if the provider knows nothing of the text. */
  vector: Float32Array;
  /** The space that the vector belongs to. */
  space: number;
  /** While older messages are still to be embedded: those with ids below cannot be compared. */
  comparedFrom: string | null;
}

type SearchContext = Pick<
  Context,
  'db' | 'workspaceId' | 'scope' | 'embedding' | 'stopping' | 'clock' | 'memory'
>;

/**
 * Returns what a text is compared by. It asks the provider, so it may take seconds, and is called outside transactions.
 *
 * @throws EmbeddingError if there is no provider, it fails, or the messages were embedded by another one.
 */
export async function readMeaning(ctx: SearchContext, text: string): Promise<Meaning> {
  const provider = ctx.embedding;
  if (!provider) throw new EmbeddingError('Embeddings are off.', { mayPass: false });
  const space = spaceOf(provider);
  const [vector, comparedFrom] = await Promise.all([
    queryVector(ctx, provider, space, text),
    findComparedFrom(ctx, space),
  ]);
  return { vector, space, comparedFrom };
}

/**
 * Returns the id from which on the messages of the workspace have vectors of this space; null if all have.
 *
 * @throws EmbeddingError if none has.
 */
async function findComparedFrom(ctx: SearchContext, space: number): Promise<string | null> {
  const { rows } = await sql<{ space: number; bounds: string[]; has_some: boolean }>`
    select p.space, array_remove(array[p.before, (select max(message_id) from embedding_pending e
        where e.workspace_id = p.workspace_id and not e.is_live)], null) as bounds,
      p.before is null or exists (select from search_codes c where c.workspace_id = p.workspace_id and c.space = ${space}::int) as has_some
    from embedding_progress p where p.workspace_id = ${ctx.workspaceId}`.execute(
    acrossWorkspaces(ctx, 'the row is that of the workspace'),
  );
  const [progress] = rows;
  if (!progress) return null;
  if (progress.space !== space || !progress.has_some)
    throw new EmbeddingError('The messages are not embedded by this provider yet.', { mayPass: true });
  const bound = progress.bounds.toSorted().at(-1) ?? null;
  return bound === beforeAny ? firstIdAt('msg', ctx.clock.now()) : bound;
}

/**
 * Returns the vector of a search, which its further pages and a request that waits need again. A service would be paid and waited for each
 * time, and its vectors differ a little from call to call, which would move messages between pages. Each workspace has its own, so that the
 * time of a search does not tell what others searched for.
 *
 * @throws EmbeddingError if the provider fails.
 */
async function queryVector(
  ctx: Pick<Context, 'workspaceId' | 'memory' | 'stopping'>,
  provider: EmbeddingProvider,
  space: number,
  text: string,
): Promise<Float32Array> {
  const key = JSON.stringify([space, ctx.workspaceId, text]);
  const known = vectorsOf(ctx).get(key);
  if (known) return known;
  const vector = await provider.embedQuery(text, ctx.stopping);
  vectorsOf(ctx).set(key, vector);
  return vector;
}
