/**
 * Turns texts into vectors whose dot product says how close their meanings are. A text without any content, such as an empty one, gets a
 * vector of zeros. Every other vector has unit length. The same text gets the same vector as long as `name` and `version` are the same, so
 * rows keep both, and vectors of different providers are never compared.
 */
export interface EmbeddingProvider {
  /** `words-en-1`, or the kind and the model, such as `openai:text-embedding-3-small`. */
  readonly name: string;
  /** Changes if the vectors do, for example with the checksum of a table. */
  readonly version: string;
  readonly dimensions: number;
  /**
   * Returns one vector for each text, in their order. It may be called with any number of texts and never occupies the event loop for more
   * than about ten milliseconds at a time: local tables pause between texts, and models run in threads of their own. Only the first
   * `embeddedCharactersMax` characters of a text count.
   *
   * @throws EmbeddingError if the vectors cannot be had now, and the reason of the signal once it is aborted.
   */
  embedMany(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Returns the vector of a search. A local table takes about 0.1 ms on the event loop. A service gets one attempt and a few seconds,
   * because somebody waits.
   *
   * @throws EmbeddingError as `embedMany`.
   */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array>;
  /** Ends calls in progress and frees all resources. */
  close(): Promise<void>;
}

/** How much of a text is embedded. Callers that cut at a better place, such as 2 KB of new text, stay below. */
export const embeddedCharactersMax = 8_000;

/** Thrown if a provider has no vectors to give. The message names the provider and the problem, and never a key. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  /** Whether the same call may succeed later. If not, the settings or the model have to change first. */
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
