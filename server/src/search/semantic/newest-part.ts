import type { Context } from '../../context.ts';
import { type RowsContext, scoped } from '../../db/scoped.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import type { SemanticScope } from './semantic-scope.ts';

/**
 * Returns the id from which on a scope has about `count` messages, its newest ones; null if it has no more than that. Messages of a
 * workspace are counted by the buckets of the search index, and of some inboxes one by one, as far as `count`. Inboxes with more are
 * bounded like their workspace.
 */
export async function newestPart(
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
