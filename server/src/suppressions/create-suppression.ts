import type { CreateSuppression } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { invalidField } from '../lib/api-error.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import type { SuppressionRow } from './suppression.view.ts';

/**
 * Suppresses an address, so that later messages leave it out. Returns the existing suppression if there is one.
 *
 * @throws ApiError `invalid_request` for an address that cannot be mailed.
 */
export async function createSuppression(
  ctx: Context,
  input: CreateSuppression,
): Promise<{ row: SuppressionRow; isNew: boolean }> {
  const address = normalizeAddress(input.address);
  if (address === null) throw invalidField('address', 'must be an address that mail can be sent to');
  // Repeats only if the conflicting row was removed before it was read.
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
}

function insertSuppression(ctx: Context, address: string): Promise<SuppressionRow | undefined> {
  return ctx.db
    .insertInto('suppressions')
    .values({
      workspace_id: ctx.workspaceId,
      address,
      reason: 'manual',
      message_id: null,
      created_at: ctx.clock.now(),
      actor_id: ctx.actor.id,
      request_id: ctx.requestId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}
