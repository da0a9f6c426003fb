import { type EventStream, type StreamEvents, streamEvents } from '../event-stream.ts';
import type { EventPage, ListEvents } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** What happened, in one order for the workspace. */
export class Events extends Resource {
  /**
   * Reads the event log, oldest first; pass `next_cursor` as `after` the next time and nothing is missed.
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
   * Gives events as they happen, in their order and each once, from this call on or after the event with the id `after`. It
   * follows the realtime socket, and the log by long polls where no socket can be opened; it goes on over lost connections.
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
