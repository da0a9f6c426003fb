import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { planLimits } from '../workspaces/plan.ts';
import { heldUntil, takeInboxTurn } from './create-inbox.ts';
import { getInbox } from './find-inbox.ts';
import { inInboxTurn } from './inbox-turns.ts';

/**
 * Hides the inbox and all in it at once, holds its address, frees its storage, cancels what it still had to send, and leaves the
 * removal of the rest to a job that commits with it. Mail that is being stored holds the shared side of the inbox's lock: it is
 * either in before the deletion and goes with it, or finds the inbox gone.
 *
 * @throws ApiError `not_found`, also for an inbox that is deleted already.
 */
export const deleteInbox = async (ctx: Context, id: string): Promise<void> => {
  const { address } = await getInbox(ctx, id);
  await inInboxTurn(ctx, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`inbox:${id}`}, 0))`.execute(tx.db);
    const deleted = await scoped(tx)
      .updateTable('inboxes')
      .set({ deleted_at: tx.clock.now() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await scoped(tx)
      .updateTable('message_recipients')
      .set({ due_at: null })
      .where('inbox_id', '=', id)
      .where('due_at', 'is not', null)
      .execute();
    await freeStorage(tx, id);
    await holdAddress(tx, id, address);
    await tx.queue.enqueue(tx.db, jobNames.purgeInbox, { workspaceId: tx.workspaceId, inboxId: id });
  });
  ctx.wakeups.wake(ctx.workspaceId);
  // Nothing was written to the log, but who waits there for an event of this inbox waits in vain.
  ctx.wakeups.wake(ctx.workspaceId, 'log');
};

/**
 * Holds the address for its workspace, and gives free the oldest of those that are too many. Deletions and creations of one
 * workspace take turns from here on, so that the bound is exact under concurrency.
 */
const holdAddress = async (tx: Context, inboxId: string, address: string): Promise<void> => {
  await takeInboxTurn(tx);
  const db = acrossWorkspaces(tx, 'addresses are global');
  await db
    .updateTable('addresses')
    .set({ held_until: heldUntil(tx) })
    .where('address', '=', address)
    .where('inbox_id', '=', inboxId)
    .execute();
  const heldMax = Math.max(limits.heldAddressesMax, planLimits(tx).inboxes);
  await sql`delete from addresses where workspace_id = ${tx.workspaceId} and held_until is not null
    and address in (select address from addresses where workspace_id = ${tx.workspaceId} and held_until is not null
      order by held_until desc, inbox_id desc offset ${Math.min(heldMax, Number.MAX_SAFE_INTEGER)})`.execute(
    db,
  );
};

/** Counts the attachments of the inbox as gone with it, however long their removal takes. */
const freeStorage = async (tx: Context, inboxId: string): Promise<void> => {
  const freed = scoped(tx)
    .selectFrom('attachments')
    .select(['workspace_id', sql.lit('storage_bytes').as('kind'), sql<number>`-sum(size_bytes)`.as('amount')])
    .select(sql<Date>`${tx.clock.now()}::timestamptz`.as('at'))
    .where('inbox_id', '=', inboxId)
    .groupBy('workspace_id')
    .having(sql<number>`sum(size_bytes)`, '>', 0);
  await tx.db
    .insertInto('usage_ledger')
    .columns(['workspace_id', 'kind', 'amount', 'at'])
    .expression(freed)
    .execute();
};
