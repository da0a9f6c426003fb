import { limits, type ReplyToMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { keepReferences } from '../mail/compose/header-fields.ts';
import { replySubject } from '../mail/compose/subject-prefix.ts';
import { getMessage } from '../messages/find-message.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { addressesOf, type OutgoingRecipient, readRecipients, recipientsFrom } from './deliverable.ts';
import { type Allowed, sendOnce } from './idempotency.ts';
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
  const addresses = [...answerable(original, input.reply_all ?? false), ...addressesOf(input)];
  const request = { inboxId: original.inbox_id, clientId, addresses, hasAttachments };
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
  const answered = replyRecipients(original, allowed.inbox.address, replyAll);
  const recipients = withOthers(answered, readRecipients({ cc: input.cc, bcc: input.bcc }));
  const hasOthers = input.cc !== undefined || input.bcc !== undefined;
  requireFewRecipients(recipients, hasOthers ? 'cc' : replyAll ? 'reply_all' : '');
  return sendOutgoing(ctx, allowed, {
    recipients,
    replyTo: input.reply_to ?? null,
    subject: replySubject(original.subject),
    text: input.text ?? null,
    html: input.html ?? null,
    headers: input.headers ?? {},
    metadata: input.metadata ?? {},
    ...threadingHeaders(original),
    threadId: original.thread_id,
    clientId: input.client_id ?? null,
    attachments: attachmentsOf(input.attachments),
  });
};

/** Those who get an answer by itself, and others; who stands among the former is not copied again. */
export const withOthers = (
  answered: OutgoingRecipient[],
  others: OutgoingRecipient[],
): OutgoingRecipient[] => {
  const known = new Set(answered.map(({ address }) => address));
  return [...answered, ...others.filter(({ address }) => !known.has(address))];
};

/**
 * RFC 5322, section 3.6.4: an answer names what it answers, and all that this named before; where that has no References, its
 * In-Reply-To stands for them.
 */
export const threadingHeaders = (original: MessageRow): { inReplyTo: string; references: string[] } => {
  const { reference_ids, in_reply_to, message_id_header } = original;
  const before = reference_ids.length === 0 && in_reply_to !== null ? [in_reply_to] : reference_ids;
  return { inReplyTo: message_id_header, references: keepReferences([...before, message_id_header]) };
};

/** A mail may name thousands, of whom some may be the inbox itself; beyond so many there are more others than may be sent to. */
const answerableMax = 2 * limits.recipientsMax;

/** The addresses that a reply to a message may go to, the inbox's own among them, as far as there may be few enough. */
export const answerable = (original: MessageRow, replyAll: boolean): string[] => {
  const { to, others } = answered(original);
  return addressesOf({ to: [...to, ...(replyAll ? others : [])] }).slice(0, answerableMax + 1);
};

/** Reply-To, else From; the recipients of an own message. Beside them, the others that all the answer goes to. */
const answered = (original: MessageRow): { to: string[]; others: string[] } => {
  const { direction, from_addr, reply_to_addrs, to_addrs, cc_addrs } = original;
  if (direction === 'outbound') return { to: to_addrs, others: cc_addrs };
  const hasReplyTo = recipientsFrom({ to: reply_to_addrs }).length > 0;
  return { to: hasReplyTo ? reply_to_addrs : [from_addr], others: [...to_addrs, ...cc_addrs] };
};

/**
 * Who gets a reply: Reply-To, else From; the recipients of an own message. With `replyAll` also To and Cc, but never the inbox
 * itself, whatever plus tag it is named with.
 *
 * @throws ApiError `invalid_request` where the original names more than `answerable` gives.
 */
export const replyRecipients = (
  original: MessageRow,
  own: string,
  replyAll: boolean,
): OutgoingRecipient[] => {
  requireFewRecipients(answerable(original, replyAll), replyAll ? 'reply_all' : '', answerableMax);
  const { to, others } = answered(original);
  const all = recipientsFrom({ to, cc: replyAll ? others : [] });
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
export const requireFewRecipients = (
  recipients: unknown[],
  field: string,
  most: number = limits.recipientsMax,
): void => {
  if (recipients.length <= most) return;
  const problem = `would reach ${recipients.length} recipients, and ${limits.recipientsMax} are allowed`;
  throw invalidField(field, problem);
};
