import type { Context } from '../context.ts';
import { notFound } from '../lib/api-error.ts';
import { getMessage } from '../messages/find-message.ts';
import type { MessageRow } from '../messages/message-record.ts';

/**
 * The message that a draft of an inbox replies to.
 *
 * @throws ApiError `not_found` for one that is not in that inbox.
 */
export const requireOriginal = async (
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  inboxId: string,
  messageId: string,
): Promise<MessageRow> => {
  const original = await getMessage(ctx, messageId);
  if (original.inbox_id !== inboxId) throw notFound();
  return original;
};
