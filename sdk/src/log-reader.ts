import type { Caller } from './call.ts';
import type { Event, EventKind } from './generated/types.ts';
import { pause } from './pause.ts';
import type { PersistentRequests } from './persistent-requests.ts';

/** Which events are wanted. */
export interface EventFilters {
  /** Only events of these kinds. Default: all. */
  events?: EventKind[] | undefined;
  /** Only events of this inbox. */
  inbox_id?: string | undefined;
}

/** The length of a poll: shorter than what proxies allow a silent connection. */
const pollSeconds = 25;
/** Polls that are answered early, and with nothing, follow each other no faster. */
const pollGapMs = 250;
const pageItems = 100;

/** Reads the event log from a place on, by long polls; it goes on over failures that pass, and misses nothing meanwhile. */
export class LogReader {
  /** The event behind which it goes on; null at the beginning. */
  after: string | null;
  /** The event behind which everything is still to be given to who asks for events. */
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

  /** What a request for the next events asks. */
  get query(): EventFilters & { after?: string | undefined } {
    return { ...this.#filters, after: this.after ?? undefined };
  }

  /** Gives the next events, none when the wait is over; rejects with an error that will not pass. */
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
