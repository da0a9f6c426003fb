import { AbortedError } from './errors.ts';
import { PersistentRequests } from './persistent-requests.ts';

/** What a stream reads from, once it has found the place to begin at. */
export interface StreamSource<Item> {
  /** The place behind the item that was given last. */
  readonly cursor: string;
  /** Gives the items, one after the other, until the signal of the stream is aborted. */
  follow(): AsyncGenerator<Item, void, undefined>;
}

/**
 * Items as they come, in their order and each once, until the loop over them is left. It can be gone through once. Failures that
 * pass, such as lost connections, are gone over.
 */
export class ResumableStream<Item> implements AsyncIterableIterator<Item> {
  readonly #ends = new AbortController();
  readonly #own: AbortSignal | undefined;
  readonly #opened: Promise<StreamSource<Item>>;
  readonly #items: AsyncGenerator<Item, void, undefined>;
  #source: StreamSource<Item> | null = null;

  constructor(
    own: AbortSignal | undefined,
    open: (requests: PersistentRequests) => Promise<StreamSource<Item>>,
  ) {
    this.#own = own;
    const signal = own === undefined ? this.#ends.signal : AbortSignal.any([own, this.#ends.signal]);
    this.#opened = open(new PersistentRequests(signal)).then((source) => {
      this.#source = source;
      return source;
    });
    // A failure is told when the first item is asked for.
    this.#opened.catch(() => {});
    this.#items = this.#follow();
  }

  /**
   * The place behind the item that was given last: passed as `after`, another stream goes on from there, also in another process.
   * Store it once you have dealt with the item. Null until the stream has found the place where it begins, which `ready` waits for.
   */
  get cursor(): string | null {
    return this.#source?.cursor ?? null;
  }

  /**
   * Waits until the stream has found the place where it begins, and gives it: stored before the first item, it lets a process that
   * is started anew miss nothing. Rejects with what keeps the place from being found.
   *
   * @example
   * const stream = client.messages.stream({ inbox_id: inbox.id, after: await load() });
   * await store(await stream.ready());
   */
  async ready(): Promise<string> {
    try {
      return (await this.#opened).cursor;
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  /**
   * Waits for the next item.
   *
   * @example
   * const { value: event } = await client.events.stream().next();
   */
  next(): Promise<IteratorResult<Item, void>> {
    return this.#items.next();
  }

  /**
   * Ends the stream, also while it waits.
   *
   * @example
   * const stream = client.events.stream();
   * process.once('SIGTERM', () => stream.return());
   */
  return(): Promise<IteratorResult<Item, void>> {
    this.#ends.abort();
    return this.#items.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#follow(): AsyncGenerator<Item, void, undefined> {
    try {
      yield* (await this.#opened).follow();
    } catch (error) {
      if (this.#own?.aborted || !this.#ends.signal.aborted) throw this.#failureOf(error);
    } finally {
      this.#ends.abort();
    }
  }

  #failureOf(error: unknown): unknown {
    if (!this.#own?.aborted) return error;
    return new AbortedError('The stream was aborted.', { cause: this.#own.reason });
  }
}
