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
  .meta({ id: 'EventKind', ...about('The kind of the event.', 'message.received') });
export type EventKind = z.infer<typeof EventKind>;

const threadId = idField('thread', 'The thread of the message.');
const messageRef = idField('message', 'The id of the message, even if `message` is null.');

/** The fields of every event besides `event`. */
const shared = {
  created_at: timestamp('When the event happened.'),
  workspace_id: idField('workspace', 'The workspace.'),
  inbox_id: idField('inbox', 'The inbox.'),
  thread_id: threadId,
  message_ref: messageRef,
  message: Message.nullable().meta({
    description:
      'The message in its state when the event is sent or read; null if the message or its inbox has been deleted.',
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
      id: idField('event', 'The id of the event, also in the `webhook-id` header.'),
      event: z.literal(kind).meta(about('The kind of the event.', kind)),
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
      'The next hop, such as a relay, accepted an outbound message for a recipient. If the recipient’s server itself accepts the ' +
      'message, there is only `message.delivered`.',
  },
  { recipient },
);
export type MessageSentEvent = z.infer<typeof MessageSentEvent>;

/** An outbound message was accepted by the recipient's server. */
export const MessageDeliveredEvent = event(
  'message.delivered',
  { id: 'MessageDeliveredEvent', description: 'The recipient’s server accepted an outbound message.' },
  { recipient },
);
export type MessageDeliveredEvent = z.infer<typeof MessageDeliveredEvent>;

/** The reason why a message bounced. */
export const Bounce = z
  .object({
    type: z
      .enum(['hard', 'soft'])
      .meta(
        about('`hard`: refused permanently. `soft`: refused temporarily, until the server gave up.', 'hard'),
      ),
    code: z
      .string()
      .nullable()
      .meta(about('The enhanced status code (RFC 3463), or the reply code if there is none.', '5.1.1')),
    diagnostic: z
      .string()
      .nullable()
      .meta(about('The reply of the recipient’s server.', '550 5.1.1 No such user')),
  })
  .meta({ id: 'Bounce', description: 'The reason for a bounce.' });
export type Bounce = z.infer<typeof Bounce>;

/** A hard or soft bounce; the address is suppressed. */
export const MessageBouncedEvent = event(
  'message.bounced',
  {
    id: 'MessageBouncedEvent',
    description: 'The message bounced, hard or soft. The address is now suppressed.',
  },
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
  .meta({ id: 'Complaint', description: 'A recipient’s complaint.' });
export type Complaint = z.infer<typeof Complaint>;

/** A spam complaint; the address is suppressed. */
export const MessageComplainedEvent = event(
  'message.complained',
  {
    id: 'MessageComplainedEvent',
    description: 'The recipient complained of spam. The address is now suppressed.',
  },
  { recipient, complaint: Complaint },
);
export type MessageComplainedEvent = z.infer<typeof MessageComplainedEvent>;

/** The provider rejected the send, or could not be reached before the message expired. */
export const MessageRejectedEvent = event(
  'message.rejected',
  {
    id: 'MessageRejectedEvent',
    description:
      'The provider rejected the message, the message expired before the provider could be reached, or people did not approve it.',
  },
  {
    recipient: z
      .string()
      .nullable()
      .meta(about('The recipient; null if the whole message was rejected.', 'ada@example.com')),
    reason: z
      .string()
      .meta(
        about(
          'The reply of the provider, `expired`, or `not_approved: ` with the reason that people gave.',
          '554 5.7.1 Message content rejected',
        ),
      ),
  },
);
export type MessageRejectedEvent = z.infer<typeof MessageRejectedEvent>;

/** An outbound message waits for the approval of people. */
export const MessageHeldEvent = event(
  'message.held',
  { id: 'MessageHeldEvent', description: 'An outbound message waits for people to approve or refuse it.' },
  {},
);
export type MessageHeldEvent = z.infer<typeof MessageHeldEvent>;

/** An outbound message could not be handed over for a recipient, and is tried again. */
export const MessageDeferredEvent = event(
  'message.deferred',
  {
    id: 'MessageDeferredEvent',
    description:
      'The first attempt to deliver an outbound message to a recipient was deferred, and will be retried. Later deferrals create no event.',
  },
  {
    recipient,
    detail: z
      .string()
      .nullable()
      .meta(about('The reply of the recipient’s server or the provider.', '451 4.7.1 Try again later')),
  },
);
export type MessageDeferredEvent = z.infer<typeof MessageDeferredEvent>;

/** Something about a message changed. */
export const MessageUpdatedEvent = event(
  'message.updated',
  {
    id: 'MessageUpdatedEvent',
    description:
      'A request changed the labels, the read mark or the metadata of a message. A request creates one event, or none if it changes ' +
      'nothing. Deleting a label creates none. The server also creates one after it parses an email that it was too busy to parse on ' +
      'arrival: `changed` names the text, the attachments and every other field that was filled in. It is empty if parsing the mail ' +
      'would take more resources than one email is allowed.',
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
      'A draft was sent as `message`, on schedule or on request. Later events belong to the message.',
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
    thread_id: threadId.nullable().meta({ description: 'Null, because the draft did not become a message.' }),
    message_ref: messageRef
      .nullable()
      .meta({ description: 'Null, because the draft did not become a message.' }),
    draft_id: draftId,
    failure: z
      .string()
      .meta(about('The code of the error that prevented the send.', 'no_deliverable_recipients')),
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
      'An event. It has the same form in webhook deliveries, in realtime frames and in the event log.',
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
        'Only events after the event with this id. `latest` stands for the newest event at the time of the request.',
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
          'The `after` of the next request, even if this page has no events; null only while the log is empty.',
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
      'Lists the event log of the workspace, oldest first. Events are kept for 30 days. A client that passes `next_cursor` as ' +
      '`after` each time misses nothing. With `wait_seconds`, the request waits until there is an event. If `Accept` names ' +
      '`text/event-stream`, the response is an endless stream of server-sent events: `id` is the id of the event, `event` its kind, ' +
      'and `data` the same event as in a page. The stream starts after `Last-Event-ID` or `after`, or else with new events. It ' +
      'ignores `limit` and `wait_seconds`, and counts as a realtime socket. If the server ends the stream, its last event is `end` ' +
      'with `{"code"}`.',
    metadata: streamsEvents,
    query: ListEvents,
    responses: { 200: EventPage, ...answers('limit_reached', 'cursor_expired') },
  },
});
