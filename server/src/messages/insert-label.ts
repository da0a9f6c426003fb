import { type CreateLabel, isWithin, limits } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { lock } from '../db/locks.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { ApiError } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { labelNameKey } from '../lib/texts.ts';

/** A label as a row. */
export type LabelRow = Selectable<Tables['labels']>;

/**
 * Creates a label within a transaction. Labels are for all inboxes, so a caller that is limited to some creates none.
 *
 * @throws ApiError `sending_not_allowed`, `label_name_taken` if a name is the same except for case, `limit_reached`.
 */
export async function insertLabel(ctx: Context, input: CreateLabel): Promise<LabelRow> {
  if (!isWithin('inboxes', ctx.scope.access)) throw new ApiError('sending_not_allowed', { at: 'key' });
  const created_at = ctx.clock.now();
  const row: LabelRow = {
    workspace_id: ctx.workspaceId,
    id: newId('lbl', created_at),
    name: input.name,
    name_key: labelNameKey(input.name),
    color: input.color ?? null,
    created_at,
    actor_id: ctx.actor.id,
    request_id: ctx.requestId,
  };
  await takeLabelTurn(ctx);
  const created = await ctx.db
    .insertInto('labels')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!created) throw new ApiError('label_name_taken');
  await checkLabelLimit(ctx);
  return row;
}

/**
 * Makes creations of one workspace take turns, so that the limit is exact under concurrency. What a transaction does not find after this
 * does not exist before the transaction ends.
 */
export async function takeLabelTurn(tx: Context): Promise<void> {
  await lock(tx, 'labels', tx.workspaceId);
}

async function checkLabelLimit(tx: Context): Promise<void> {
  const limit = limits.labelsPerWorkspaceMax;
  const { count } = await scoped(tx)
    .selectFrom('labels')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count > limit) throw new ApiError('limit_reached', { limit });
}
