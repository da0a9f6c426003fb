/**
 * A model that runs in this process. It turns texts into vectors whose dot product says how close their meanings are. A text without any
 * content gets a vector of zeros, and every other vector has unit length. The same text gets the same vector as long as `name` and
 * `version` are the same.
 */
export interface LocalModel {
  /** The kind and the model, such as `model2vec:potion-base-8M`. */
  readonly name: string;
  /** Changes with the files of the model. */
  readonly version: string;
  readonly dimensions: number;
  /**
   * Returns one vector for each text, in their order, and does not occupy the event loop for more than about ten milliseconds at a time.
   *
   * @throws ModelError if a text cannot be embedded, and the reason of the signal once it is aborted.
   */
  embedMany(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Returns the vector of a search, for which somebody waits.
   *
   * @throws ModelError as `embedMany`.
   */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  /** Ends calls under way and frees what was opened. */
  close(): Promise<void>;
}

/** Thrown if a model has no vectors to give. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the same call may succeed later. If not, the model has to change first. */
  readonly mayPass: boolean;

  constructor(message: string, { mayPass, cause }: { mayPass: boolean; cause?: unknown }) {
    super(message, { cause });
    this.mayPass = mayPass;
  }
}

/** Returns the numbers as a vector of unit length, or one of zeros if they have no direction: all zero, or some not finite. */
export function unitLength(numbers: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(numbers);
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0 || !Number.isFinite(sum)) return new Float32Array(vector.length);
  const factor = 1 / Math.sqrt(sum);
  return vector.map((value) => value * factor);
}
