import type { Context } from '../context.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { notFound } from '../lib/api-error.ts';
import { replySubject } from '../mail/compose/subject-prefix.ts';
import { getMessage } from '../messages/find-message.ts';
import { replyRecipients } from '../outbound/reply-to-message.ts';

/** What a reply has by itself, for the fields of a draft that are not given. */
export interface FilledIn {
  to: string[];
  cc: string[];
  subject: string;
}

/**
 * What a draft of an inbox that replies to a message has by the rules of a reply.
 *
 * @throws ApiError `not_found` for a message that is not in that inbox, `invalid_request` where it names too many recipients.
 */
export const fillIn = async (
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  inboxId: string,
  { messageId, replyAll }: { messageId: string; replyAll: boolean },
): Promise<FilledIn> => {
  const [inbox, original] = await Promise.all([
    getInbox(ctx, inboxId, 'inbox_id'),
    getMessage(ctx, messageId, 'reply_to_message_id'),
  ]);
  if (original.inbox_id !== inboxId) throw notFound('reply_to_message_id');
  const recipients = replyRecipients(original, inbox.address, replyAll);
  const of = (kind: 'to' | 'cc') =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
  return { to: of('to'), cc: of('cc'), subject: replySubject(original.subject) };
};
