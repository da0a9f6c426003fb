import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox, readsOnly, sendsMail } from './access.ts';
import { answers } from './answers.ts';
import { exampleLink, takesAttachments, takesTexts } from './attachments.ts';
import { LabelNameIn } from './fields/label-fields.ts';
import { MetadataIn } from './fields/metadata.ts';
import { AddressOrDomain, DroppedRecipient } from './fields/recipients.ts';
import {
  about,
  flag,
  idIn,
  NextCursor,
  pageQuery,
  pathId,
  timestamp,
  timestampIn,
  WaitSeconds,
} from './fields/scalars.ts';
import { plainText } from './fields/texts.ts';
import { limits } from './limits.ts';
import { Direction, Message, SendReceipt, SentMessage } from './message.ts';
import { SendMode } from './policy.ts';
import { ListedMessage, searchOutcome, searchQuery } from './search.ts';
import { ForwardMessage, ReplyToMessage, SendMessage } from './send-message.ts';

const c = initContract();

const filters = {
  inbox_id: idIn('inbox', 'Only messages of this inbox.').optional(),
  thread_id: idIn('thread', 'Only messages of this thread.').optional(),
  label_id: idIn('label', 'Only messages with this label.').optional(),
  direction: Direction.optional(),
  from: AddressOrDomain.optional().meta(about('Only messages from this address or domain.', 'example.com')),
  to: AddressOrDomain.optional().meta(about('Only messages to this address or domain.', 'ada@example.com')),
  subject: plainText(1, limits.subjectCharactersMax)
    .optional()
    .meta(about('Only messages with these words in the subject.', 'order shipped')),
  has_attachment: flag()
    .optional()
    .meta(about('Only messages with attachments, or only those without.', true)),
  read: flag()
    .optional()
    .meta(about('Only messages that are marked as read, or only those that are not.', false)),
  after: timestampIn('Only messages created at this time or later.').optional(),
  before: timestampIn('Only messages created before this time.').optional(),
};

/** Query of `messages.list`. */
export const ListMessages = z.strictObject({
  ...filters,
  ...searchQuery,
  wait_seconds: WaitSeconds,
  ...pageQuery,
});
export type ListMessages = z.infer<typeof ListMessages>;

const labelsIn = z.array(LabelNameIn).max(limits.labelsPerMessageMax, {
  error: `must be at most ${limits.labelsPerMessageMax} labels`,
});

/** Body of `messages.update`. Fields that are left out do not change. */
export const UpdateMessage = z
  .strictObject({
    add_labels: labelsIn
      .optional()
      .meta(about('Labels to add, by id or by name; a label that does not exist is created.', ['urgent'])),
    remove_labels: labelsIn.optional().meta(about('Labels to remove, by id or by name.', ['new'])),
    read: z.boolean().optional().meta(about('Whether the message is marked as read.', true)),
    metadata: MetadataIn.optional(),
  })
  .meta({ id: 'UpdateMessage' });
export type UpdateMessage = z.infer<typeof UpdateMessage>;

/** A page of messages. */
export const MessagePage = z
  .object({
    messages: z.array(ListedMessage),
    next_cursor: NextCursor,
    ...searchOutcome,
  })
  .meta({ id: 'MessagePage', description: 'Messages, newest first, or by score.' });
export type MessagePage = z.infer<typeof MessagePage>;

/** The response of `messages.raw`. */
export const RawMessage = z
  .object({
    url: z
      .string()
      .meta(
        about(
          'A download link for the original mail, which needs no key.',
          exampleLink('k1.eyJtIjoibXNnXzAxbTd5In0.f81Lw3vY'),
        ),
      ),
    expires_at: timestamp('When the link expires.'),
    size_bytes: z.int().min(0).meta(about('The size of the original mail in bytes.', 4_820)),
  })
  .meta({ id: 'RawMessage', description: 'A link to the original mail.' });
export type RawMessage = z.infer<typeof RawMessage>;

/** The response of `messages.check`. */
export const SendCheck = z
  .object({
    deliverable: z
      .array(z.string())
      .meta(about('The addresses that a send would go to.', ['ada@example.com'])),
    dropped: z
      .array(DroppedRecipient)
      .meta({ description: 'The addresses that a send would leave out, and why.' }),
    send: SendMode.meta(
      about(
        'The decision of the policy. `allow`: the message would be sent. `approve`: it would be held. `never`: it would be refused. ' +
          'Pauses and caps are not considered here: `GET /v1/policy` has them.',
        'allow',
      ),
    ),
  })
  .meta({ id: 'SendCheck', description: 'Who would receive a message.' });
