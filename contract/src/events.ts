import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { about, exampleIds, idField, idIn, Limit, timestamp, WaitSeconds } from './fields/scalars.ts';
import { Message } from './message.ts';

const c = initContract();

/** The kinds of events. */
export const eventKinds = [
  'message.received',
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.complained',
  'message.rejected',
  'message.held',
  'message.deferred',
  'message.updated',
  'message.deleted',
  'draft.sent',
  'draft.failed',
] as const;

/** The kind of an event. */
export const EventKind = z
  .enum(eventKinds)
  .meta({ id: 'EventKind', ...about('What happened.', 'message.received') });
export type EventKind = z.infer<typeof EventKind>;

const threadId = idField('thread', 'The thread of the message.');
const messageRef = idField('message', 'The message, also when `message` is null.');

/** The fields of every event besides `event`. */
const shared = {
  created_at: timestamp('When it happened.'),
  workspace_id: idField('workspace', 'The workspace.'),
  inbox_id: idField('inbox', 'The inbox.'),
  thread_id: threadId,
  message_ref: messageRef,
  message: Message.nullable().meta({
    description: 'The message as it is when the event is sent or read; null once it or its inbox is deleted.',
  }),
};

const recipient = z.string().meta(about('The recipient.', 'ada@example.com'));

function event<Kind extends EventKind, Extra extends z.core.$ZodLooseShape>(
  kind: Kind,
  meta: { id: string; description: string },
  extra: Extra,
) {
  return z
    .object({
      id: idField('event', 'The event; also `webhook-id`.'),
      event: z.literal(kind).meta(about('What happened.', kind)),
      ...shared,
      ...extra,
    })
    .meta(meta);
}

/** An inbound email arrived at one of the workspace's inboxes. */
export const MessageReceivedEvent = event(
  'message.received',
  { id: 'MessageReceivedEvent', description: 'An inbound email arrived at one of the workspace’s inboxes.' },
  {},
);
export type MessageReceivedEvent = z.infer<typeof MessageReceivedEvent>;

/** The next hop, such as a relay, took an outbound message for a recipient. */
export const MessageSentEvent = event(
  'message.sent',
  {
    id: 'MessageSentEvent',
    description:
      'The next hop, such as a relay, accepted an outbound message for a recipient. If it is known at once that the ' +
      'recipient’s server has it, there is only `message.delivered`.',
  },
  { recipient },
);
export type MessageSentEvent = z.infer<typeof MessageSentEvent>;

/** An outbound message was accepted by the recipient's server. */
export const MessageDeliveredEvent = event(
  'message.delivered',
  { id: 'MessageDeliveredEvent', description: 'An outbound message was accepted by the recipient’s server.' },
  { recipient },
);
export type MessageDeliveredEvent = z.infer<typeof MessageDeliveredEvent>;

/** The reason why a message bounced. */
export const Bounce = z
  .object({
    type: z
      .enum(['hard', 'soft'])
      .meta(about('`hard`: refused for good. `soft`: refused for now until we gave up.', 'hard')),
    code: z
      .string()
      .nullable()
      .meta(about('The enhanced status code (RFC 3463), else the reply code.', '5.1.1')),
    diagnostic: z
      .string()
      .nullable()
      .meta(about('What the recipient’s server said.', '550 5.1.1 No such user')),
  })
  .meta({ id: 'Bounce', description: 'Why a message came back.' });
export type Bounce = z.infer<typeof Bounce>;

/** A hard or soft bounce; the address is suppressed. */
export const MessageBouncedEvent = event(
  'message.bounced',
  { id: 'MessageBouncedEvent', description: 'A hard or soft bounce; the address is now suppressed.' },
  { recipient, bounce: Bounce },
);
export type MessageBouncedEvent = z.infer<typeof MessageBouncedEvent>;

/** The complaint of a recipient. */
export const Complaint = z
  .object({
    feedback_type: z
      .string()
      .nullable()
      .meta(about('The type in the report (RFC 5965), such as `abuse` or `fraud`.', 'abuse')),
  })
  .meta({ id: 'Complaint', description: 'What a recipient complained of.' });
export type Complaint = z.infer<typeof Complaint>;

/** A spam complaint; the address is suppressed. */
export const MessageComplainedEvent = event(
  'message.complained',
  { id: 'MessageComplainedEvent', description: 'A spam complaint; the address is now suppressed.' },
  { recipient, complaint: Complaint },
);
export type MessageComplainedEvent = z.infer<typeof MessageComplainedEvent>;

/** The provider rejected the send, or could not be reached before the message expired. */
export const MessageRejectedEvent = event(
  'message.rejected',
  {
    id: 'MessageRejectedEvent',
    description:
      'The provider rejected the send or could not be reached until the message expired, or people did not approve it.',
  },
  {
    recipient: z
      .string()
      .nullable()
      .meta(about('The recipient; null for the whole message.', 'ada@example.com')),
    reason: z
      .string()
      .meta(
        about(
          'What the provider said, `expired`, or `not_approved: ` with the reason that people gave.',
          '554 5.7.1 Message content rejected',
        ),
      ),
  },
);
export type MessageRejectedEvent = z.infer<typeof MessageRejectedEvent>;

/** An outbound message waits for the approval of people. */
export const MessageHeldEvent = event(
  'message.held',
  { id: 'MessageHeldEvent', description: 'An outbound message waits until people approve or refuse it.' },
  {},
);
export type MessageHeldEvent = z.infer<typeof MessageHeldEvent>;

