import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prepared } from '../../db/prepared.ts';
import { scoped } from '../../db/scoped.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { deletedThreads } from '../../messages/find-message.ts';
import { bucketMessages } from '../index/choose-bucket.ts';

/** What the index of a workspace holds, roughly. */
export interface IndexState {
  /** An id above those of all messages that are indexed; null if none is. */
  above: string | null;
  /** Messages with ids below it are from before the index and not in it yet; null if there are none. */
  since: string | null;
  /** How many messages are indexed. */
  total: number;
  /** How many buckets they fill. */
  buckets: number;
  /** How full the newest bucket is, from 0 to 1. */
  newestShare: number;
  /** Its share of the buckets of all workspaces, from 0 to 1; less if others were removed. */
  share: number;
  /** Whether it has messages that nobody may see any more, because their rows are still being removed. */
  hasDeleted: boolean;
}

interface StateRow {
  newest: string | null;
  newest_bucket: number | null;
  in_newest: number;
  oldest_bucket: number;
  in_oldest: number;
  all_buckets: number;
  has_deleted: boolean;
  since: string | null;
}

const selectState = prepared((db, { workspaceId }: { workspaceId: string }) => {
  const ctx = { db, workspaceId, scope: wholeWorkspace };
  const newest = scoped(ctx)
    .selectFrom('search_buckets')
    .select('newest')
    .where('newest', 'is not', null)
    .orderBy('bucket', 'desc')
    .limit(2);
  const own = scoped(ctx)
    .selectFrom('search_workspaces')
    .select(['newest_bucket', 'in_newest', 'oldest_bucket', 'in_oldest', 'backfill_before']);
  const left = scoped(ctx).selectFrom('messages').select('id').where(sql<boolean>`id < own.backfill_before`);
  const inboxes = scoped(ctx).selectFrom('inboxes').select('id').where('deleted_at', 'is not', null);
  return sql<StateRow>`
    select own.newest_bucket, own.in_newest, own.oldest_bucket, own.in_oldest, (select max(newest) from (${newest}) as b) as newest,
      (select last_value::float8 from search_bucket_ids) as all_buckets,
      case when exists (${left}) then own.backfill_before end as since,
      (exists (${inboxes}) or exists (${deletedThreads(ctx)})) as has_deleted
    from (select) as one left join (${own}) as own on true`.compile(db);
});

/** Returns what the index of the caller's workspace holds. */
export async function readIndexState(
  ctx: Pick<Context, 'db' | 'database' | 'workspaceId' | 'scope'>,
): Promise<IndexState> {
  const [row] = await selectState(ctx, { workspaceId: ctx.workspaceId });
  // Without a row of its own, a workspace has columns of null.
  if (!row || row.newest_bucket === null)
    return { above: null, since: null, total: 0, buckets: 0, newestShare: 0, share: 0, hasDeleted: false };
  const { newest_bucket: last, oldest_bucket: first, in_newest: inNewest, in_oldest: inOldest } = row;
  const messagesEach = bucketMessages;
  const total = (last - first - 1) * messagesEach + inNewest + inOldest;
  return {
    above: row.newest === null ? null : `${row.newest}~`,
    since: row.since,
    total,
    buckets: total / messagesEach,
    newestShare: Math.min(1, inNewest / messagesEach),
    share: (last - first - 1) / Math.max(1, row.all_buckets),
    hasDeleted: row.has_deleted,
  };
}
