import type { CallContext } from '../context.ts';
import { checkRecipients } from './recipients.ts';

/** The fields of a reply that decide who gets it. */
interface ReplyTo {
  messageId: string;
  inboxId: string;
  replyAll: boolean;
  /** Further recipients. */
  others: string[];
}

/**
 * Checks the recipients of a reply if they are restricted. Only the server knows them, because it reads Reply-To and leaves out addresses
 * that it cannot send to. A draft, which is deleted at once, asks the server for them.
 *
 * @throws ToolError `recipient_not_allowed`
 */
export async function checkReply(
  ctx: CallContext,
  { messageId, inboxId, replyAll, others }: ReplyTo,
): Promise<void> {
  if (ctx.settings.recipients === null) return;
  checkRecipients(ctx, others);
  const { drafts } = ctx.client;
  const params = { inbox_id: inboxId, reply_to_message_id: messageId, reply_all: replyAll };
  // Cancelling the call does not end these requests; otherwise the draft would stay.
  const draft = await drafts.create(params);
  await drafts.delete(draft.id);
  checkRecipients(ctx, [...draft.to, ...draft.cc, ...draft.bcc]);
}
