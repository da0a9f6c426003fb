import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { recordUpdated } from '../events/record-events.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { requireLabel } from '../messages/find-message.ts';
import { putOn, takeOff } from '../messages/label-message.ts';
import { lockMessage } from '../messages/lock-message.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';

/**
 * Puts a label on a message and returns the message. A label that is on it already stays. Requests that wait for messages with the label
 * are woken.
 *
 * @throws ApiError `not_found` for a label or message that is not the caller's, `limit_reached`.
 */
export async function assignLabel(ctx: Context, labelId: string, messageId: string): Promise<MessageDetails> {
  if (!isId('lbl', labelId)) throw notFound('id');
  if (!isId('msg', messageId)) throw notFound('message_id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, messageId, 'message_id');
    await lockLabel(tx, labelId);
    const added = await putOn(tx, message, [labelId]);
    if (added.length > 0) await recordUpdated(tx, message, ['labels']);
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, messageId, 'message_id');
}

/**
 * Takes a label off a message and returns the message. Nothing changes if the label is not on it.
 *
 * @throws ApiError `not_found`.
 */
export async function unassignLabel(
  ctx: Context,
  labelId: string,
  messageId: string,
): Promise<MessageDetails> {
  if (!isId('msg', messageId)) throw notFound('message_id');
  await requireLabel(ctx, labelId, 'id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, messageId, 'message_id');
    const removed = await takeOff(tx, messageId, [labelId]);
    if (removed.length > 0) await recordUpdated(tx, message, ['labels']);
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, messageId, 'message_id');
}

/** Locks the label, so that it can be deleted only once the deletion can find the assignment. */
async function lockLabel(tx: Context, id: string): Promise<void> {
  const label = await scoped(tx)
    .selectFrom('labels')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!label) throw notFound('id');
}
