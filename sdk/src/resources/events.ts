import { type EventStream, type StreamEvents, streamEvents } from '../event-stream.ts';
import type { EventPage, ListEvents } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** The event log of the workspace, in one order. */
export class Events extends Resource {
  /**
   * Returns a page of the event log, oldest first. Pass `next_cursor` as `after` the next time, and nothing
   * is missed. Throws an `APIError` with `cursor_expired` when `after` is older than the oldest event in the
   * log.
   *
   * @example
   * const page = await client.events.list({ events: ['message.bounced'], wait_seconds: 20 });
   * for (const event of page.events) console.log(event.event, event.message?.subject);
   * const next = await client.events.list({ after: page.next_cursor ?? undefined });
   */
  list(query?: ListEvents, options?: RequestOptions): PagePromise<EventPage> {
    return this.caller.list('events.list', { query }, options);
  }

  /**
   * Returns a stream of events as they happen, in order and each once, from this call on or after the event
   * with the id `after`. It reads the realtime socket, or the log by long polls where no socket can be
   * opened, and continues after lost connections.
   *
   * @example
   * const stream = client.events.stream({ events: ['message.received', 'message.bounced'] });
   * for await (const event of stream) {
   *   if (event.event === 'message.bounced') console.log(event.recipient, event.bounce.diagnostic);
   *   await store(stream.cursor); // passed as `after`, the next process misses nothing
   * }
   */
  stream(params: StreamEvents = {}): EventStream {
    return streamEvents(this.caller, params);
  }
}
