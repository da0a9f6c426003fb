import * as z from 'zod';
import type { ErrorCode } from './errors/errors.ts';
import { Event, eventFilters } from './events.ts';
import { about, exampleIds, idField } from './fields/scalars.ts';

/** The path of the realtime WebSocket, below the version prefix. */
export const realtimePath = '/realtime';

/** The errors that the realtime socket may respond with before the upgrade, instead of opening. */
export const realtimeErrorCodes = [
  'invalid_request',
  'invalid_token',
  'not_found',
  'limit_reached',
  'cursor_expired',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies ErrorCode[];

/** Query of the realtime WebSocket. With `after`, all missed events come first, in order. */
export const RealtimeQuery = z.strictObject(eventFilters);
export type RealtimeQuery = z.infer<typeof RealtimeQuery>;

/** The first frame of every realtime socket. */
export const ConnectedFrame = z
  .object({
    event: z.literal('connected').meta(about('The first frame of every socket.', 'connected')),
    data: z.object({
      workspace_id: idField('workspace', 'The workspace.'),
      cursor: z
        .string()
        .nullable()
        .meta(
          about('The event after which this socket starts; null while the log is empty.', exampleIds.event),
        ),
    }),
  })
  .meta({ id: 'ConnectedFrame', description: 'The first frame of every realtime socket.' });
export type ConnectedFrame = z.infer<typeof ConnectedFrame>;

/** A text frame of the realtime socket, as JSON. */
export const RealtimeFrame = z
  .discriminatedUnion('event', [ConnectedFrame, ...Event.options])
  .meta({ id: 'RealtimeFrame', description: 'A text frame of the realtime WebSocket.' });
export type RealtimeFrame = z.infer<typeof RealtimeFrame>;

/** Close codes of the realtime socket besides those of RFC 6455, with what to do. */
export const realtimeCloseCodes = {
  keyRevoked: { code: 4001, meaning: 'The API key was revoked. Do not reconnect with it.' },
  tooSlow: { code: 4008, meaning: 'The client read frames too slowly. Reconnect with `after`.' },
  cursorExpired: {
    code: 4010,
    meaning:
      '`after` is older than the oldest event in the log. Read the current state, then connect without `after`.',
  },
} as const;

/** `GET /events` as a stream of server-sent events, as in the HTML standard. */
export const eventStream = {
  /** The media type by which a request asks for a stream in `Accept`. */
  contentType: 'text/event-stream',
  /** The header that has the last `id` of a client which connects again. It counts before `after`. */
  resumeHeader: 'Last-Event-ID',
  /** The `event` that comes last if the server ends a stream. Its data is `{code}`, one of `realtimeCloseCodes`. */
  endEvent: 'end',
} as const;
