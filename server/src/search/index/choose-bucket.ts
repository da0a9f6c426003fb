import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { createRecentMap } from '../../lib/memory.ts';
import { LeaseLost } from './lead.ts';

/** The number of messages in a bucket. */
export const bucketMessages = 1_024;
/** The number of buckets that share a block. */
const blockBuckets = 32;
const workspacesKnownMax = 20_000;

/** The place of a message in the index. */
export interface Bucket {
  bucket: number;
  /** The numbers of the bucket and of its block, which are unique in the database. */
  number: number;
  block: number;
}

/** One of the two buckets of a workspace that are being filled; `place` is null if the bucket does not exist yet. */
interface Filling {
  bucket: number;
  messages: number;
  place: Bucket | null;
}

interface WorkspaceBuckets {
  newest: Filling;
  oldest: Filling;
  backfillBefore: string | null;
}

/**
 * Returns the bucket for a message of a workspace that is not indexed yet.
 *
 * @throws LeaseLost
 */
export type ChooseBucket = (workspaceId: string, messageId: string) => Promise<Bucket>;

/**
 * Creates the function that fills buckets. Mail that arrives goes to the newest one, and mail of the time before the index to the oldest
 * one. It remembers the buckets, so that it is created anew each time that a process takes over.
 */
export function createBucketChooser(deps: Pick<Deps, 'db' | 'database'>, holder: string): ChooseBucket {
  const messagesMax = bucketMessages;
  const knownBuckets = createRecentMap<WorkspaceBuckets>(workspacesKnownMax);
  const open = async (workspaceId: string, messageId: string) => {
    const buckets = knownBuckets.get(workspaceId) ?? (await readBuckets(deps, workspaceId, messageId));
    knownBuckets.set(workspaceId, buckets);
    return buckets;
  };
  return async (workspaceId, messageId) => {
    const { newest, oldest, backfillBefore } = await open(workspaceId, messageId);
    const isOld = backfillBefore !== null && messageId < backfillBefore;
    const filling = isOld ? oldest : newest;
    const isFull = filling.messages >= messagesMax;
    if (isFull || filling.place === null) {
      const bucket = filling.bucket + (isFull ? (isOld ? -1 : 1) : 0);
      filling.place = await openBucket(deps, holder, workspaceId, { bucket, isOld });
      filling.bucket = bucket;
      filling.messages = 0;
    }
    filling.messages += 1;
    return filling.place;
  };
}

/** Reads the buckets of a workspace. A new one also gets a backfill below its first message, which usually ends at once. */
async function readBuckets(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  firstId: string,
): Promise<WorkspaceBuckets> {
  const db = acrossWorkspaces(deps, 'one process indexes the messages of all workspaces');
  await db
    .insertInto('search_workspaces')
    .values({ workspace_id: workspaceId, backfill_before: firstId } as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('search_workspaces')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const places = await db
    .selectFrom('search_buckets')
    .select(['bucket', 'number', 'block'])
    .where('workspace_id', '=', workspaceId)
    .where('bucket', 'in', [row.newest_bucket, row.oldest_bucket])
    .execute();
  const filling = (bucket: number, messages: number): Filling => ({
    bucket,
    messages,
    place: places.find((place) => place.bucket === bucket) ?? null,
  });
  return {
    newest: filling(row.newest_bucket, row.in_newest),
    oldest: filling(row.oldest_bucket, row.in_oldest),
    backfillBefore: row.backfill_before,
  };
}

/**
 * Creates a bucket and makes it the one that is filled. A process that lost its lease meanwhile must not do this: mail in a bucket before
 * the newest one would not be found.
 */
async function openBucket(
  deps: Pick<Deps, 'db'>,
  holder: string,
  workspaceId: string,
  { bucket, isOld }: { bucket: number; isOld: boolean },
): Promise<Bucket> {
  const [filled, count] = isOld ? ['oldest_bucket', 'in_oldest'] : ['newest_bucket', 'in_newest'];
  const first = Math.floor(bucket / blockBuckets) * blockBuckets;
  const { rows } = await sql<Bucket>`
    with lease as materialized (select from leases where name = 'search' and holder = ${holder} for share),
      filling as (
        update search_workspaces set ${sql.ref(filled)} = ${bucket}, ${sql.ref(count)} = 0
          where workspace_id = ${workspaceId} and exists (select from lease))
    insert into search_buckets as b (workspace_id, bucket, number, block)
      select ${workspaceId}, ${bucket}, next.number, coalesce((
        select s.block from search_buckets s where s.workspace_id = ${workspaceId}
          and s.bucket between ${first} and ${first + blockBuckets - 1} limit 1), next.number)
      from (select nextval('search_bucket_ids') as number from lease) next
      on conflict (workspace_id, bucket) do update set bucket = excluded.bucket
      returning b.bucket, b.number, b.block`.execute(
    acrossWorkspaces(deps, 'one process indexes the messages of all workspaces'),
  );
  const [row] = rows;
  if (!row) throw new LeaseLost();
  return row;
}
