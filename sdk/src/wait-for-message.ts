/*
 * Waits for a message by long polls of `GET /messages`, so that none is missed, however fast it comes.
 *
 * Without `after`, what counts is the moment of the call by the server's clock, never by that of this machine. `ServerClock` knows
 * it as a lower bound: a message that comes after the call is never missed, one that this client has read before is never given,
 * and one that it has not read is given when it came within the second before the call. `after` with a time of the server, such
 * as a `created_at`, is exact.
 *
 * A message can be listed a moment after a newer one, since its time is when it came in and not when it was stored. So what is
 * there at the start is remembered, and while a message from before the newest known one may still come, a poll is short and a
 * list of the last seconds follows it. Messages that `match` refuses are asked past, or every poll would be answered at once.
 */
import type { Caller } from './call.ts';
import { AbortedError, WaitTimeoutError } from './errors.ts';
import type { ListMessages, Message } from './generated/types.ts';
import { pause } from './pause.ts';
import { checkLimits } from './request.ts';

type Filters = Omit<
  ListMessages,
  'after' | 'before' | 'query' | 'mode' | 'wait_seconds' | 'limit' | 'cursor'
>;

/** What `messages.waitFor` takes: the filters of `messages.list`, and how long to wait. */
export interface WaitForMessage extends Filters {
  /** Only messages from this time of the server's clock on. Default: the moment of the call. */
  after?: Date | string | undefined;
  /** Whether a message is the one that is waited for; its bodies are cut at 64 KiB. */
  match?: ((message: Message) => boolean) | undefined;
  /** How long to wait, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** Ends the waiting when it is aborted. */
  signal?: AbortSignal | undefined;
}

const timeoutMsDefault = 60_000;
/** How much later than a newer message one may be listed. */
const lateMsMax = 10_000;
/** The length of a poll: shorter than what proxies allow a silent connection. */
const pollSeconds = 25;
/** The length of a poll while a late message may come. */
const pollSecondsUnsettled = 2;
/** Polls that are answered early follow each other no faster. */
const pollGapMs = 250;
/** How many of the newest messages are looked at to learn what was there at the start. */
const firstItems = 5;

/** Gives the first message that matches; rejects with `WaitTimeoutError` or `AbortedError`. */
export async function waitForMessage(caller: Caller, params: WaitForMessage): Promise<Message> {
  const { after, match, timeout = timeoutMsDefault, signal, ...filters } = params;
  checkLimits({ timeout });
  const deadline = AbortSignal.timeout(timeout);
  const ends = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const query = { ...filters, direction: filters.direction ?? 'inbound' };
  const wait = new Wait(caller, query, ends, match ?? (() => true));
  try {
    return await wait.run(after);
  } catch (error) {
    if (signal?.aborted) throw new AbortedError('messages.waitFor was aborted.', { cause: signal.reason });
    if (!deadline.aborted) throw error;
    throw new WaitTimeoutError(describe(query, match !== undefined), timeout, wait.refused);
  }
}

class Wait {
  /** How many messages `match` refused. */
  refused = 0;
  readonly #caller: Caller;
  readonly #query: Filters;
  readonly #signal: AbortSignal;
  readonly #match: (message: Message) => boolean;
  readonly #seen = new Set<string>();
  #next = '';
  /** The time of the newest known message; 0 before the first. */
  #newestMs = 0;

  constructor(caller: Caller, query: Filters, signal: AbortSignal, match: (message: Message) => boolean) {
    this.#caller = caller;
    this.#query = query;
    this.#signal = signal;
    this.#match = match;
  }

  async run(after: Date | string | undefined): Promise<Message> {
    const start = after === undefined ? await this.#startNow() : timeText(after);
    const floorMs = Date.parse(start) - (after === undefined ? lateMsMax : 0);
    if (after === undefined) this.#newestMs = Date.parse(start);
    this.#next = start;
    for (;;) {
      const pollMs = performance.now();
      const isSettled = this.#isSettled();
      const polled = await this.#list(this.#next, isSettled ? pollSeconds : pollSecondsUnsettled);
      const found = this.#firstMatch(polled);
      if (found !== undefined) return found;
      if (!isSettled) {
        const lateMs = Math.max(floorMs, this.#newestMs - lateMsMax);
        const late = this.#firstMatch(await this.#list(new Date(lateMs).toISOString()));
        if (late !== undefined) return late;
      }
      await pause(Math.max(0, pollGapMs - (performance.now() - pollMs)), this.#signal);
    }
  }

  /** Remembers what is there, and gives the moment of the call by the server's clock. */
  async #startNow(): Promise<string> {
    const calledMs = performance.now();
    const localMs = Date.now();
    const startMs = () => (this.#caller.clock.at(calledMs) ?? new Date(localMs)).getTime();
    const known: Message[] = [];
    for await (const message of this.#ask({ limit: firstItems })) {
      known.push(message);
      if (timeOf(message) < startMs() - lateMsMax) break;
    }
    for (const message of known) if (timeOf(message) < startMs()) this.#seen.add(message.id);
    return new Date(startMs()).toISOString();
  }

  /** Whether no message from before the newest known one can come any more. */
  #isSettled(): boolean {
    const now = this.#caller.clock.at(performance.now());
    return this.#newestMs === 0 || (now !== null && now.getTime() > this.#newestMs + lateMsMax);
  }

  async #list(after: string, waitSeconds?: number): Promise<Message[]> {
    const fresh: Message[] = [];
    for await (const message of this.#ask({ after, wait_seconds: waitSeconds })) {
      if (!this.#seen.has(message.id)) fresh.push(message);
    }
    return fresh.reverse();
  }

  #firstMatch(oldestFirst: Message[]): Message | undefined {
    for (const message of oldestFirst) {
      this.#seen.add(message.id);
      if (this.#match(message)) return message;
      this.refused += 1;
      this.#newestMs = Math.max(this.#newestMs, timeOf(message));
      this.#next = new Date(this.#newestMs + 1).toISOString();
    }
    return undefined;
  }

  #ask(query: ListMessages) {
    return this.#caller.list(
      'messages.list',
      { query: { ...this.#query, ...query } },
      { signal: this.#signal },
    );
  }
}

function timeOf(message: Message): number {
  return Date.parse(message.created_at);
}

function timeText(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}

function describe({ direction, ...filters }: Filters, hasMatch: boolean): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const texts = named.map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const suffix = hasMatch ? ' that passes match' : '';
  return `${direction} message${texts.length > 0 ? ` with ${texts.join(', ')}` : ''}${suffix}`;
}
