import type { EmbeddingProvider } from '../../../server/src/embedding/provider.ts';
import { EmbeddingError } from '../../../server/src/embedding/provider.ts';
import { sha256 } from '../../../server/src/lib/crypto/primitives.ts';
import { remember } from '../../../server/src/lib/memory.ts';

/** A provider for tests. */
export interface HashedEmbedding extends EmbeddingProvider {
  /** The texts of each call of `embedMany`. */
  calls: string[][];
  /** Whether it responds. */
  isDown: boolean;
  /** Calls with texts that contain this fail. */
  refused: string | null;
  /** Runs while a call of `embedMany` is under way. */
  meanwhile: () => Promise<unknown>;
}

/** Creates a provider whose vectors are sums of one random direction for each word, so texts are the nearer the more words they share. */
export function createHashedEmbedding(name = 'hashed', dimensions = 32): HashedEmbedding {
  const wordDirection = remember(10_000, (word) => {
    const bytes = sha256(`${name} ${word}`);
    return Array.from({ length: dimensions }, (_, at) => bytes[at]! / 127.5 - 1);
  });
  const embed = (text: string) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const sum = new Float32Array(dimensions);
    for (const word of words) for (const [at, value] of wordDirection(word).entries()) sum[at]! += value;
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  };
  const provider: HashedEmbedding = {
    name,
    version: '1',
    dimensions,
    calls: [],
    isDown: false,
    refused: null,
    meanwhile: async () => {},
    embedMany: async (texts) => {
      provider.calls.push(texts);
      await provider.meanwhile();
      check(texts);
      return texts.map(embed);
    },
    embedQuery: async (text) => {
      check([text]);
      return embed(text);
    },
    close: async () => {},
  };
  const check = (texts: string[]) => {
    const { isDown, refused } = provider;
    if (isDown || (refused !== null && texts.some((text) => text.includes(refused))))
      throw new EmbeddingError(`${name} does not respond.`, { mayPass: true });
  };
  return provider;
}
