import type { Caller } from './call.ts';
import { AbortedError, PostriderError } from './errors.ts';
import { followEvents } from './follow-events.ts';
import type { Event } from './generated/types.ts';
import { type EventFilters, LogReader } from './log-reader.ts';
import { PersistentRequests } from './persistent-requests.ts';

/** What `events.stream` takes. */
export interface StreamEvents extends EventFilters {
  /** Only events after the one with this id. Default: `latest`, those from the call on. */
  after?: string | undefined;
  /** `poll`: by long polls alone. `socket`: by the realtime socket, also where the client has a `fetch` of its own. */
  transport?: 'socket' | 'poll' | undefined;
  /** Ends the stream with an `AbortedError` when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** Events as they happen, in their order and each once, until the loop over them is left. It can be gone through once. */
export class EventStream implements AsyncIterableIterator<Event> {
  readonly #ends = new AbortController();
  readonly #events: AsyncGenerator<Event, void, undefined>;

  constructor(caller: Caller, { after = 'latest', transport, signal: own, ...filters }: StreamEvents) {
    const hasSocket = typeof WebSocket === 'function';
    if (transport === 'socket' && !hasSocket) {
      throw new PostriderError("There is no WebSocket here: leave transport out, or set it to 'poll'.");
    }
    const signal = own === undefined ? this.#ends.signal : AbortSignal.any([own, this.#ends.signal]);
    const usesSocket = transport === undefined ? hasSocket && !caller.hasOwnFetch : transport === 'socket';
    const requests = new PersistentRequests(signal);
    const start = after === 'latest' ? caller.newestEvent(requests) : Promise.resolve(after);
    // A failure is told when the first event is asked for.
    start.catch(() => {});
    this.#events = this.#follow(caller, { filters, start, usesSocket, requests, own });
  }

  /** Waits for the next event. */
  next(): Promise<IteratorResult<Event, void>> {
    return this.#events.next();
  }

  /** Ends the stream, also while it waits. */
  return(): Promise<IteratorResult<Event, void>> {
    this.#ends.abort();
    return this.#events.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#follow(
    caller: Caller,
    { filters, start, usesSocket, requests, own }: Following,
  ): AsyncGenerator<Event, void, undefined> {
    try {
      const log = new LogReader(caller, filters, await start, requests);
      yield* followEvents(caller, log, { usesSocket }, requests.signal);
    } catch (error) {
      if (own?.aborted) throw new AbortedError('The stream was aborted.', { cause: own.reason });
      if (!this.#ends.signal.aborted) throw error;
    } finally {
      this.#ends.abort();
    }
  }
}

interface Following {
  filters: EventFilters;
  start: Promise<string | null>;
  usesSocket: boolean;
  requests: PersistentRequests;
  own: AbortSignal | undefined;
}
