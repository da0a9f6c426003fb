import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { EventKind, EventPage, ListEvents } from '../generated/types.ts';
import { type EventOf, type EventStream, type StreamEvents, streamEvents } from '../streams/event-stream.ts';
import { Resource } from './resource.ts';

/** The query of `events.list`. The kinds in `events` narrow the type of the events. */
export type EventQuery<Kind extends EventKind> = Omit<ListEvents, 'events'> & {
  events?: readonly Kind[] | undefined;
};

/** A page of events of some kinds. */
export type EventPageOf<Kind extends EventKind> = Omit<EventPage, 'events'> & { events: EventOf<Kind>[] };

/** The event log of the workspace, in a fixed order. */
export class Events extends Resource {
  /**
   * Returns a page of the event log, oldest first. To miss nothing, pass `next_cursor` as `after` the next
   * time. Throws an `APIError` with `cursor_expired` if `after` is older than the oldest event in the log.
   *
   * @example
   * const page = await client.events.list({ events: ['message.bounced'], wait_seconds: 20 });
   * for (const event of page.events) console.log(event.event, event.message?.subject);
   * const next = await client.events.list({ after: page.next_cursor ?? undefined });
   */
  list<const Kind extends EventKind = EventKind>(
    query?: EventQuery<Kind>,
    options?: RequestOptions,
  ): PagePromise<EventPageOf<Kind>> {
    // The server filters by kind.
    return this.caller.list('events.list', { query }, options) as PagePromise<object> as PagePromise<
      EventPageOf<Kind>
    >;
  }

  /**
   * Returns a stream of events as they happen, in order and once each. It begins with this call, or after the
   * event with the id `after`. It reads the realtime socket, a stream of server-sent events if there is no
   * `WebSocket`, or the log by long polls if neither can be opened, and continues after lost connections.
   *
   * @example
   * const stream = client.events.stream({ events: ['message.received', 'message.bounced'] });
   * for await (const event of stream) {
   *   if (event.event === 'message.bounced') console.log(event.recipient, event.bounce.diagnostic);
   *   await store(stream.cursor); // passed as `after`, the next process misses nothing
   * }
   */
  stream<const Kind extends EventKind = EventKind>(params: StreamEvents<Kind> = {}): EventStream<Kind> {
    return streamEvents(this.caller, params);
  }
}
