import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { AttachmentRow } from './attachment.view.ts';

/** Thrown if the recorded size of an attachment was wrong. Its row has the right size by then. */
export class SizeCorrected extends Error {
  override name = 'SizeCorrected' as const;
}

/** Corrects the size of an attachment that an older version decoded differently when its mail arrived. The storage in use is adjusted. */
export function correctSize(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'scope' | 'clock'>,
  { id, size_bytes: noted }: AttachmentRow,
  sizeBytes: number,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
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
}
