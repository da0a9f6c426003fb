/*
 * A vector is kept twice. Its code is one bit for each of 768 random directions, which says on which side of it the vector lies. The number
 * of bits in which two codes differ follows the angle between the vectors, and the database can count it. The signs of the vector's own
 * numbers would not do: most numbers of a sparse vector are near 0, so that of the 20 nearest messages of 100,000 only 27 % were among the
 * 400 nearest codes (98.7 % with random directions, measured). The packed vector has a byte for each number, for exact comparison.
 */
import type { EmbeddingProvider } from '../../embedding/provider.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';

/** The number of bits of a code, as in the column of the database. */
export const codeBits = 768;

const byteMax = 127;

/** Returns the code of a vector, as the digits of a bit string. */
export function vectorCode(vector: Float32Array): string {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, vector.length)));
  let code = '';
  for (let block = 0; code.length < codeBits; block++) {
    const turned = turn(vector, size, block);
    for (let at = 0; at < size && code.length < codeBits; at++) code += turned[at]! > 0 ? '1' : '0';
  }
  return code;
}

/** Turns a vector in one of many fixed random ways: by random signs and a Walsh-Hadamard transform, twice. */
function turn(vector: Float32Array, size: number, block: number): Float64Array {
  const turned = new Float64Array(size);
  turned.set(vector);
  for (const round of [0, 1]) {
    const signs = makeSigns(size, 2 * block + round);
    for (let at = 0; at < size; at++) turned[at]! *= signs[at]!;
    transform(turned);
  }
  return turned;
}

/** The Walsh-Hadamard transform, in place. The length is a power of two. */
function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) {
        const [a, b] = [values[at]!, values[at + half]!];
        values[at] = a + b;
        values[at + half] = a - b;
      }
    }
  }
}

const knownSigns = new Map<string, Int8Array>();

/** Returns the signs of a round. They are the same on every machine and for ever, because codes that are stored depend on them. */
function makeSigns(size: number, round: number): Int8Array {
  const key = `${size} ${round}`;
  let signs = knownSigns.get(key);
  if (!signs) {
    let state = (round + 1) * 0x9e3779b1;
    const next = () => {
      // xorshift32 (Marsaglia, 2003)
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state;
    };
    signs = Int8Array.from({ length: size }, () => (next() < 0 ? -1 : 1));
    knownSigns.set(key, signs);
  }
  return signs;
}

/** Returns a vector with one signed byte for each number. Its length is not kept, since only its direction counts. */
export function packVector(vector: Float32Array): Buffer {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const scale = largest === 0 ? 0 : byteMax / largest;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer);
}

/** Returns the cosine of the angle between a vector of unit length and a packed one; 0 if the packed one is zero or has another length. */
export function measureCosine(vector: Float32Array, packed: Buffer): number {
  if (packed.length !== vector.length) return 0;
  let product = 0;
  let square = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = (packed[at]! << 24) >> 24;
    product += vector[at]! * value;
    square += value * value;
  }
  return square === 0 ? 0 : product / Math.sqrt(square);
}

/** Increased when texts are joined or codes are computed in another way, so that all messages are embedded again. */
const ownVersion = 1;

/** Returns the number of the vector space of a provider. Only vectors of the same space can be compared. */
export function vectorSpace({ name, version, dimensions }: EmbeddingProvider): number {
  return sha256(JSON.stringify([name, version, dimensions, ownVersion])).readInt32BE();
}
