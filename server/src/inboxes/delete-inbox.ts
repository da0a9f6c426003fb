import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { jobNames } from '../jobs/job-names.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { planLimits } from '../workspaces/usage.ts';
import { heldUntil, inInboxTurn, takeInboxTurn } from './create-inbox.ts';
import { getInbox } from './find-inbox.ts';

/**
 * Hides the inbox and everything in it at once, holds its address, frees its storage, cancels its pending recipients, and leaves the rest
 * to a job that commits with it. Mail that is being stored holds the shared side of the inbox's lock: it is either stored before the
 * deletion and removed with the inbox, or finds the inbox deleted.
 *
 * @throws ApiError `not_found`, also for an inbox that is already deleted, `sending_not_allowed` if a key tries to delete an inbox for
 * which people have set a policy or a pause.
 */
export async function deleteInbox(ctx: Context, id: string): Promise<void> {
  const { address } = await getInbox(ctx, id);
  await inInboxTurn(ctx, async (tx) => {
    if (ctx.actor.kind === 'key') await requireUncontrolled(tx, id);
    await lock(tx, 'inbox', id);
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
    await tx.queue.enqueue(tx, jobNames.purgeInbox, { workspaceId: tx.workspaceId, inboxId: id });
    // Programs come and go with their inboxes, by the thousands.
    if (tx.actor.kind === 'person')
      await recordAct(tx, { action: 'inbox.deleted', target: id, before: { address } });
  });
  ctx.wakeups.wake(ctx.workspaceId);
  // Nothing was written to the log, but a request that waits there for an event of this inbox would wait in vain.
  ctx.wakeups.wake(ctx.workspaceId, 'log');
}

/**
 * Checks that people have set nothing for an inbox, and keeps it so until the transaction ends. A policy and a pause end with their
 * inbox, and a key could create it again without them.
 */
async function requireUncontrolled(tx: Context, id: string): Promise<void> {
  await sql`select lock_sending(${tx.workspaceId}, false)`.execute(tx.db);
  const { rows } =
    await sql`select from policies where workspace_id = ${tx.workspaceId} and level = 'inbox' and subject_id = ${id}
    union all select from pauses where workspace_id = ${tx.workspaceId} and level = 'inbox' and subject_id = ${id}`.execute(
      acrossWorkspaces(tx, 'both parts name the workspace'),
    );
  if (rows.length > 0) throw new ApiError('sending_not_allowed', { at: 'inbox' }, { message: controlled });
}

const controlled =
  'People have paused this inbox or set a policy for it, so only they can delete it. Ask them.';

/**
 * Holds the address for its workspace, and releases the oldest held addresses beyond the limit. From here on, deletions and creations of
 * one workspace take turns, so that the limit is exact under concurrency.
 */
async function holdAddress(tx: Context, inboxId: string, address: string): Promise<void> {
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
}

/** Subtracts the attachments of the inbox from the usage at once, however long their removal takes. */
async function freeStorage(tx: Context, inboxId: string): Promise<void> {
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
}
