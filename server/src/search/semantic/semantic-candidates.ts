/*
 * The nearest messages to a text. The database counts for each message of the scope in how many bits its code differs from the text's, and
 * the nearest few hundred are then compared by their whole vectors. All conditions hold while the nearest are chosen, and not afterwards,
 * so that a rare label has as many results as a common one.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { codeBits, codeOf, cosineOf } from './quantize.ts';
import { codesInScope, type SemanticScope, scopeChecks } from './semantic-scope.ts';
import { spaceOf } from './vector-space.ts';

/** The nearest codes, which are compared by their vectors: 99 % of the 20 nearest messages of 100,000 are among them. */
const nearestCodes = 400;

/** A message and how near it is to the text: the cosine of the angle between their vectors. */
export interface SemanticCandidate {
  messageId: string;
  cosine: number;
}

/** The nearest messages, nearest first. */
export interface SemanticCandidates {
  candidates: SemanticCandidate[];
  /** While older messages are still to be embedded: those with ids below were not compared. */
  comparedFrom: string | null;
}

type SearchContext = Pick<Context, 'db' | 'workspaceId' | 'embedding' | 'stopping'>;

/**
 * Returns the messages of the scope that are nearest to a text, at most `limit` and `nearestCodes`.
 *
 * @throws EmbeddingError if there is no provider, it fails, or the messages were embedded by another one.
 */
export async function semanticCandidates(
  ctx: SearchContext,
  scope: SemanticScope,
  text: string,
  limit: number,
): Promise<SemanticCandidates> {
  const provider = ctx.embedding;
  if (!provider) throw new EmbeddingError('Embeddings are off.', { mayPass: false });
  const space = spaceOf(provider);
  const [vector, comparedFrom] = await Promise.all([
    provider.embedQuery(text, ctx.stopping),
    findComparedFrom(ctx, space),
  ]);
  const near = await findNearest(ctx, scope, space, vector);
  const candidates = near
    .map((row) => ({ messageId: row.message_id, cosine: cosineOf(vector, row.vector) }))
    .sort((a, b) => b.cosine - a.cosine || (a.messageId < b.messageId ? 1 : -1))
    .slice(0, limit);
  return { candidates, comparedFrom };
}

interface Near {
  message_id: string;
  vector: Buffer;
}

// Each row is looked up by itself (lateral, with a limit), or the planner might join whole tables.
async function findNearest(
  ctx: SearchContext,
  scope: SemanticScope,
  space: number,
  vector: Float32Array,
): Promise<Near[]> {
  const { rows } = await sql<Near>`select v.* from (${await nearestIds(ctx, scope, space, vector)}) near
    join lateral (select message_id, vector from search_vectors v where v.workspace_id = ${ctx.workspaceId}
      and v.message_id = near.message_id limit 1) v on true`.execute(ctx.db);
  return rows;
}

async function nearestIds(
  ctx: SearchContext,
  scope: SemanticScope,
  space: number,
  vector: Float32Array,
): Promise<RawBuilder<unknown>> {
  const isInScope = codesInScope(ctx, scope, space);
  const difference = sql`bit_count(c.code # ${codeOf(vector)}::bit(${sql.lit(codeBits)}))`;
  const { few, passes } = await scopeChecks(ctx, scope);
  const passing =
    passes.length === 0
      ? sql``
      : sql`join lateral (select from messages where messages.workspace_id = ${ctx.workspaceId} and messages.id = c.message_id
          and ${sql.join(passes, sql` and `)} limit 1) passing on true`;
  if (few)
    return sql`select c.message_id from (${few}) few
      join lateral (select c.* from search_codes c where ${isInScope} and c.message_id = few.id limit 1) c on true
      ${passing} order by ${difference} limit ${nearestCodes}`;
  if (passes.length === 0)
    return sql`select c.message_id from search_codes c where ${isInScope} order by ${difference} limit ${nearestCodes}`;
  return sql`select c.message_id from (select c.message_id from search_codes c where ${isInScope} order by ${difference} offset 0) c
    ${passing} limit ${nearestCodes}`;
}

/** Returns the id from which on the messages of the workspace have vectors of this space; null if all have. */
async function findComparedFrom({ db, workspaceId }: SearchContext, space: number): Promise<string | null> {
  const { rows } = await sql<{ space: number; bounds: string[] }>`
    select p.space, array_remove(array[p.before, (select max(message_id) from embedding_pending e
      where e.workspace_id = p.workspace_id and not e.is_live)], null) as bounds
    from embedding_progress p where p.workspace_id = ${workspaceId}`.execute(db);
  const [progress] = rows;
  if (!progress) return null;
  if (progress.space !== space)
    throw new EmbeddingError('The messages were embedded by another provider.', { mayPass: true });
  return progress.bounds.toSorted().at(-1) ?? null;
}
