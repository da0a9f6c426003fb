/*
 * Waits for a message on the event log, so that none is missed, however fast it comes. The place in the log is found first, by a
 * call that all later calls of the client wait for; then come the messages that are there already, when `after` asks for them;
 * then the log behind that place. What the filters mean is the server's to say: it is asked which of the messages pass them.
 */
import type { Caller } from './call.ts';
import { type OtherMessages, PostriderError } from './errors.ts';
import type { ListMessages, Message } from './generated/types.ts';
import { LogReader } from './log-reader.ts';
import type { PersistentRequests } from './persistent-requests.ts';
import { type WaitLimits, WaitTime } from './wait-time.ts';

type Filters = Omit<
  ListMessages,
  'after' | 'before' | 'query' | 'mode' | 'wait_seconds' | 'limit' | 'cursor' | 'direction'
>;

/** How long it is waited, and from when on. */
export interface WaitOptions extends WaitLimits {
  /** Only messages from this time of the server's clock on. Default: the moment of the call. */
  after?: Date | string | undefined;
}

/** What `messages.waitFor` takes: the filters of `messages.list`, and how long to wait. */
export interface WaitForMessage extends Filters, WaitOptions {
  /** Whether a message is the one that is waited for; its bodies are cut at 64 KiB. */
  match?: ((message: Message) => boolean) | undefined;
}

/** Gives what is looked for in a message, or null when this is not the one. What it asks for, it asks by the given requests. */
export type Find<Found> = (
  message: Message,
  requests: PersistentRequests,
) => Promise<Found | null> | Found | null;

const pageItems = 100;

/** Gives the first message that matches; rejects with `WaitTimeoutError` or `AbortedError`. */
export function waitForMessage(caller: Caller, { match, ...params }: WaitForMessage): Promise<Message> {
  const find = (message: Message) => (match === undefined || match(message) ? message : null);
  return waitForFound(caller, params, find, match === undefined ? '' : ' that passes match');
}

/** Gives what is found in the first inbound message in which anything is found. */
export async function waitForFound<Found>(
  caller: Caller,
  params: Filters & WaitOptions,
  find: Find<Found>,
  what: string,
  time: WaitTime = new WaitTime(params),
): Promise<Found> {
  const { after, timeout: _timeout, signal: _signal, ...filters } = params;
  if ('direction' in filters && filters.direction !== 'inbound' && filters.direction !== undefined) {
    throw new PostriderError(
      'Only inbound mail is waited for; what becomes of a message that was sent is told by events.stream().',
    );
  }
  const wait = new Wait(caller, filters, time.requests, find);
  try {
    return await wait.run(after);
  } catch (error) {
    throw time.failureOf(error, `${describe(filters)}${what}`, wait.others);
  }
}

class Wait<Found> {
  /** The messages that were not the one. */
  readonly others: OtherMessages = { count: 0, last: null };
  readonly #caller: Caller;
  readonly #filters: Filters;
  readonly #requests: PersistentRequests;
  readonly #find: Find<Found>;
  readonly #seen = new Set<string>();

  constructor(caller: Caller, filters: Filters, requests: PersistentRequests, find: Find<Found>) {
    this.#caller = caller;
    this.#filters = filters;
    this.#requests = requests;
    this.#find = find;
  }

  async run(after: Date | string | undefined): Promise<Found> {
    const wasRead = after === undefined ? this.#caller.read.upToNow() : () => false;
    const newest = await this.#caller.newestEvent(this.#requests);
    const wanted = { events: ['message.received' as const], inbox_id: this.#filters.inbox_id };
    const log = new LogReader(this.#caller, wanted, newest, this.#requests);
    if (after !== undefined) {
      const there = await this.#list({ after: timeText(after) });
      const found = await this.#findIn(there.reverse());
      if (found !== null) return found;
    } else if (this.#isFiltered()) {
      // Nothing of it counts, but it tells at once of a thread or label that is not there.
      const query = { ...this.#filters, limit: 1 };
      await this.#requests.make((options) => this.#caller.call('messages.list', { query }, options));
    }
    const sinceMs = after === undefined ? Number.NEGATIVE_INFINITY : new Date(after).getTime();
    for (;;) {
      const events = await log.poll();
      const fresh = events
        .map((event) => event.message)
        .filter((message) => message !== null)
        .filter(({ id, created_at }) => !wasRead(id) && Date.parse(created_at) >= sinceMs);
      const found = await this.#findIn(fresh, await this.#passing(fresh));
      if (found !== null) return found;
    }
  }

  async #findIn(oldestFirst: Message[], passing: Set<string> | null = null): Promise<Found | null> {
    for (const message of oldestFirst) {
      if (this.#seen.has(message.id)) continue;
      this.#seen.add(message.id);
      const isPassing = passing === null || passing.has(message.id);
      const found = isPassing ? await this.#find(message, this.#requests) : null;
      if (found !== null) return found;
      this.others.count += 1;
      this.others.last = message;
    }
    return null;
  }

  /** Whether there are filters beside `inbox_id`, by which the log is read already. */
  #isFiltered(): boolean {
    const { inbox_id: _, ...others } = this.#filters;
    return Object.values(others).some((value) => value !== undefined);
  }

  /** The ids of those messages that pass the filters; null when all do. */
  async #passing(messages: Message[]): Promise<Set<string> | null> {
    if (!this.#isFiltered() || messages.length === 0) return null;
    const times = messages.map((message) => Date.parse(message.created_at));
    const after = new Date(Math.min(...times)).toISOString();
    const before = new Date(Math.max(...times) + 1).toISOString();
    return new Set((await this.#list({ after, before })).map(({ id }) => id));
  }

  #list(params: ListMessages): Promise<Message[]> {
    const query = { ...this.#filters, direction: 'inbound', limit: pageItems, ...params };
    return this.#requests.make(async (options) => {
      const messages: Message[] = [];
      for await (const message of this.#caller.list('messages.list', { query }, options)) {
        messages.push(message);
      }
      return messages;
    });
  }
}

function timeText(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}

function describe(filters: Filters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const texts = named.map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `inbound message${texts.length > 0 ? ` with ${texts.join(', ')}` : ''}`;
}
