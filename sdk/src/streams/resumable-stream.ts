import { AbortedError } from '../errors.ts';
import { PersistentRequests } from './persistent-requests.ts';

/** The source of a stream that has found the place where it begins. */
export interface StreamSource<Item> {
  /** The place after the last item that was returned. */
  readonly cursor: string;
  /** Yields the items, one after the other, until the signal of the stream is aborted. */
  follow(): AsyncGenerator<Item, void, undefined>;
}

/**
 * A stream of items as they arrive, in order and once each. It ends when the loop over it ends, and can be
 * read only once. It continues after temporary failures, such as lost connections.
 */
export class ResumableStream<Item> implements AsyncIterableIterator<Item> {
  readonly #ends = new AbortController();
  readonly #own: AbortSignal | undefined;
  readonly #opened: Promise<StreamSource<Item>>;
  readonly #items: AsyncGenerator<Item, void, undefined>;
  #source: StreamSource<Item> | null = null;

  /** @internal */
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
    // A failure is reported when the first item is requested.
    this.#opened.catch(() => {});
    this.#items = this.#follow();
  }

  /**
   * The place after the last item that was returned. Store it once you have handled the item. Another stream
   * that gets it as `after` continues there, even in another process. It is null until the stream has found
   * the place where it begins; `ready` waits for that.
   */
  get cursor(): string | null {
    return this.#source?.cursor ?? null;
  }

  /**
   * Waits until the stream has found the place where it begins, and returns that place. Store it before the
   * first item, so that a restarted process misses nothing. Rejects with the error if the place cannot be
   * found.
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
   * Waits for the next item and returns it.
   *
   * @example
   * const { value: event } = await client.events.stream().next();
   */
  next(): Promise<IteratorResult<Item, void>> {
    return this.#items.next();
  }

  /**
   * Ends the stream, even while it waits.
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
