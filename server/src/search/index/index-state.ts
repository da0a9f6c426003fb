import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { prepared } from '../../db/prepared.ts';
import { type RowsContext, scoped } from '../../db/scoped.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { deletedThreads } from '../../messages/find-message.ts';
import { bucketMessages } from './choose-bucket.ts';

/**
 * Queues messages of the workspace to be indexed again, because the text by which they are found has changed. Call it in the transaction of
 * the change, and wake the workspace after the commit. Deleted messages are ignored.
 */
export async function indexAgain(tx: RowsContext, ids: string[]): Promise<void> {
  // In one order, so that two callers cannot wait for each other.
  await sql`insert into search_pending as p (workspace_id, message_id)
    select ${tx.workspaceId}, id from unnest(${[...new Set(ids)].sort()}::text[]) id
    on conflict (workspace_id, message_id) do update set revision = p.revision + 1`.execute(tx.db);
}

/** The time for which a message that another process indexed may stay unnoticed. */
const lookAgainMs = 50;

type WaitContext = Pick<Context, 'db' | 'workspaceId' | 'scope' | 'wakeups' | 'timeScale' | 'stopping'>;

/**
 * Waits until the messages of the workspace that are pending now are indexed, for at most `timeoutMs`. Returns whether they are, which is
 * usually so without waiting.
 */
export async function indexedBy(ctx: WaitContext, timeoutMs: number): Promise<boolean> {
  const { workspaceId } = ctx;
  const newest = await newestPending(ctx, { workspaceId });
  const last = newest[0]?.message_id;
  if (last === undefined) return true;
  const until = performance.now() + ctx.timeScale.scaleMs(timeoutMs);
  for (;;) {
    const woken = new AbortController();
    const stop = ctx.wakeups.listen(workspaceId, () => woken.abort(), 'search');
    try {
      if ((await oldestPending(ctx, { workspaceId, last })).length === 0) return true;
      const leftMs = until - performance.now();
      if (leftMs <= 0 || ctx.stopping.aborted) return false;
      await wait(Math.min(leftMs, lookAgainMs), AbortSignal.any([woken.signal, ctx.stopping]));
    } finally {
      stop();
    }
  }
}

const newestPending = prepared((db, { workspaceId }: { workspaceId: string }) =>
  scoped({ db, workspaceId })
    .selectFrom('search_pending')
    .select('message_id')
    .orderBy('message_id', 'desc')
    .limit(1)
    .compile(),
) as (ctx: Pick<Context, 'db'>, values: { workspaceId: string }) => Promise<{ message_id: string }[]>;

const oldestPending = prepared((db, { workspaceId, last }: { workspaceId: string; last: string }) =>
  scoped({ db, workspaceId })
    .selectFrom('search_pending')
    .select('message_id')
    .where('message_id', '<=', last)
    .limit(1)
    .compile(),
) as (
  ctx: Pick<Context, 'db'>,
  values: { workspaceId: string; last: string },
) => Promise<{ message_id: string }[]>;

/** The contents of the index of a workspace, roughly. */
export interface IndexState {
  /** An id above those of all indexed messages; null if there are none. */
  above: string | null;
  /** Messages with ids below it are from before the index and not in it yet; null if there are none. */
  since: string | null;
  /** The number of indexed messages. */
  total: number;
  /** The number of buckets that they fill. */
  buckets: number;
  /** The fill level of the newest bucket, from 0 to 1. */
  newestShare: number;
  /** Its share of the buckets of all workspaces, from 0 to 1; less if others were removed. */
  share: number;
  /** Whether it has messages that nobody is allowed to see any more, because their rows are still being removed. */
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

/** Returns the contents of the index of the caller's workspace. */
export async function readIndexState(
  ctx: Pick<Context, 'db' | 'database' | 'workspaceId' | 'scope'>,
): Promise<IndexState> {
  const [row] = await selectState(ctx, { workspaceId: ctx.workspaceId });
  // Without its own row, a workspace has columns of null.
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
