import type { CreateLabel } from '@postrider/contract';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { insertLabel, type LabelRow } from '../messages/insert-label.ts';

/**
 * Makes a label.
 *
 * @throws ApiError `label_name_taken` by a name that differs in case alone, `limit_reached`.
 */
export const createLabel = (ctx: Context, input: CreateLabel): Promise<LabelRow> =>
  inTransaction(ctx, (tx) => insertLabel(tx, input));
