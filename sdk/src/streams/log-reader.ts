import type { Caller } from '../calls/call.ts';
import type { Event, EventKind } from '../generated/types.ts';
import { pause } from '../pause.ts';
import type { PersistentRequests } from './persistent-requests.ts';

/** The filters of the event log. The kinds in `events` narrow the type of what is returned. */
export interface EventFilters<Kind extends EventKind = EventKind> {
  /** Only events of these kinds. Default: all. */
  events?: readonly Kind[] | undefined;
  /** Only events of this inbox. */
  inbox_id?: string | undefined;
}

/** The length of a poll, which is less than the silence that proxies allow on a connection. */
const pollSeconds = 25;
/** The shortest time from one poll to the next if the first returns early and without events. */
const pollGapMs = 250;
const pageItems = 100;

/**
 * Reads the event log from a place on, by long polls. It continues after temporary failures and misses
 * nothing.
 */
export class LogReader {
  /** The event after which the next poll reads; null at the beginning of the log. */
  after: string | null;
  /**
   * The event after which nothing has been returned to the consumer yet; null at the beginning of the log.
   */
  given: string | null;
  readonly #caller: Caller;
  readonly #filters: EventFilters;
  readonly #requests: PersistentRequests;

  constructor(caller: Caller, filters: EventFilters, after: string | null, requests: PersistentRequests) {
    this.#caller = caller;
    this.#filters = filters;
    this.after = after;
    this.given = after;
    this.#requests = requests;
  }

  /** The query of a request for the next events. */
  get query(): EventFilters & { after?: string | undefined } {
    return { ...this.#filters, after: this.after ?? undefined };
  }

  /**
   * Returns the next events, or none if the wait ends before there are any. Rejects with an error that no
   * retry can fix.
   */
  async poll(waitSeconds = pollSeconds): Promise<Event[]> {
    let startMs = 0;
    const page = await this.#requests.make((options) => {
      startMs = performance.now();
      const query = { ...this.query, wait_seconds: waitSeconds || undefined, limit: pageItems };
      return this.#caller.call('events.list', { query }, options);
    });
    this.after = page.next_cursor ?? this.after;
    const gapMs = startMs + pollGapMs - performance.now();
    if (page.events.length === 0 && waitSeconds > 0 && gapMs > 0) await pause(gapMs, this.#requests.signal);
    return page.events;
  }
}
