import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { about, exampleIds, idIn, idOf, Limit, timestamp, WaitSeconds } from './fields/scalars.ts';
import { Message } from './message.ts';

const c = initContract();

/** The kinds of events. */
export const eventKinds = [
  'message.received',
  'message.delivered',
  'message.bounced',
  'message.complained',
  'message.rejected',
] as const;

/** The kind of an event. */
export const EventKind = z
  .enum(eventKinds)
  .meta({ id: 'EventKind', ...about('What happened.', 'message.received') });
export type EventKind = z.infer<typeof EventKind>;

/** The fields of every event besides `event`. */
const shared = {
  created_at: timestamp('When it happened.'),
  workspace_id: idOf('workspace', 'The workspace.'),
  inbox_id: idOf('inbox', 'The inbox.'),
  thread_id: idOf('thread', 'The thread of the message.'),
  message: Message.nullable().meta({
    description: 'The message as it is when the event is sent or read; null once it or its inbox is deleted.',
  }),
};

const recipient = z.string().meta(about('The recipient it is about.', 'ada@example.com'));

function event<Kind extends EventKind, Extra extends z.core.$ZodLooseShape>(
  kind: Kind,
  meta: { id: string; description: string },
  extra: Extra,
) {
  return z
    .object({
      id: idOf('event', 'The event; also `webhook-id`.'),
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
      .meta(about('The recipient it is about; null when it is the whole message.', 'ada@example.com')),
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

/** An event, which is the same in a webhook delivery, in a realtime frame and in the event log. */
export const Event = z
  .discriminatedUnion('event', [
    MessageReceivedEvent,
    MessageDeliveredEvent,
    MessageBouncedEvent,
    MessageComplainedEvent,
    MessageRejectedEvent,
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
          'What to pass as `after` the next time, also when no event is answered; null only while the log is empty.',
          exampleIds.event,
        ),
      ),
  })
  .meta({ id: 'EventPage', description: 'Events, oldest first.' });
export type EventPage = z.infer<typeof EventPage>;

/** Routes of the event log. */
export const events = c.router({
  list: {
    method: 'GET',
    path: '/events',
    summary: 'Read or wait for events',
    description:
      'The event log of the workspace, oldest first, kept for 30 days. A reader that passes `next_cursor` as `after` each ' +
      'time misses nothing. With `wait_seconds` the request is held until there is an event.',
    query: ListEvents,
    responses: { 200: EventPage, ...answers('limit_reached', 'cursor_expired') },
  },
});
