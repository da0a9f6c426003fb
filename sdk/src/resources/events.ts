import type { EventPage, ListEvents } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** What happened, in one order for the workspace. */
export class Events extends Resource {
  /** Reads the event log, oldest first; pass `next_cursor` as `after` the next time and nothing is missed. */
  list(query?: ListEvents, options?: RequestOptions): PagePromise<EventPage> {
    return this.caller.list('events.list', { query }, options);
  }
}
