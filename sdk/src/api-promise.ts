/** What a call gives with `.withResponse()`. */
export interface Answered<Data> {
  data: Data;
  /** The answer itself; its body can still be read. */
  response: Response;
  /** The id of the request, to be named when a problem is reported; null when the answer had none. */
  requestId: string | null;
}

/** The promise of a call, which is already under way: await it for the data, or `.withResponse()` for headers and ids too. */
export class APIPromise<Data> extends Promise<Data> {
  readonly #answered: Promise<Answered<Data>>;

  /** What `then` gives is a plain promise. */
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
   * The data together with the response and the request id.
   *
   * @example
   * const { data, response, requestId } = await client.inboxes.get(inbox.id).withResponse();
   * console.log(data.address, response.headers.get('ratelimit-remaining'), requestId);
   */
  withResponse(): Promise<Answered<Data>> {
    // A failure is told by the promise that is given back, so it must not count as unhandled here.
    this.catch(() => {});
    return this.#answered;
  }
}
