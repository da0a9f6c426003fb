import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { liveMessages, requireLabel } from '../messages/find-message.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';

/**
 * Puts a label on a message and answers the message; one that is on it already stays. Requests that wait for messages with the
 * label are woken.
 *
 * @throws ApiError `not_found` for a label or message that is not the caller's, `limit_reached`.
 */
export const assignLabel = async (
  ctx: Context,
  labelId: string,
  messageId: string,
): Promise<MessageDetails> => {
  if (!isId('lbl', labelId) || !isId('msg', messageId)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const inbox_id = await lockMessage(tx, messageId);
    await lockLabel(tx, labelId);
    await checkLabelsOfMessage(tx, labelId, messageId);
    const { workspaceId: workspace_id, apiKeyId: api_key_id, requestId: request_id } = tx;
    // Last, since it locks the thread, which mail that comes in waits for.
    await tx.db
      .insertInto('message_labels')
      .values({ workspace_id, label_id: labelId, message_id: messageId, inbox_id, api_key_id, request_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, messageId);
};

/**
 * Takes a label off a message and answers the message; nothing changes where the label is not on it.
 *
 * @throws ApiError `not_found`.
 */
export const unassignLabel = async (
  ctx: Context,
  labelId: string,
  messageId: string,
): Promise<MessageDetails> => {
  if (!isId('msg', messageId)) throw notFound();
  await requireLabel(ctx, labelId);
  await scoped(ctx)
    .deleteFrom('message_labels')
    .where('label_id', '=', labelId)
    .where('message_id', '=', messageId)
    .execute();
  return readMessage(ctx, messageId);
};

/**
 * Answers the message's inbox. Labels of one message are assigned in turns, so that the limit is exact, and not while its inbox is being removed. The row is
 * held in the weakest way: where threads become one, their messages are changed by who holds the threads, which an assignment
 * needs next.
 */
const lockMessage = async (tx: Context, id: string): Promise<string> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`labels:${id}`}, 0))`.execute(tx.db);
  const message = await liveMessages(tx)
    .select('messages.inbox_id')
    .where('messages.id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!message) throw notFound();
  return message.inbox_id;
};

/** Keeps the label from being deleted until the assignment is there for the deletion to find. */
const lockLabel = async (tx: Context, id: string): Promise<void> => {
  const label = await scoped(tx)
    .selectFrom('labels')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  if (!label) throw notFound();
};

/** Counts the other labels that there are: one that is deleted takes no place, though the message may still bear it. */
const checkLabelsOfMessage = async (tx: Context, labelId: string, messageId: string): Promise<void> => {
  const limit = limits.labelsPerMessageMax;
  const { count } = await scoped(tx)
    .selectFrom('message_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'message_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('message_id', '=', messageId)
    .where('label_id', '!=', labelId)
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new ApiError('limit_reached', { limit });
};
