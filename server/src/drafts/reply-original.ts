import type { RowsContext } from '../db/scoped.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { notFound } from '../lib/api-error.ts';
import { replySubject } from '../mail/compose/subject-prefix.ts';
import { getMessage } from '../messages/find-message.ts';
import { replyRecipients } from '../outbound/reply-to-message.ts';

/** The fields that a reply takes from its original if the draft does not have them. */
export interface FilledIn {
  to: string[];
  cc: string[];
  subject: string;
}

/**
 * Returns the fields that a draft of an inbox has by the rules of a reply if it replies to a message.
 *
 * @throws ApiError `not_found` for a message that is not in that inbox, `invalid_request` if it names too many recipients.
 */
export async function fillIn(
  ctx: RowsContext,
  inboxId: string,
  { messageId, replyAll }: { messageId: string; replyAll: boolean },
): Promise<FilledIn> {
  const [inbox, original] = await Promise.all([
    getInbox(ctx, inboxId, 'inbox_id'),
    getMessage(ctx, messageId, 'reply_to_message_id'),
  ]);
  if (original.inbox_id !== inboxId) throw notFound('reply_to_message_id');
  const recipients = replyRecipients(original, inbox.address, replyAll);
  const of = (kind: 'to' | 'cc') =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
  return { to: of('to'), cc: of('cc'), subject: replySubject(original.subject) };
}
