/*
 * The nearest messages to a text. The database counts for each message of the scope in how many bits its code differs from the text's, and
 * the nearest few hundred are then compared by their whole vectors. All conditions hold while the nearest are chosen, and not afterwards,
 * so that a rare label has as many results as a common one.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../../db/scoped.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import type { Meaning } from './read-meaning.ts';
import { codesInScope, type SemanticScope, scopeChecks } from './semantic-scope.ts';
import { codeBits, measureCosine, vectorCode } from './vectors.ts';

/** The nearest codes, which are compared by their vectors: 99 % of the 20 nearest messages of 100,000 are among them. */
const nearestCodes = 400;

/** A message and how near it is to the text: the cosine of the angle between their vectors. */
export interface NearMessage {
  id: string;
  cosine: number;
}

/** The nearest messages, nearest first. */
export interface Nearest {
  near: NearMessage[];
  /** Messages with ids below were not compared; null if all were. */
  comparedFrom: string | null;
}

type SearchContext = Pick<Context, 'db' | 'database' | 'workspaceId' | 'scope'>;

/** At most so much is returned, and compared. */
export interface NearestLimits {
  /** The number of messages to return, up to `nearestCodes`. */
  messages: number;
  /** How many codes are compared, about. Of a scope that has more, these are its newest. */
  compared: number;
}

/** Returns the messages of the scope that are nearest to a text. */
export async function nearestMessages(
  ctx: SearchContext,
  scope: SemanticScope,
  meaning: Meaning,
  limits: NearestLimits,
): Promise<Nearest> {
  const { vector } = meaning;
  const { ids, comparedFrom } = await nearestIds(ctx, scope, meaning, limits);
  // Each row is looked up separately (lateral, with a limit), or the planner might join whole tables.
  const { rows } = await sql<Stored>`select v.* from (${ids}) near
    join lateral (select message_id, vector from search_vectors v where v.workspace_id = ${ctx.workspaceId}
      and v.message_id = near.message_id limit 1) v on true`.execute(ofWorkspace(ctx));
  const near = rows
    .map((row) => ({ id: row.message_id, cosine: measureCosine(vector, row.vector) }))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? 1 : -1))
    .slice(0, limits.messages);
  return { near, comparedFrom };
}

/** Returns the cosines of messages by their ids. Those without a vector of the same space are left out. */
export async function readCosines(
  ctx: SearchContext,
  { vector, space }: Meaning,
  ids: string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Stored>`select v.message_id, v.vector from unnest(${ids}::text[]) id
    join lateral (select c.message_id from search_codes c where c.workspace_id = ${ctx.workspaceId} and c.message_id = id
      and c.space = ${space}::int limit 1) c on true
    join lateral (select message_id, vector from search_vectors v where v.workspace_id = ${ctx.workspaceId}
      and v.message_id = id limit 1) v on true`.execute(ofWorkspace(ctx));
  return new Map(rows.map((row) => [row.message_id, measureCosine(vector, row.vector)]));
}

interface Stored {
  message_id: string;
  vector: Buffer;
}

function ofWorkspace(ctx: SearchContext) {
  return acrossWorkspaces(ctx, 'the rows are those of the workspace');
}

async function nearestIds(
  ctx: SearchContext,
  scope: SemanticScope,
  { vector, space }: Meaning,
  { compared }: NearestLimits,
): Promise<{ ids: RawBuilder<unknown>; comparedFrom: string | null }> {
  const code = sql`${vectorCode(vector)}::bit(${sql.lit(codeBits)})`;
  const difference = sql`bit_count(c.code # ${code})`;
  const { few, passes } = await scopeChecks(ctx, scope);
  const passing =
    passes.length === 0
      ? sql``
      : sql`join lateral (select from messages where messages.workspace_id = ${ctx.workspaceId} and messages.id = c.message_id
          and ${sql.join(passes, sql` and `)} limit 1) passing on true`;
  const isInScope = await codesInScope(ctx, scope, space);
  if (few) {
    // The conditions are outside, or the planner might look up each message among all messages of its inbox.
    const ids = sql`select c.message_id from (${few}) few
      join lateral (select c.* from search_codes c where c.workspace_id = ${ctx.workspaceId} and c.message_id = few.id limit 1) c on true
      ${passing} where ${isInScope} order by ${difference} limit ${nearestCodes}`;
    return { ids, comparedFrom: null };
  }
  const comparedFrom = await newestPart(ctx, scope, compared);
  const isCompared =
    comparedFrom === null ? isInScope : sql`${isInScope} and c.message_id >= ${comparedFrom}`;
  const ids =
    passes.length === 0
      ? sql`select c.message_id from search_codes c where ${isCompared} order by ${difference} limit ${nearestCodes}`
      : sql`select c.message_id from (select c.message_id from search_codes c where ${isCompared} order by ${difference} offset 0) c
          ${passing} limit ${nearestCodes}`;
  return { ids, comparedFrom };
}

/**
 * Returns the id from which on a scope has about `count` messages, its newest ones; null if it has no more than that. Messages of a
 * workspace are counted by the buckets of the search index, and of some inboxes one by one, as far as `count`. Inboxes with more are
 * bounded like their workspace.
 */
async function newestPart(
  ctx: Pick<Context, 'db' | 'database' | 'workspaceId' | 'scope'>,
  { inboxId, range }: Pick<SemanticScope, 'inboxId' | 'range'>,
  count: number,
): Promise<string | null> {
  const { from = null, before = null } = range ?? {};
  let buckets = scoped(ctx).selectFrom('search_buckets').select('newest').where('newest', 'is not', null);
  if (from !== null) buckets = buckets.where('newest', '>=', from);
  if (before !== null) buckets = buckets.where('oldest', '<', before);
  const next = await buckets
    .orderBy('newest', 'desc')
    .offset(Math.ceil(count / bucketMessages))
    .limit(1)
    .executeTakeFirst();
  if (!next) return null;
  const isOfSome = inboxId !== undefined || ctx.scope.inboxIds !== null;
  return isOfSome && !(await hasMore(ctx, inboxId, count)) ? null : next.newest;
}

async function hasMore(ctx: RowsContext, inboxId: string | undefined, count: number): Promise<boolean> {
  const own = scoped(ctx).selectFrom('messages').select('id');
  const messages = inboxId === undefined ? own : own.where('inbox_id', '=', inboxId);
  return (await messages.offset(count).limit(1).executeTakeFirst()) !== undefined;
}
