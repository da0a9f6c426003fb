import type { Caller } from './call.ts';
import type { Event, EventKind } from './generated/types.ts';
import { pause } from './pause.ts';
import { delayMs, mayPass } from './retry.ts';

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
  /** What the last request failed with; null when it did not. */
  failure: unknown = null;
  readonly #caller: Caller;
  readonly #filters: EventFilters;
  readonly #signal: AbortSignal;

  constructor(caller: Caller, filters: EventFilters, after: string | null, signal: AbortSignal) {
    this.#caller = caller;
    this.#filters = filters;
    this.after = after;
    this.#signal = signal;
  }

  /** What a request for the next events asks. */
  get query(): EventFilters & { after?: string | undefined } {
    return { ...this.#filters, after: this.after ?? undefined };
  }

  /** Gives the next events, none when the wait is over; rejects with an error that will not pass. */
  async poll(waitSeconds = pollSeconds): Promise<Event[]> {
    for (let failures = 1; ; failures++) {
      const startMs = performance.now();
      try {
        const query = { ...this.query, wait_seconds: waitSeconds || undefined, limit: pageItems };
        const page = await this.#caller.call('events.list', { query }, { signal: this.#signal });
        this.failure = null;
        this.after = page.next_cursor ?? this.after;
        const gapMs = startMs + pollGapMs - performance.now();
        if (page.events.length === 0 && waitSeconds > 0 && gapMs > 0) await pause(gapMs, this.#signal);
        return page.events;
      } catch (error) {
        if (!mayPass(error)) throw error;
        this.failure = error;
        await pause(delayMs(failures), this.#signal);
      }
    }
  }
}
