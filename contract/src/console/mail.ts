/* The lists of mail as people read them, with the content of each row, so that a page of rows is one request. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { NextCursor } from '../fields/scalars.ts';
import { Inbox, ListInboxes } from '../inboxes.ts';
import { DeliveryStatus, Direction } from '../message.ts';
import { ListThreads, Thread } from '../threads.ts';
import { problems } from './errors.ts';
import { time } from './fields.ts';

const c = initContract();

/** An inbox with what has happened in it. */
export const InboxSummary = Inbox.extend({
  /** Threads with mail that was not read, counted up to 100. */
  unread_threads: z.int(),
  last_message_at: time().nullable(),
});
export type InboxSummary = z.infer<typeof InboxSummary>;

/** A thread as a row of a list: its newest message, and the facts to notice. */
export const ThreadSummary = Thread.omit({ messages: true }).extend({
  unread_count: z.int(),
  last_message: z.object({
    id: z.string(),
    direction: Direction,
    from_addr: z.string(),
    from_name: z.string().nullable(),
    snippet: z.string(),
  }),
  /** The author of the newest received message, so that a person keeps a name after a reply; null if only sent mail is known. */
  last_writer: z.object({ address: z.string(), name: z.string().nullable() }).nullable(),
  /** Whether one of its newest messages has files. */
  has_attachments: z.boolean(),
  /** The worst state of a recipient of the newest sent message; null if only received mail is known. */
  sent_status: DeliveryStatus.nullable(),
});
export type ThreadSummary = z.infer<typeof ThreadSummary>;

/** A text of an HTML mail that its page does not show and others see, or the other way round. */
export interface HiddenPart {
  /** Only Outlook shows it, all but Outlook do, programs that know other elements do, or some screens, programs or paper. */
  readers: 'outlook' | 'not_outlook' | 'some_programs' | 'some_screens';
  /** Its beginning. */
  text: string;
}

/** Routes of mail lists. */
export const mail = c.router({
  inboxes: {
    method: 'GET',
    path: '/inboxes',
    query: ListInboxes.pick({ limit: true, cursor: true }),
    responses: { 200: z.object({ inboxes: z.array(InboxSummary), next_cursor: NextCursor }), ...problems },
  },
  threads: {
    method: 'GET',
    path: '/threads',
    query: ListThreads.pick({ inbox_id: true, label_id: true, read: true, limit: true, cursor: true }),
    responses: { 200: z.object({ threads: z.array(ThreadSummary), next_cursor: NextCursor }), ...problems },
  },
});
