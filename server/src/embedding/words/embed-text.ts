import type { WordTable } from '@postrider/words-en';
import { addGrams } from './add-grams.ts';
import { textTokens } from './text-tokens.ts';

/** How many of the numbers are hashed n-grams. */
const hashedDimensions = 256;

/** The length of the part for meaning. The n-grams have the rest: names, numbers, typos and other scripts. */
const meaningShare = 0.8;
/** If less of the weight of a text is in known words, these do not tell its meaning, and their part becomes shorter. */
const knownEnough = 1 / 3;

/** The parameter of smooth inverse frequency, and the share of a word of the text by its rank (Zipf and Mandelbrot). */
const smoothing = 1e-4;
const zipfSum = 11.6;
const zipfShift = 2.7;

/** Returns how many numbers a vector of the table has. */
export function dimensionsOf(table: WordTable): number {
  return table.dimensions + hashedDimensions;
}

/**
 * Returns the vector of a text: the weighted mean of the vectors of its words, and then its n-grams, hashed. Frequent words weigh little.
 * Only sums, products and roots are used, so every machine gets the same bits.
 */
export function embedText(table: WordTable, text: string): Float32Array {
  const { dimensions, words, rows, scales } = table;
  const vector = new Float64Array(dimensionsOf(table));
  let [known, all] = [0, 0];
  for (const token of textTokens(text)) {
    const row = token.length > 1 ? words.get(token) : undefined;
    const weight = row === undefined ? 1 : smoothing / (smoothing + 1 / (zipfSum * (row + zipfShift)));
    all += weight;
    addGrams(token, weight, vector, dimensions, hashedDimensions);
    if (row === undefined) continue;
    known += weight;
    const share = weight * scales[row]!;
    for (let at = 0, from = row * dimensions; at < dimensions; at += 1)
      vector[at]! += share * rows[from + at]!;
  }
  const meaning = meaningShare * Math.min(1, known / (all * knownEnough));
  scaleTo(meaning, vector.subarray(0, dimensions));
  scaleTo(Math.sqrt(1 - meaning * meaning), vector.subarray(dimensions));
  scaleTo(1, vector);
  return Float32Array.from(vector);
}

/** Gives the numbers the length, unless all of them are zero. */
function scaleTo(length: number, numbers: Float64Array): void {
  let sum = 0;
  for (const value of numbers) sum += value * value;
  if (sum === 0) return;
  const factor = length / Math.sqrt(sum);
  for (let at = 0; at < numbers.length; at += 1) numbers[at]! *= factor;
}
