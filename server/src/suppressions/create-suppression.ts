import type { CreateSuppression } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { invalidField } from '../lib/api-error.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import type { SuppressionRow } from './suppression.view.ts';

/**
 * Suppresses an address, which later sends leave out; one that is suppressed already is answered as it is.
 *
 * @throws ApiError `invalid_request` for an address that cannot be mailed.
 */
export const createSuppression = async (
  ctx: Context,
  input: CreateSuppression,
): Promise<{ row: SuppressionRow; isNew: boolean }> => {
  const address = normalizeAddress(input.address);
  if (address === null) throw invalidField('address', 'must be an address that mail can be sent to');
  // It takes another round only where the one that was in the way is removed before it is read.
  for (;;) {
    const row = await insertSuppression(ctx, address);
    if (row) return { row, isNew: true };
    const present = await scoped(ctx)
      .selectFrom('suppressions')
      .selectAll()
      .where('address', '=', address)
      .executeTakeFirst();
    if (present) return { row: present, isNew: false };
  }
};

const insertSuppression = (ctx: Context, address: string): Promise<SuppressionRow | undefined> =>
  ctx.db
    .insertInto('suppressions')
    .values({
      workspace_id: ctx.workspaceId,
      address,
      reason: 'manual',
      message_id: null,
      created_at: ctx.clock.now(),
      api_key_id: ctx.apiKeyId,
      request_id: ctx.requestId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
