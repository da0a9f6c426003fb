import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import { EmbeddingError, type EmbeddingProvider } from '../../embedding/provider.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { createRecentMap, perServer } from '../../lib/memory.ts';
import { beforeAny, turnOnEmbedding } from './embedding-progress.ts';
import { vectorSpace } from './vectors.ts';

/** Vectors of texts that were searched for, a few megabytes at most. */
const vectorsMax = 500;
const knownVectors = perServer(() => createRecentMap<Float32Array>(vectorsMax));
/** The number of times that a search that waits for vectors checks again. */
const lookAgainMs = 20;

/** The vector that messages are compared with. */
export interface Meaning {
  /** Zeros if the provider knows nothing of the text. */
  vector: Float32Array;
  /** The space that the vector belongs to. */
  space: number;
  /** While older messages are still to be embedded: those with ids below cannot be compared. */
  comparedFrom: string | null;
}

/** How long a search waits for vectors: of mail that has just come or, if it is the first one of its workspace, of older mail. */
export interface VectorWaits {
  vectorsMs: number;
  firstVectorsMs: number;
}

type SearchContext = Pick<
  Context,
  'db' | 'workspaceId' | 'scope' | 'embedding' | 'stopping' | 'clock' | 'memory'
>;
type WaitContext = SearchContext & Pick<Context, 'timeScale' | 'wakeups'>;

/**
 * Returns the vector of a text. It asks the provider, so it may take seconds, and is called outside transactions.
 *
 * @throws EmbeddingError if there is no provider, it fails, or it has embedded no message of the workspace yet.
 */
export async function readMeaning(ctx: SearchContext, text: string): Promise<Meaning> {
  const provider = requireProvider(ctx);
  const space = vectorSpace(provider);
  const [vector, comparedFrom] = await Promise.all([
    queryVector(ctx, provider, space, text),
    findComparedFrom(ctx, space),
  ]);
  return { vector, space, comparedFrom };
}

function requireProvider({ embedding }: SearchContext): EmbeddingProvider {
  if (!embedding) throw new EmbeddingError('Embeddings are off.', { mayPass: false });
  return embedding;
}

/**
 * Starts embedding the workspace's mail, and waits a moment for its vectors: usually only for those of mail that has just arrived, or for
 * those of all its mail if the workspace has not searched by meaning before.
 *
 * @throws EmbeddingError if there is no provider.
 */
export async function waitForVectors(ctx: WaitContext, waits: VectorWaits): Promise<void> {
  const askedAt = await turnOnEmbedding(ctx, vectorSpace(requireProvider(ctx)));
  const firstMs = ctx.timeScale.scaleMs(waits.firstVectorsMs);
  const leftMs = Math.min(firstMs, firstMs - (ctx.clock.now().getTime() - askedAt.getTime()));
  const isFirst = leftMs > 0;
  const isLeft = isFirst ? () => hasOlder(ctx) : await hasNew(ctx);
  const until = performance.now() + (isFirst ? leftMs : ctx.timeScale.scaleMs(waits.vectorsMs));
  while ((await isLeft()) && performance.now() < until && !ctx.stopping.aborted)
    await wait(lookAgainMs, ctx.stopping);
}

/** Returns whether any message of the workspace is still to be embedded. */
async function hasOlder(ctx: SearchContext): Promise<boolean> {
  const { rows } = await sql`
    select from embedding_progress where workspace_id = ${ctx.workspaceId} and before is not null
    union all select from embedding_pending where workspace_id = ${ctx.workspaceId} limit 1`.execute(
    acrossWorkspaces(ctx, 'the rows are those of the workspace'),
  );
  return rows.length > 0;
}

/** Returns a function that returns whether mail that arrived before this call still waits. */
async function hasNew(ctx: SearchContext): Promise<() => Promise<boolean>> {
  const waiting = scoped(ctx)
    .selectFrom('embedding_pending')
    .select('message_id')
    .where('is_live', '=', true)
    .limit(1);
  const newest = await waiting.orderBy('message_id', 'desc').executeTakeFirst();
  if (!newest) return async () => false;
  const left = waiting.where('message_id', '<=', newest.message_id);
  return async () => (await left.executeTakeFirst()) !== undefined;
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
  if (progress?.space !== space || !progress.has_some)
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
  const remembered = knownVectors(ctx).get(key);
  if (remembered) return remembered;
  const vector = await provider.embedQuery(text, ctx.stopping);
  knownVectors(ctx).set(key, vector);
  return vector;
}
