import type { Caller } from '../calls/call.ts';
import { PostriderError } from '../errors.ts';
import type { Event, EventKind } from '../generated/types.ts';
import { followEvents } from './follow-events.ts';
import { type EventFilters, LogReader } from './log-reader.ts';
import { beginning } from './mail-place.ts';
import { ResumableStream } from './resumable-stream.ts';

/** The parameters of `events.stream`. */
export interface StreamEvents<Kind extends EventKind = EventKind> extends EventFilters<Kind> {
  /**
   * The id of the event after which the stream begins, such as the `cursor` of an earlier stream.
   * `beginning`: all events in the log. Default: `latest`, the events from the call on.
   */
  after?: string | undefined;
  /**
   * Default: the realtime socket, a stream of server-sent events if there is no `WebSocket`, or long polls if the client has a custom
   * `fetch`. `socket` and `sse`: that connection, even with a custom `fetch`. `poll`: long polls only.
   */
  transport?: 'socket' | 'sse' | 'poll' | undefined;
  /** Ends the stream with an `AbortedError` when the signal is aborted. */
  signal?: AbortSignal | undefined;
}

/** An event of some kinds. */
export type EventOf<Kind extends EventKind> = Extract<Event, { event: Kind }>;

/** A stream of events as they happen, in order and once each. It ends when the loop over it ends. */
export type EventStream<Kind extends EventKind = EventKind> = ResumableStream<EventOf<Kind>>;

/**
 * Returns a stream of the events of a workspace. Throws a `PostriderError` if `transport` is `socket` and
 * there is no `WebSocket`.
 */
export function streamEvents<Kind extends EventKind>(
  caller: Caller,
  { after = 'latest', transport, signal, ...filters }: StreamEvents<Kind>,
): EventStream<Kind> {
  const hasSocket = typeof WebSocket === 'function';
  if (transport === 'socket' && !hasSocket) {
    throw new PostriderError(
      "There is no WebSocket here. Leave transport out, or set it to 'sse' or 'poll'.",
    );
  }
  const usual = caller.hasOwnFetch ? 'poll' : hasSocket ? 'socket' : 'sse';
  return new ResumableStream(signal, async (requests) => {
    const start = after === 'latest' ? await caller.newestEvent(requests) : after;
    const log = new LogReader(caller, filters, start === beginning ? null : start, requests);
    return {
      get cursor() {
        return log.given ?? beginning;
      },
      // The server filters by kind.
      follow: () =>
        followEvents(caller, log, { transport: transport ?? usual }, requests.signal) as AsyncGenerator<
          EventOf<Kind>,
          void,
          undefined
        >,
    };
  });
}
