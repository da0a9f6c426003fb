import { contract, type Metadata, type UpdateMessage } from '@postrider/contract';
import { sql } from 'kysely';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { recordUpdated } from '../events/write-log.ts';
import { notFound } from '../lib/api-error.ts';
import { clientGone } from '../lib/concurrency/client-gone.ts';
import { isId } from '../lib/ids.ts';
import { forwardMessage } from '../outbound/forward-message.ts';
import { replyToMessage } from '../outbound/reply-to-message.ts';
import { checkMessage, sendMessage } from '../outbound/send-message.ts';
import { defineRoutes } from '../routes.ts';
import { searchMessages, viewSearch } from '../search/index.ts';
import { deleteMessage } from './delete-message.ts';
import { type LockedMessage, lockMessage } from './find-message.ts';
import { changeLabels } from './label-message.ts';
import { listMessages } from './list-messages.ts';
import { viewMessage, viewPage, viewReceipt, viewSent } from './message.view.ts';
import { type MessageDetails, readMessage } from './message-details.ts';
import { linkToRaw } from './originals.ts';

/** Handlers of `/messages`. */
export const messagesRoutes = defineRoutes(contract.messages, {
  send: async ({ body, res }) => viewReceipt(await sendMessage(contextOf(res), body)),
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    if (query.query !== undefined) {
      const found = await searchMessages(ctx, { ...query, query: query.query }, clientGone(res));
      ctx.readLimiter.untilTaken(ctx.workspaceId, res);
      return { status: 200, body: await viewSearch(ctx, found) };
    }
    const page = await listMessages(ctx, query, clientGone(res));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: { ...(await viewPage(ctx, page)), mode_used: 'recent' } };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const message = await ctx.readLimiter.run(ctx.workspaceId, () => readMessage(ctx, params.id));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: viewMessage(ctx, message, 'whole') };
  },
  update: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewMessage(ctx, await updateMessage(ctx, params.id, body), 'whole') };
  },
  delete: async ({ params, res }) => {
    await deleteMessage(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  reply: async ({ params, body, res }) =>
    viewSent(contextOf(res), await replyToMessage(contextOf(res), params.id, body)),
  forward: async ({ params, body, res }) =>
    viewSent(contextOf(res), await forwardMessage(contextOf(res), params.id, body)),
  raw: async ({ params, res }) => ({ status: 200, body: await linkToRaw(contextOf(res), params.id) }),
  check: async ({ body, res }) => ({ status: 200, body: await checkMessage(contextOf(res), body) }),
});

/**
 * Changes labels, read mark and metadata of a message, all together or nothing, with one event if anything changed. Requests that wait for
 * messages are woken, since they may wait for this one.
 *
 * @throws ApiError `not_found` for a message, or the id of a label, that is not the caller's, `limit_reached`.
 */
async function updateMessage(ctx: Context, id: string, input: UpdateMessage): Promise<MessageDetails> {
  if (!isId('msg', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, id, 'id');
    const changed = [
      ...((await changeLabels(tx, message, input)) ? ['labels'] : []),
      ...((await changeRead(tx, message, input)) ? ['read'] : []),
      ...((await changeMetadata(tx, message, input)) ? ['metadata'] : []),
    ];
    if (changed.length > 0) await recordUpdated(tx, message, changed);
  });
  ctx.wakeups.wake(ctx.workspaceId);
  return readMessage(ctx, id);
}

async function changeMetadata(
  tx: Context,
  { id }: LockedMessage,
  { metadata }: UpdateMessage,
): Promise<boolean> {
  if (metadata === undefined) return false;
  const changed = await scoped(tx)
    .updateTable('messages')
    .set({ metadata })
    .where('id', '=', id)
    .where('metadata', '!=', sql<Metadata>`${JSON.stringify(metadata)}::jsonb`)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

async function changeRead(tx: Context, message: LockedMessage, { read }: UpdateMessage): Promise<boolean> {
  if (read === undefined || read === message.is_read) return false;
  await scoped(tx).updateTable('messages').set({ is_read: read }).where('id', '=', message.id).execute();
  await scoped(tx)
    .updateTable('threads')
    .set({ unread_count: sql`unread_count + ${read ? -1 : 1}::int` })
    .where('id', '=', message.thread_id)
    .execute();
  return true;
}