export type SendCheck = z.infer<typeof SendCheck>;

/** The errors that every route that sends a message may respond with, besides the common ones. */
export const sendErrorCodes = [
  'email_limit_reached',
  'storage_limit_reached',
  'domain_not_verified',
  'attachment_too_large',
  'no_deliverable_recipients',
  'message_rejected',
  'sending_paused',
  'limit_reached',
] as const;

const pathParams = pathId('message', 'The message.');

/** Routes of messages. */
export const messages = c.router({
  send: {
    method: 'POST',
    path: '/messages',
    summary: 'Send a message',
    description:
      'Recipients that are suppressed or match an outbound block rule are dropped. A repeated `client_id` returns the original ' +
      'message with 200 and sends nothing. Until the provider accepts the message, `provider_message_id` is null and the status is ' +
      '`queued` or `sending`. A message that people have to approve is `held` first.',
    body: SendMessage,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: { 200: SendReceipt, 201: SendReceipt, ...answers(...sendErrorCodes) },
  },
  list: {
    method: 'GET',
    path: '/messages',
    summary: 'List, search or wait for messages',
    description:
      'Without `query`, lists messages, newest first. With `query`, lists search results, best first. Filters apply to both. With ' +
      '`wait_seconds`, the request waits until there is at least one message; if none comes in time, the list is empty. If semantic ' +
      'or hybrid search cannot run, keyword search runs instead, as `mode_used` and `fallback_reason` say. If very many messages ' +
      'contain a word, the newest are ranked first, as `ranked_within` says. Bodies are cut at 64 KiB. With several filters, a page ' +
      'examines at most 5,000 messages: it can then have fewer than `limit` items, or none, and still a `next_cursor` that continues ' +
      'from there.',
    query: ListMessages,
    responses: { 200: MessagePage, ...answers('limit_reached') },
  },
  get: {
    method: 'GET',
    path: '/messages/:id',
    summary: 'Get a message',
    description: 'Returns one message with its complete bodies, its labels and fresh attachment links.',
    pathParams,
    responses: { 200: Message, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/messages/:id',
    summary: 'Change labels, read mark or metadata of a message',
    description:
      'Makes all of the changes or none. A label that is both removed and added ends up on the message.',
    pathParams,
    body: UpdateMessage,
    metadata: changesInbox,
    responses: { 200: Message, ...answers('limit_reached') },
  },
  delete: {
    method: 'DELETE',
    path: '/messages/:id',
    summary: 'Delete a message',
    description:
      'The message disappears at once from all reads, lists and links; its files are deleted in the background. Recipients whose ' +
      'delivery has not begun do not get it. Its events stay in the log, with `message` null. Deleting the last message of a thread ' +
      'deletes the thread, too.',
    pathParams,
    metadata: changesInbox,
    responses: { 204: c.noBody(), ...answers() },
  },
  reply: {
    method: 'POST',
    path: '/messages/:id/reply',
    summary: 'Reply to a message',
    description:
      'Takes the recipients, the subject (with `Re:`) and the threading headers from the original. The reply goes to its Reply-To ' +
      'addresses, or to its From address if it has none. A reply to a message that the inbox itself sent goes to the recipients of ' +
      'that message.',
    pathParams,
    body: ReplyToMessage,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: { 200: SentMessage, 201: SentMessage, ...answers(...sendErrorCodes, 'auto_reply_loop') },
  },
  forward: {
    method: 'POST',
    path: '/messages/:id/forward',
    summary: 'Forward a message',
    description:
      'Quotes the original, attaches its files, and adds `Fwd:` to its subject. The new message stays in the thread of the original.',
    pathParams,
    body: ForwardMessage,
    metadata: { ...takesTexts, ...changesInbox, ...sendsMail },
    responses: { 200: SentMessage, 201: SentMessage, ...answers(...sendErrorCodes) },
  },
  raw: {
    method: 'GET',
    path: '/messages/:id/raw',
    summary: 'Get the original mail',
    description: 'Returns a link to the mail as it was received or sent, as an .eml file.',
    pathParams,
    responses: { 200: RawMessage, ...answers() },
  },
  check: {
    method: 'POST',
    path: '/messages/check',
    summary: 'Check who would receive a message',
    description:
      'Takes the same body as `messages.send`, but sends nothing. Returns the recipients that would be dropped, and whether people have to approve the message.',
    body: SendMessage,
    metadata: { ...takesAttachments, ...readsOnly },
    responses: { 200: SendCheck, ...answers('attachment_too_large') },
  },
});
