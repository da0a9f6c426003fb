/*
 * Waits for a message on the event log, so that none is missed, however fast it comes. The place in the log is found first, by a
 * call that all later calls of the client wait for; then come the messages that are there already, when `after` asks for them;
 * then the log behind that place. What the filters mean is the server's to say: it is asked which of the messages pass them.
 */
import type { Caller } from './call.ts';
import { AbortedError, type OtherMessages, PostriderError, WaitTimeoutError } from './errors.ts';
import type { ListMessages, Message } from './generated/types.ts';
import { LogReader } from './log-reader.ts';
import { checkLimits } from './request.ts';

type Filters = Omit<
  ListMessages,
  'after' | 'before' | 'query' | 'mode' | 'wait_seconds' | 'limit' | 'cursor' | 'direction'
>;

/** How long it is waited, and from when on. */
export interface WaitOptions {
  /** Only messages from this time of the server's clock on. Default: the moment of the call. */
  after?: Date | string | undefined;
  /** How long to wait, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** Ends the waiting when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** What `messages.waitFor` takes: the filters of `messages.list`, and how long to wait. */
export interface WaitForMessage extends Filters, WaitOptions {
  /** Whether a message is the one that is waited for; its bodies are cut at 64 KiB. */
  match?: ((message: Message) => boolean) | undefined;
}

/** Gives what is looked for in a message, or null when this is not the one. */
export type Find<Found> = (message: Message) => Promise<Found | null> | Found | null;

const timeoutMsDefault = 60_000;
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
): Promise<Found> {
  const { after, timeout = timeoutMsDefault, signal, ...filters } = params;
  checkLimits({ timeout });
  if ('direction' in filters && filters.direction !== 'inbound' && filters.direction !== undefined) {
    throw new PostriderError(
      'Only inbound mail is waited for; what becomes of a message that was sent is told by events.stream().',
    );
  }
  const deadline = AbortSignal.timeout(timeout);
  const ends = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const wait = new Wait(caller, filters, ends, find);
  try {
    return await wait.run(after);
  } catch (error) {
    if (signal?.aborted) throw new AbortedError('The wait was aborted.', { cause: signal.reason });
    if (!deadline.aborted) throw error;
    throw new WaitTimeoutError(`${describe(filters)}${what}`, timeout, wait.others, wait.failure);
  }
}

class Wait<Found> {
  /** The messages that were not the one. */
  readonly others: OtherMessages = { count: 0, last: null };
  #log: LogReader | null = null;
  readonly #caller: Caller;
  readonly #filters: Filters;
  readonly #signal: AbortSignal;
  readonly #find: Find<Found>;
  readonly #seen = new Set<string>();

  constructor(caller: Caller, filters: Filters, signal: AbortSignal, find: Find<Found>) {
    this.#caller = caller;
    this.#filters = filters;
    this.#signal = signal;
    this.#find = find;
  }

  /** What the last request of the log failed with; null when it did not. */
  get failure(): unknown {
    return this.#log?.failure ?? null;
  }

  async run(after: Date | string | undefined): Promise<Found> {
    const wasRead = after === undefined ? this.#caller.read.upToNow() : () => false;
    const newest = await this.#caller.newestEvent({ signal: this.#signal });
    const { inbox_id } = this.#filters;
    this.#log = new LogReader(this.#caller, { events: ['message.received'], inbox_id }, newest, this.#signal);
    if (after !== undefined) {
      const there = await this.#list({ after: timeText(after) });
      const found = await this.#findIn(there.reverse());
      if (found !== null) return found;
    } else if (this.#isFiltered()) {
      // Nothing of it counts, but it tells at once of a thread or label that is not there.
      await this.#caller.call('messages.list', { query: { ...this.#filters, limit: 1 } }, this.#options);
    }
    const sinceMs = after === undefined ? Number.NEGATIVE_INFINITY : new Date(after).getTime();
    for (;;) {
      const events = await this.#log.poll();
      const fresh = events
        .map((event) => event.message)
        .filter((message) => message !== null)
        .filter(({ id, created_at }) => !wasRead(id) && Date.parse(created_at) >= sinceMs);
      const found = await this.#findIn(fresh, await this.#passing(fresh));
      if (found !== null) return found;
    }
  }

  get #options(): { signal: AbortSignal } {
    return { signal: this.#signal };
  }

  async #findIn(oldestFirst: Message[], passing: Set<string> | null = null): Promise<Found | null> {
    for (const message of oldestFirst) {
      if (this.#seen.has(message.id)) continue;
      this.#seen.add(message.id);
      const isPassing = passing === null || passing.has(message.id);
      const found = isPassing ? await this.#find(message) : null;
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

  async #list(query: ListMessages): Promise<Message[]> {
    const all = { ...this.#filters, direction: 'inbound', limit: pageItems, ...query };
    const messages: Message[] = [];
    for await (const message of this.#caller.list('messages.list', { query: all }, this.#options)) {
      messages.push(message);
    }
    return messages;
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
