import { type CreateLabel, contract, type Label, type ListLabels } from '@postrider/contract';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { recordUpdated } from '../events/write-log.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { labelNameKey } from '../lib/texts.ts';
import { lockMessage, requireLabel } from '../messages/find-message.ts';
import { insertLabel, type LabelRow, putOn, takeOff } from '../messages/label-message.ts';
import { viewMessage } from '../messages/message.view.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import { defineRoutes } from '../routes.ts';

/** Handlers of `/labels`. */
export const labelsRoutes = defineRoutes(contract.labels, {
  create: async ({ body, res }) => ({
    status: 201,
    body: viewLabel(await createLabel(contextOf(res), body)),
  }),
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listLabels(contextOf(res), query);
    return { status: 200, body: { labels: rows.map(viewLabel), next_cursor: nextCursor } };
  },
  delete: async ({ params, res }) => {
    await deleteLabel(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  assign: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    const message = await assignLabel(ctx, params.id, body.message_id);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
  unassign: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    const message = await unassignLabel(ctx, params.id, body.message_id);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
});

/**
 * Creates a label.
 *
 * @throws ApiError `label_name_taken` if a name is the same except for case, `limit_reached`.
 */
function createLabel(ctx: Context, input: CreateLabel): Promise<LabelRow> {
  return inTransaction(ctx, (tx) => insertLabel(tx, input));
}

/**
 * Deletes a label. It disappears from every response at once, because responses show only existing labels. A job that commits with it
 * removes the label from its messages. An assignment locks the row of the label, so either the job finds the assignment, or the assignment
 * finds the label deleted.
 *
 * @throws ApiError `not_found`.
 */
async function deleteLabel(ctx: Context, id: string): Promise<void> {
  if (!isId('lbl', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('labels')
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await tx.queue.enqueue(tx, jobNames.purgeLabel, { workspaceId: tx.workspaceId, labelId: id });
  });
  ctx.wakeups.wake(ctx.workspaceId);
}

/** Returns a label as the API shows it. */
function viewLabel(row: LabelRow): Label {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    created_at: row.created_at.toISOString(),
  };
}

/** Returns a page of the caller's labels, by name. If the query has a name, the page has only the label with this name. */
async function listLabels(ctx: Context, query: ListLabels): Promise<Page<LabelRow>> {
  let rows = scoped(ctx)
    .selectFrom('labels')
    .selectAll()
    .orderBy('name_key')
    .limit(query.limit + 1);
  if (query.name !== undefined) rows = rows.where('name_key', '=', labelNameKey(query.name));
  if (query.cursor) rows = rows.where('name_key', '>', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.name_key]);
}

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
