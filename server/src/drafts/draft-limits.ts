import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { lock } from '../db/locks.ts';
import { ApiError } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { hasHigherPlan, planLimits, readUsage } from '../workspaces/usage.ts';
import { liveDrafts } from './find-draft.ts';

/**
 * Checks that the workspace has no more drafts without a message than it may have. Call it in the transaction that adds one, after adding
 * it.
 *
 * @throws ApiError `limit_reached`.
 */
export async function requireFewDrafts(tx: Context): Promise<void> {
  await takeTurns(tx);
  const limit = limits.draftsPerWorkspaceMax;
  const { count } = await unsent(tx)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count > limit) throw new ApiError('limit_reached', { limit });
}

/**
 * Checks that the files of drafts without a message fit into the storage that attachments leave of the plan. Call it in the transaction
 * that adds files, after adding them.
 *
 * @throws ApiError `storage_limit_reached`.
 */
export async function requireFilesFit(tx: Context): Promise<void> {
  await takeTurns(tx);
  const { storage_bytes: limit_bytes } = planLimits(tx);
  const { bytes } = await unsent(tx)
    .innerJoin('draft_files', (on) =>
      on
        .onRef('draft_files.workspace_id', '=', 'drafts.workspace_id')
        .onRef('draft_files.draft_id', '=', 'drafts.id'),
    )
    .select(sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'))
    .executeTakeFirstOrThrow();
  const usage = await readUsage(tx, tx.clock.now());
  if (usage.storage_bytes + bytes > limit_bytes)
    throw new ApiError('storage_limit_reached', { upgrade: hasHigherPlan(tx.plan), limit_bytes });
}

/**
 * Checks that the texts of drafts without a message take no more than the plan allows for stored mail. Call it in the transaction that
 * writes texts, after writing them.
 *
 * @throws ApiError `storage_limit_reached`.
 */
export async function requireTextsFit(tx: Context): Promise<void> {
  await takeTurns(tx);
  const { mail_bytes: limit_bytes } = planLimits(tx);
  const { bytes } = await unsent(tx)
    .select(
      sql<number>`coalesce(sum(coalesce(octet_length(body_text), 0) + coalesce(octet_length(body_html), 0)), 0)`.as(
        'bytes',
      ),
    )
    .executeTakeFirstOrThrow();
  if (Number(bytes) > limit_bytes)
    throw new ApiError('storage_limit_reached', { upgrade: hasHigherPlan(tx.plan), limit_bytes });
}

/**
 * Makes transactions that add to the drafts of one workspace take turns, so that limits are exact under concurrency. The transaction takes
 * no other lock after it.
 */
function takeTurns(tx: Context) {
  return lock(tx, 'drafts', tx.workspaceId);
}

/**
 * Returns a query of the workspace's drafts without a message. The files of other drafts are in their messages, which are counted
 * separately.
 */
function unsent(tx: Context) {
  return liveDrafts({ ...tx, scope: wholeWorkspace }).where('drafts.message_id', 'is', null);
}
