import { limits, type ReplyToMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { keepReferences } from '../mail/header-fields.ts';
import { replySubject } from '../mail/subject-prefix.ts';
import { addressesOf, type OutgoingRecipient, recipientsFrom } from './deliverable.ts';
import { getMessage } from './find-message.ts';
import { type Allowed, sendOnce } from './idempotency.ts';
import type { MessageRow } from './message-record.ts';
import { attachmentsOf, checkAttachments } from './outgoing-attachments.ts';
import { sendOutgoing } from './send-outgoing.ts';
import type { Sent } from './sent-message.view.ts';

/**
 * Messages 4: answers a message; recipients, subject and threading headers come from it.
 *
 * @throws ApiError as `sendMessage`, and `auto_reply_loop` for an automatic message unless `force` is set.
 */
export const replyToMessage = async (ctx: Context, id: string, input: ReplyToMessage): Promise<Sent> => {
  const original = await getMessage(ctx, id);
  const { client_id: clientId = null } = input;
  const hasAttachments = (input.attachments?.length ?? 0) > 0;
  const request = { inboxId: original.inbox_id, clientId, addresses: answerable(original), hasAttachments };
  return sendOnce(ctx, request, (allowed) => sendReply(ctx, allowed, original, input));
};

const sendReply = async (
  ctx: Context,
  allowed: Allowed,
  original: MessageRow,
  input: ReplyToMessage,
): Promise<Sent> => {
  if (original.auto_submitted && !input.force) throw new ApiError('auto_reply_loop');
  checkAttachments(input.attachments);
  const replyAll = input.reply_all ?? false;
  const recipients = replyRecipients(original, allowed.inbox.address, replyAll);
  requireFewRecipients(recipients, replyAll ? 'reply_all' : '');
  return sendOutgoing(ctx, allowed, {
    recipients,
    replyTo: null,
    subject: replySubject(original.subject),
    text: input.text ?? null,
    html: input.html ?? null,
    headers: {},
    ...threadingHeaders(original),
    threadId: original.thread_id,
    clientId: input.client_id ?? null,
    attachments: attachmentsOf(input.attachments),
  });
};

/** RFC 5322, section 3.6.4: an answer names what it answers, and all that this named before. */
export const threadingHeaders = (original: MessageRow): { inReplyTo: string; references: string[] } => ({
  inReplyTo: original.message_id_header,
  references: keepReferences([...original.reference_ids, original.message_id_header]),
});

/** Every address that a reply to a message may go to. */
export const answerable = ({ from_addr, reply_to_addrs, to_addrs, cc_addrs }: MessageRow): string[] =>
  addressesOf({ to: [from_addr, ...reply_to_addrs, ...to_addrs, ...cc_addrs] });

/**
 * Who gets a reply: Reply-To, else From; the recipients of an own message. With `replyAll` also To and Cc, but never the inbox
 * itself, whatever plus tag it is named with.
 */
export const replyRecipients = (
  original: MessageRow,
  own: string,
  replyAll: boolean,
): OutgoingRecipient[] => {
  const answered = recipientsFrom({ to: original.reply_to_addrs });
  const sender = answered.length > 0 ? original.reply_to_addrs : [original.from_addr];
  const isOwn = original.direction === 'outbound';
  const to = isOwn ? original.to_addrs : sender;
  const others = isOwn ? [] : original.to_addrs;
  const all = recipientsFrom({ to, cc: replyAll ? [...others, ...original.cc_addrs] : [] });
  const notOurs = all.filter((recipient) => stripPlusTag(recipient.address) !== own);
  // Mail that an inbox sent to itself is answered to itself.
  return notOurs.some(({ kind }) => kind === 'to')
    ? notOurs
    : [...all.filter(({ kind }) => kind === 'to'), ...notOurs];
};

/**
 * Checks that a message goes to no more people than one may, as an original may name more.
 *
 * @throws ApiError `invalid_request` that names `field`.
 */
export const requireFewRecipients = (recipients: unknown[], field: string): void => {
  if (recipients.length <= limits.recipientsMax) return;
  const problem = `would reach ${recipients.length} recipients, and ${limits.recipientsMax} are allowed`;
  throw invalidField(field, problem);
};
