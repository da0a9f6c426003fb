import { limits, type ReplyToMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { keepReferences } from '../mail/compose/header-fields.ts';
import { replySubject } from '../mail/compose/reply-texts.ts';
import { answerTo } from '../mail/thread-index.ts';
import { getMessage } from '../messages/find-message.ts';
import type { Sent } from '../messages/message.view.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import type { OutgoingRecipient } from './allow-recipients.ts';
import { hashRequest } from './idempotency.ts';
import {
  checkAttachments,
  decodeLater,
  namedAddresses,
  readRecipients,
  recipientsFrom,
} from './read-request.ts';
import { send } from './send.ts';
import type { Outgoing, ThreadingHeaders } from './sending.ts';

/**
 * Messages 4: replies to a message, which gives the recipients, the subject and the threading headers.
 *
 * @throws ApiError as `sendMessage`, and `auto_reply_loop` for an automatic message unless `force` is set.
 */
export async function replyToMessage(ctx: Context, id: string, input: ReplyToMessage): Promise<Sent> {
  const original = await getMessage(ctx, id);
  const { client_id: clientId = null } = input;
  return send(ctx, {
    inboxId: original.inbox_id,
    clientId,
    requestHash: clientId === null ? null : hashRequest('reply', original.id, input),
    addresses: [...answerable(original, input.reply_all ?? false), ...namedAddresses(input)],
    hasAttachments: (input.attachments?.length ?? 0) > 0,
    conversation: { threadId: original.thread_id, namedIds: [] },
    write: (inbox) => writeReply(ctx, inbox.address, original, input),
  });
}

function writeReply(ctx: Context, own: string, original: MessageRow, input: ReplyToMessage): Outgoing {
  if (original.auto_submitted && !input.force) throw new ApiError('auto_reply_loop');
  checkAttachments(input.attachments);
  const replyAll = input.reply_all ?? false;
  const others = readRecipients(ctx, { cc: input.cc, bcc: input.bcc });
  const recipients = withOthers(replyRecipients(original, own, replyAll), others);
  const hasOthers = input.cc !== undefined || input.bcc !== undefined;
  requireFewRecipients(recipients, hasOthers ? 'cc' : replyAll ? 'reply_all' : '');
  return {
    recipients,
    replyTo: input.reply_to ?? null,
    subject: replySubject(original.subject),
    text: input.text ?? null,
    html: input.html ?? null,
    headers: input.headers ?? {},
    metadata: input.metadata ?? {},
    ...threadingHeaders(ctx, original),
    threadId: original.thread_id,
    attachments: decodeLater(input.attachments),
  };
}

/** Returns the recipients that a reply has anyway and the others, each address once. */
function withOthers(answered: OutgoingRecipient[], others: OutgoingRecipient[]): OutgoingRecipient[] {
  const known = new Set(answered.map(({ address }) => address));
  return [...answered, ...others.filter(({ address }) => !known.has(address))];
}

/**
 * RFC 5322, section 3.6.4: a reply names its parent and the references of the parent, or the parent's In-Reply-To if it has no
 * References. It carries on the Thread-Index, by which Outlook finds conversations.
 */
export function threadingHeaders(ctx: Pick<Context, 'clock'>, original: MessageRow): ThreadingHeaders {
  const { reference_ids, in_reply_to, message_id_header, thread_index } = original;
  const before = reference_ids.length === 0 && in_reply_to !== null ? [in_reply_to] : reference_ids;
  return {
    inReplyTo: message_id_header,
    references: keepReferences([...before, message_id_header]),
    threadIndex: thread_index && answerTo(thread_index, ctx.clock.now()),
  };
}

/** A mail may name thousands of addresses, some of them the inbox itself. Beyond this many, there are too many others to send to. */
const answerableMax = 2 * limits.recipientsMax;

/** Returns the addresses that a reply may go to, including the inbox's own. Those beyond one more than `answerableMax` are left out. */
function answerable(original: MessageRow, replyAll: boolean): string[] {
  const { to, instead, others } = answered(original);
  return namedAddresses({ to: [...to, ...instead, ...(replyAll ? others : [])] }).slice(0, answerableMax + 1);
}

interface Answered {
  to: string[];
  /** The recipients of a reply if `to` names nobody but the inbox itself. */
  instead: string[];
  /** The others that a reply to all goes to. */
  others: string[];
}

/** Returns Reply-To, else From, or the recipients of an own message. */
function answered(original: MessageRow): Answered {
  const { direction, from_addr, reply_to_addrs, to_addrs, cc_addrs } = original;
  if (direction === 'outbound') return { to: to_addrs, instead: [], others: cc_addrs };
  return { to: reply_to_addrs, instead: [from_addr], others: [...to_addrs, ...cc_addrs] };
}

/**
 * Returns the recipients of a reply: Reply-To, else From, also if Reply-To is the inbox itself, or the recipients of an own message.
 * `replyAll` adds To and Cc, but never the inbox itself, under any plus tag.
 *
 * @throws ApiError `invalid_request` if the original names more addresses than `answerable` returns.
 */
export function replyRecipients(original: MessageRow, own: string, replyAll: boolean): OutgoingRecipient[] {
  requireFewRecipients(answerable(original, replyAll), replyAll ? 'reply_all' : '', answerableMax);
  const { to, instead, others } = answered(original);
  const isOurs = ({ address }: OutgoingRecipient) => stripPlusTag(address) === own;
  const isNamed = recipientsFrom({ to }).some((recipient) => !isOurs(recipient));
  const all = recipientsFrom({ to: isNamed ? to : [...instead, ...to], cc: replyAll ? others : [] });
  const notOurs = all.filter((recipient) => !isOurs(recipient));
  // A reply to mail that an inbox sent to itself goes to the inbox.
  return notOurs.some(({ kind }) => kind === 'to')
    ? notOurs
    : [...all.filter(({ kind }) => kind === 'to'), ...notOurs];
}

/**
 * Checks the number of recipients, since an original may name more than a message may have.
 *
 * @throws ApiError `invalid_request` that names `field`.
 */
export function requireFewRecipients(
  recipients: unknown[],
  field: string,
  most: number = limits.recipientsMax,
): void {
  if (recipients.length <= most) return;
  const problem = `would reach ${recipients.length} recipients, and ${limits.recipientsMax} are allowed`;
  throw invalidField(field, problem);
}