/** An outbound message could not be handed over for a recipient, and is tried again. */
export const MessageDeferredEvent = event(
  'message.deferred',
  {
    id: 'MessageDeferredEvent',
    description:
      'The first attempt to deliver an outbound message to a recipient was deferred, and it is tried again. Later deferred ' +
      'attempts create no event.',
  },
  {
    recipient,
    detail: z
      .string()
      .nullable()
      .meta(about('What the recipient’s server or the provider said.', '451 4.7.1 Try again later')),
  },
);
export type MessageDeferredEvent = z.infer<typeof MessageDeferredEvent>;

/** Something about a message changed. */
export const MessageUpdatedEvent = event(
  'message.updated',
  {
    id: 'MessageUpdatedEvent',
    description:
      'A request changed labels, the read mark or metadata of a message. One request creates one event, or none if it changed ' +
      'nothing. Deleting a label creates none. The server creates one itself once it has read a mail that it was too busy to read: ' +
      '`changed` names the text, the files and what else came with them, and nothing if the mail takes too much to be read.',
  },
  { changed: z.array(z.string()).meta(about('The names of the fields that changed.', ['labels', 'read'])) },
);
export type MessageUpdatedEvent = z.infer<typeof MessageUpdatedEvent>;

/** A message was deleted. */
export const MessageDeletedEvent = event(
  'message.deleted',
  {
    id: 'MessageDeletedEvent',
    description:
      'A message was deleted, alone or with its thread. `message` is null. Deleting an inbox creates no events.',
  },
  {},
);
export type MessageDeletedEvent = z.infer<typeof MessageDeletedEvent>;

const draftId = idField('draft', 'The draft.');

/** A draft became a message. */
export const DraftSentEvent = event(
  'draft.sent',
  {
    id: 'DraftSentEvent',
    description:
      'A draft became `message`, at its time or by a request. From then on, there are events of the message.',
  },
  { draft_id: draftId },
);
export type DraftSentEvent = z.infer<typeof DraftSentEvent>;

/** A scheduled draft could not be sent. */
export const DraftFailedEvent = event(
  'draft.failed',
  {
    id: 'DraftFailedEvent',
    description: 'A scheduled draft was not sent because of an error. It can be changed and sent again.',
  },
  {
    thread_id: threadId.nullable().meta({ description: 'Null: the draft became no message.' }),
    message_ref: messageRef.nullable().meta({ description: 'Null: the draft became no message.' }),
    draft_id: draftId,
    failure: z.string().meta(about('The error code for which it was not sent.', 'no_deliverable_recipients')),
  },
);
export type DraftFailedEvent = z.infer<typeof DraftFailedEvent>;

/** An event, which is the same in a webhook delivery, in a realtime frame and in the event log. */
export const Event = z
  .discriminatedUnion('event', [
    MessageReceivedEvent,
    MessageSentEvent,
    MessageDeliveredEvent,
    MessageBouncedEvent,
    MessageComplainedEvent,
    MessageRejectedEvent,
    MessageHeldEvent,
    MessageDeferredEvent,
    MessageUpdatedEvent,
    MessageDeletedEvent,
    DraftSentEvent,
    DraftFailedEvent,
  ])
  .meta({
    id: 'Event',
    description:
      'An event: the body of a webhook delivery, a realtime frame and a row of the event log are the same.',
  });
export type Event = z.infer<typeof Event>;

function toList(value: unknown) {
  return typeof value === 'string' ? [...new Set(value.split(',').map((item) => item.trim()))] : value;
}

/** Query fields that select events, in the log and on the realtime socket. */
export const eventFilters = {
  after: z
    .string()
    .optional()
    .meta(
      about(
        'Only events after the one with this id, or after `latest`, the newest at the time of the request.',
        exampleIds.event,
        'latest',
      ),
    ),
  events: z
    .preprocess(toList, z.array(EventKind).min(1))
    .optional()
    .meta(about('Only events of these kinds, separated by commas.', ['message.received'])),
  inbox_id: idIn('inbox', 'Only events of this inbox.').optional(),
};

/** Query of `events.list`. */
export const ListEvents = z.strictObject({ ...eventFilters, wait_seconds: WaitSeconds, limit: Limit });
export type ListEvents = z.infer<typeof ListEvents>;

/** A page of the event log. */
export const EventPage = z
  .object({
    events: z.array(Event),
    next_cursor: z
      .string()
      .nullable()
      .meta(
        about(
          'The `after` of the next request, even if there were no events; null only while the log is empty.',
          exampleIds.event,
        ),
      ),
  })
  .meta({ id: 'EventPage', description: 'Events, oldest first.' });
export type EventPage = z.infer<typeof EventPage>;

/** Metadata of a route that responds with a stream of server-sent events if a request asks for one. */
const streamsEvents = { streams: true } as const;

/** Routes of the event log. */
export const events = c.router({
  list: {
    method: 'GET',
    path: '/events',
    summary: 'Read or wait for events',
    description:
      'The event log of the workspace, oldest first, kept for 30 days. A reader that passes `next_cursor` as `after` each ' +
      'time misses nothing. With `wait_seconds` the request is held until there is an event. If `Accept` names ' +
      '`text/event-stream`, the response is a stream of server-sent events that does not end: `id` is the id of the event, ' +
      '`event` its kind, and `data` the event as it is in a page. It begins after `Last-Event-ID` or `after`, or with new events, ' +
      'ignores `limit` and `wait_seconds`, and counts as a realtime socket. If the server ends it, an event `end` with ' +
      '`{"code"}` comes last.',
    metadata: streamsEvents,
    query: ListEvents,
    responses: { 200: EventPage, ...answers('limit_reached', 'cursor_expired') },
  },
});
