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

  /** @internal */
  constructor(answered: Promise<Answered<Data>>) {
    // Captured now, because an error that is created after the response has no stack frames of the calling code.
    const place = new Error();
    const traced = answered.catch((error: unknown) => {
      throw withFrames(place, error);
    });
    super((resolve, reject) => {
      traced.then(({ data }) => resolve(data), reject);
    });
    this.#answered = traced;
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

/**
 * Replaces the stack frames of an error with those of the code that made the call, because the frames in
 * which the response was read are not the caller's.
 */
function withFrames(place: Error, error: unknown): unknown {
  if (!(error instanceof Error) || error.stack === undefined || place.stack === undefined) return error;
  const frames = place.stack.split('\n').filter((line) => line !== 'Error' && line !== '');
  const ownFile = /([^\s()]+):\d+:\d+\)?$/.exec(frames[0] ?? '')?.[1];
  const firstOutside = frames.findIndex((line) => ownFile === undefined || !line.includes(ownFile));
  const firstFrame = error.stack.indexOf('\n    at ');
  const head = firstFrame === -1 ? String(error) : error.stack.slice(0, firstFrame);
  error.stack = [head, ...frames.slice(Math.max(firstOutside, 0))].join('\n');
  return error;
}
