import { type CreateLabel, isWithin, limits, type UpdateMessage } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import { lock } from '../db/locks.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId, newId } from '../lib/ids.ts';
import { labelNameKey } from '../lib/texts.ts';
import type { LockedMessage } from './find-message.ts';

/**
 * Takes labels off a locked message and puts others on it, each given by its id or its name. An unknown name is created when it is added,
 * and ignored when it is removed. Returns whether the message has other labels than before.
 *
 * @throws ApiError `not_found` for an id that is not the caller's, `limit_reached` for the labels of a message or of the workspace.
 */
export async function changeLabels(
  tx: Context,
  message: Pick<LockedMessage, 'id' | 'inbox_id'>,
  { add_labels: added = [], remove_labels: removed = [] }: UpdateMessage,
): Promise<boolean> {
  const gone = await findLabels(tx, removed, 'remove_labels');
  const takenOff = gone.ids.length > 0 ? await takeOff(tx, message.id, gone.ids) : [];
  if (added.length === 0) return takenOff.length > 0;
  const { ids, unknownNames } = await findLabels(tx, added, 'add_labels');
  const putBack = new Set(await putOn(tx, message, [...ids, ...(await createMissing(tx, unknownNames))]));
  return putBack.size !== takenOff.length || takenOff.some((id) => !putBack.has(id));
}

/** Returns the labels for names that were not found, and creates those that nobody has created meanwhile. */
async function createMissing(tx: Context, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  await takeLabelTurn(tx);
  const { ids, unknownNames } = await findLabels(tx, names, 'add_labels');
  for (const name of unknownNames) ids.push((await insertLabel(tx, { name })).id);
  return ids;
}

/** Takes labels off a message. Labels that are not on it are ignored. Returns those that were. */
export async function takeOff(tx: Context, messageId: string, labelIds: string[]): Promise<string[]> {
  const rows = await scoped(tx)
    .deleteFrom('message_labels')
    .where('message_id', '=', messageId)
    .where('label_id', 'in', labelIds)
    .returning('label_id')
    .execute();
  return rows.map(({ label_id }) => label_id);
}

/**
 * Puts labels on a locked message. Labels that are on it already stay. Returns those that were not.
 *
 * @throws ApiError `limit_reached` if it would have too many.
 */
export async function putOn(
  tx: Context,
  { id: message_id, inbox_id }: Pick<LockedMessage, 'id' | 'inbox_id'>,
  labelIds: string[],
): Promise<string[]> {
  const { workspaceId: workspace_id, requestId: request_id } = tx;
  const actor_id = tx.actor.id;
  const added = await tx.db
    .insertInto('message_labels')
    .values(
      labelIds.map((label_id) => ({ workspace_id, label_id, message_id, inbox_id, actor_id, request_id })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('label_id')
    .execute();
  // A deleted label does not count, even if the message still has it.
  const { count } = await scoped(tx)
    .selectFrom('message_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'message_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow();
  const limit = limits.labelsPerMessageMax;
  if (count > limit) throw new ApiError('limit_reached', { limit });
  return added.map(({ label_id }) => label_id);
}

interface FoundLabels {
  ids: string[];
  unknownNames: string[];
}

/**
 * Returns the labels with these ids or names. They are locked, so that a label can be deleted only once the deletion can find its
 * assignment.
 */
async function findLabels(tx: Context, texts: string[], param: string): Promise<FoundLabels> {
  if (texts.length === 0) return { ids: [], unknownNames: [] };
  const ids = texts.filter((text) => isId('lbl', text));
  // If a new name is given in several spellings, the first one is created.
  const named = texts.filter((text) => !isId('lbl', text)).toReversed();
  const names = new Map(named.map((name) => [labelNameKey(name), name]));
  const rows = await scoped(tx)
    .selectFrom('labels')
    .select(['id', 'name_key'])
    .where((is) => is.or([is('id', 'in', [...ids, '']), is('name_key', 'in', [...names.keys(), ''])]))
    .orderBy('id')
    .forKeyShare()
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) throw notFound(param);
  for (const { name_key } of rows) names.delete(name_key);
  return { ids: [...known], unknownNames: [...names.values()] };
}

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
