import type { CallContext } from '../context.ts';
import { checkRecipients } from './recipients.ts';

/** A reply, as far as it decides who gets it. */
interface ReplyTo {
  messageId: string;
  inboxId: string;
  replyAll: boolean;
  /** Further recipients. */
  others: string[];
}

/**
 * Checks whom a reply goes to, where that is restricted. The server alone knows, since it reads Reply-To and leaves out what it cannot
 * send to. So it is asked by a draft, which is deleted at once.
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
  // A call that is cancelled does not end these requests, or the draft would stay.
  const draft = await drafts.create(params);
  await drafts.delete(draft.id);
  checkRecipients(ctx, [...draft.to, ...draft.cc, ...draft.bcc]);
}
