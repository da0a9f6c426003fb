import { settingNames } from '../../lib/start/start-error.ts';
import { unitLength } from '../unit-length.ts';

/**
 * Returns the vectors of an answer in the order of the texts, with unit length. Returns a sentence about the problem if the answer does not
 * have one vector for each text. Their size must be `dimensions`, or any size if that is null.
 */
export function readVectors(
  answer: unknown,
  count: number,
  dimensions: number | null,
): Float32Array[] | string {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return 'The answer has no list `data`.';
  if (data.length !== count) return `The answer has ${data.length} vectors for ${count} texts.`;
  const vectors: Float32Array[] = [];
  for (const [position, entry] of data.entries()) {
    const { embedding, index = position } = (entry ?? {}) as { embedding?: unknown; index?: unknown };
    if (!isNumbers(embedding)) return 'The answer has a vector that is not a list of numbers.';
    if (embedding.length !== (dimensions ?? embedding.length))
      return `The vectors have ${embedding.length} numbers: set ${settingNames.embeddingsDimensions} to that, not to ${dimensions}.`;
    if (typeof index !== 'number' || !(index in data) || vectors[index])
      return 'The answer does not say which vector is of which text.';
    vectors[index] = unitLength(embedding);
  }
  return vectors;
}

function isNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number)))
  );
}
