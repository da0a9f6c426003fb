import type { Context } from '../../context.ts';
import type { EmbeddingProvider } from '../../embedding/provider.ts';
import { perServer } from '../../lib/per-server.ts';
import { createRecentMap } from '../../lib/recent-map.ts';

/** Vectors of texts that were searched for, a few megabytes at most. */
const vectorsMax = 500;
const vectorsOf = perServer(() => createRecentMap<Float32Array>(vectorsMax));

/**
 * Returns the vector of a search, which its further pages and a request that waits need again. A service would be paid and waited for each
 * time, and its vectors differ a little from call to call, which would move messages between pages. Each workspace has its own, so that the
 * time of a search does not tell what others searched for.
 *
 * @throws EmbeddingError if the provider fails.
 */
export async function queryVector(
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
