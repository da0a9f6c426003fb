import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { AttachmentRow } from './attachment.view.ts';

/** Thrown when an attachment was found to have another size than was noted: its row has the right one now. */
export class SizeCorrected extends Error {
  override name = 'SizeCorrected' as const;
}

/**
 * Notes the size of an attachment that was decoded otherwise when its mail came, by the reader of an older version; the storage in
 * use follows it.
 */
export const correctSize = (
  ctx: Pick<Context, 'db' | 'workspaceId' | 'clock'>,
  { id, size_bytes: noted }: AttachmentRow,
  sizeBytes: number,
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const [corrected] = await scoped(tx)
      .updateTable('attachments')
      .set({ size_bytes: sizeBytes })
      .where('id', '=', id)
      .where('size_bytes', '=', noted)
      .execute();
    if (!corrected?.numUpdatedRows) return;
    const change = scoped(tx)
      .selectFrom('attachments')
      .select(['workspace_id', sql.lit('storage_bytes').as('kind')])
      .select(sql<number>`${sizeBytes - noted}::bigint`.as('amount'))
      .select(sql<Date>`${tx.clock.now()}::timestamptz`.as('at'))
      .where('id', '=', id);
    await tx.db
      .insertInto('usage_ledger')
      .columns(['workspace_id', 'kind', 'amount', 'at'])
      .expression(change)
      .execute();
  });
