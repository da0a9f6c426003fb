import { PostriderError } from '../errors.ts';
import { APIPromise } from './api-promise.ts';

/** The type of the items of a page, which has exactly one list. */
export type ItemOf<Answer> = {
  [Key in keyof Answer]-?: Answer[Key] extends readonly (infer Item)[] ? Item : never;
}[keyof Answer];

/** The methods of every page. `for await` iterates over its items and those of all pages after it. */
export interface Paging<Answer> extends AsyncIterable<ItemOf<Answer>> {
  /** Returns whether there is a page after this one. */
  hasNextPage(): boolean;
  /** Requests the page after this one. Throws a `PostriderError` on the last page. */
  nextPage(): PagePromise<Answer>;
  /**
   * Returns the items of this page and of the pages after it, at most `limit` of them. Rejects with a
   * `PostriderError` if `limit` is missing or invalid.
   */
  toArray(options: { limit: number }): Promise<ItemOf<Answer>[]>;
}

/** One page of a list: the fields of the response, and the methods of `Paging`. */
export type Page<Answer> = Answer & Paging<Answer>;

/** The position of a page in its list. */
export interface PagePlace<Answer> {
  items: readonly ItemOf<Answer>[];
  /** Requests the next page; null on the last one. */
  askNext: (() => PagePromise<Answer>) | null;
}

class AnswerPage<Answer> implements Paging<Answer> {
  readonly #place: PagePlace<Answer>;

  constructor(place: PagePlace<Answer>) {
    this.#place = place;
  }

  hasNextPage(): boolean {
    return this.#place.askNext !== null;
  }

  nextPage(): PagePromise<Answer> {
    if (this.#place.askNext === null) {
      throw new PostriderError('This is the last page.');
    }
    return this.#place.askNext();
  }

  toArray(options: { limit: number }): Promise<ItemOf<Answer>[]> {
    return collect(this, options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Answer>, void, undefined> {
    let page: Paging<Answer> = this;
    while (#place in page) {
      yield* page.#place.items;
      if (!page.hasNextPage()) return;
      page = await page.nextPage();
    }
  }
}

async function collect<Item>(items: AsyncIterable<Item>, options: { limit: number }): Promise<Item[]> {
  const { limit } = Object(options);
  if (!(Number.isInteger(limit) && limit > 0)) {
    throw new PostriderError(`toArray needs a limit, such as { limit: 1000 }, but got ${limit}.`);
  }
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === limit) break;
  }
  return found;
}

/** Returns the page for a response. */
export function makePage<Answer extends object>(answer: Answer, place: PagePlace<Answer>): Page<Answer> {
  return Object.assign(new AnswerPage(place), answer);
}

/**
 * The promise of a page. Await it for the page, or iterate over its items and those of all pages after it
 * with `for await`.
 *
 * @example
 * for await (const message of client.messages.list({ inbox_id: inbox.id })) console.log(message.subject);
 */
export class PagePromise<Answer> extends APIPromise<Page<Answer>> implements AsyncIterable<ItemOf<Answer>> {
  /**
   * Returns the items of this page and of the pages after it, at most `limit` of them. Rejects with a
   * `PostriderError` if `limit` is missing or invalid.
   *
   * @example
   * const inboxes = await client.inboxes.list().toArray({ limit: 1_000 });
   */
  toArray(options: { limit: number }): Promise<ItemOf<Answer>[]> {
    // The returned promise reports a failure, so it must not count as unhandled here.
    this.catch(() => {});
    return collect(this, options);
  }

  /** Yields the items of this page and of all pages after it, which are requested as they are needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Answer>, void, undefined> {
    yield* await this;
  }
}
