import type { CreateLabel } from '@postrider/contract';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertLabel, type LabelRow } from '../messages/insert-label.ts';

/**
 * Creates a label.
 *
 * @throws ApiError `label_name_taken` if a name is the same except for case, `limit_reached`.
 */
export function createLabel(ctx: Context, input: CreateLabel): Promise<LabelRow> {
  return inTransaction(ctx, (tx) => insertLabel(tx, input));
}
