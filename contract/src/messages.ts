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
  has_attachment: flag().optional().meta(about('Only messages with files, or only those without.', true)),
  read: flag().optional().meta(about('Only messages that were marked as read, or only the others.', false)),
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
    remove_labels: labelsIn.optional().meta(about('Labels to take off it, by id or by name.', ['new'])),
    read: z.boolean().optional().meta(about('Whether it is marked as read.', true)),
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
          'Download link of the original mail, without a key.',
          exampleLink('k1.eyJtIjoibXNnXzAxbTd5In0.f81Lw3vY'),
        ),
      ),
    expires_at: timestamp('When the link stops working.'),
    size_bytes: z.int().min(0).meta(about('The size of the original mail.', 4_820)),
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
      .meta({ description: 'The addresses that it would leave out, and why.' }),
    send: SendMode.meta(
      about(
        'What the policy says: `allow`: it goes out. `approve`: it is held. `never`: it is refused. Pauses and caps are not looked at: `GET /v1/policy` has them.',
        'allow',
      ),
    ),
  })
  .meta({ id: 'SendCheck', description: 'Who would get a message.' });
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
      'Recipients that are suppressed or matched by an outbound block rule are dropped. A repeated `client_id` returns the ' +
      'original message with 200 and sends nothing. While the provider has not accepted the message, ' +
      '`provider_message_id` is null and the status is `queued` or `sending`.',
    body: SendMessage,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: { 200: SendReceipt, 201: SendReceipt, ...answers(...sendErrorCodes) },
  },
  list: {
    method: 'GET',
    path: '/messages',
    summary: 'List, search or wait for messages',
    description:
      'Without `query` the newest messages first; with it, search results, best first; all filters hold for both. With ' +
      '`wait_seconds` the request is held until there is at least one message; at the end of the wait the list is empty. ' +
      'Semantic and hybrid search fall back to keyword search where they cannot run, as `mode_used` and `fallback_reason` ' +
      'say. Of a word that very many messages have, the newest are compared first, as `ranked_within` says. Bodies are cut ' +
      'at 64 KiB. Where filters are combined a page ' +
      'looks at 5,000 messages at most: it may then hold fewer than `limit`, or none, and have a `next_cursor` that goes on there.',
    query: ListMessages,
    responses: { 200: MessagePage, ...answers('limit_reached') },
  },
  get: {
    method: 'GET',
    path: '/messages/:id',
    summary: 'Get a message',
    description: 'One message with its whole bodies, labels and fresh attachment links.',
    pathParams,
    responses: { 200: Message, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/messages/:id',
    summary: 'Change labels, read mark or metadata of a message',
    description:
      'Either all changes are made or none. A label that is both removed and added ends up on the message.',
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
      'The message is gone at once from every read, list and link, and its files are removed in the background. It is not ' +
      'sent to recipients whose delivery has not begun. Its events stay in the log, with `message` null. A thread goes with its last message.',
    pathParams,
    metadata: changesInbox,
    responses: { 204: c.noBody(), ...answers() },
  },
  reply: {
    method: 'POST',
    path: '/messages/:id/reply',
    summary: 'Reply to a message',
    description:
      'Recipients, subject (`Re:`) and threading headers come from the original: Reply-To, else From; a reply to an own ' +
      'message goes to its recipients.',
    pathParams,
    body: ReplyToMessage,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: { 200: SentMessage, 201: SentMessage, ...answers(...sendErrorCodes, 'auto_reply_loop') },
  },
  forward: {
    method: 'POST',
    path: '/messages/:id/forward',
    summary: 'Forward a message',
    description: 'Quotes the original with its files under a subject with `Fwd:`, and stays in its thread.',
    pathParams,
    body: ForwardMessage,
    metadata: { ...takesTexts, ...changesInbox, ...sendsMail },
    responses: { 200: SentMessage, 201: SentMessage, ...answers(...sendErrorCodes) },
  },
  raw: {
    method: 'GET',
    path: '/messages/:id/raw',
    summary: 'Get the original mail',
    description: 'A link to the mail as it was received or sent, as an .eml file.',
    pathParams,
    responses: { 200: RawMessage, ...answers() },
  },
  check: {
    method: 'POST',
    path: '/messages/check',
    summary: 'Check who would get a message',
    description:
      'Takes the body of `messages.send` and sends nothing. Returns the recipients that would be dropped, and whether people have to approve the message.',
    body: SendMessage,
    metadata: { ...takesAttachments, ...readsOnly },
    responses: { 200: SendCheck, ...answers('attachment_too_large') },
  },
});
