/** The result of `.withResponse()`. */
export interface Answered<Data> {
  data: Data;
  /** The response itself. Its body can still be read. */
  response: Response;
  /** The id of the request, to quote in problem reports; null if the response had none. */
  requestId: string | null;
}

/**
 * The promise of a call that has already started. Await it for the data, or call `.withResponse()` for the
 * headers and the request id as well.
 */
export class APIPromise<Data> extends Promise<Data> {
  readonly #answered: Promise<Answered<Data>>;

  /** Makes `then` return a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answered: Promise<Answered<Data>>) {
    super((resolve, reject) => {
      answered.then(({ data }) => resolve(data), reject);
    });
    this.#answered = answered;
  }

  /**
   * Returns the data together with the response and the request id.
   *
   * @example
   * const { data, response, requestId } = await client.inboxes.get(inbox.id).withResponse();
   * console.log(data.address, response.headers.get('ratelimit-remaining'), requestId);
   */
  withResponse(): Promise<Answered<Data>> {
    // The returned promise reports a failure, so this one must not count as an unhandled rejection.
    this.catch(() => {});
    return this.#answered;
  }
}
