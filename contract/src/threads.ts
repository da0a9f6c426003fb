import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox } from './access.ts';
import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { about, flag, idField, idIn, NextCursor, pageQuery, pathId, timestamp } from './fields/scalars.ts';
import { AppliedLabel, Message } from './message.ts';
import { ListedMessage, searchOutcome, searchQuery } from './search.ts';

const c = initContract();

/** A conversation within one inbox. */
export const Thread = z
  .object({
    id: idField('thread', 'The thread.'),
    inbox_id: idField('inbox', 'The inbox that it belongs to.'),
    subject: z.string().meta(about('The subject of the first message.', 'Where is my order?')),
    participants: z
      .array(z.string())
      .meta(
        about('The addresses of the participants.', [
          'ada@example.com',
          `support@${brand.defaults.mailDomain}`,
        ]),
      ),
    message_count: z.int().min(0).meta(about('The number of messages.', 2)),
    last_message_at: timestamp('When the newest message was received or sent.'),
    created_at: timestamp('When the first message was received or sent.'),
    labels: z.array(AppliedLabel).meta({ description: 'The labels of the messages.' }),
    messages: z.array(ListedMessage).optional().meta({
      description: 'Only in search results: a list with the best match of the thread.',
    }),
  })
  .meta({ id: 'Thread', description: 'A conversation within one inbox.' });
export type Thread = z.infer<typeof Thread>;

/** A thread with its messages. */
export const ThreadWithMessages = z
  .object({
    ...Thread.shape,
    messages: z
      .array(Message)
      .meta({ description: 'The newest 200 messages, oldest first, with their bodies and attachments.' }),
    messages_truncated: z.boolean().meta(about('Whether older messages were left out.', false)),
  })
  .meta({ id: 'ThreadWithMessages', description: 'A thread with its messages, oldest first.' });
export type ThreadWithMessages = z.infer<typeof ThreadWithMessages>;

/** A page of threads. */
export const ThreadPage = z
  .object({ threads: z.array(Thread), next_cursor: NextCursor, ...searchOutcome })
  .meta({
    id: 'ThreadPage',
    description: 'Threads, latest activity first, or by the score of their best match.',
  });
export type ThreadPage = z.infer<typeof ThreadPage>;

/** Query of `threads.list`. */
export const ListThreads = z.strictObject({
  inbox_id: idIn('inbox', 'Only threads of this inbox.').optional(),
  label_id: idIn('label', 'Only threads in which a message has this label.').optional(),
  read: flag()
    .optional()
    .meta(
      about('Only threads in which all messages are read, or only threads with an unread message.', false),
    ),
  ...searchQuery,
  ...pageQuery,
});
export type ListThreads = z.infer<typeof ListThreads>;

/** Routes of threads. */
export const threads = c.router({
  list: {
    method: 'GET',
    path: '/threads',
    summary: 'List or search threads',
    description:
      'Lists the threads of the workspace or of one inbox, latest activity first. With `query`, lists the threads of the messages ' +
      'that `messages.list` would find, each once with its best match, best first.',
    query: ListThreads,
    responses: { 200: ThreadPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/threads/:id',
    summary: 'Get a thread with its messages',
    description:
      'The id of a thread that was merged into an older thread returns the older thread. Bodies are cut at 64 KiB.',
    pathParams: pathId('thread', 'The thread.'),
    responses: { 200: ThreadWithMessages, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/threads/:id',
    summary: 'Delete a thread',
    description:
      'The thread and all its messages disappear at once, as with `messages.delete`. A later reply to one of them starts a new thread.',
    pathParams: pathId('thread', 'The thread.'),
    metadata: changesInbox,
    responses: { 204: c.noBody(), ...answers() },
  },
});
