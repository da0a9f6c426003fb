import type { WordTable } from '@postrider/words-en';
import type { Logger } from 'pino';
import { createBreather } from '../lib/concurrency/wait.ts';
import { sayError } from '../lib/start/start-error.ts';
import { type EmbeddingProvider, embeddedCharactersMax } from './provider.ts';

/**
 * Opens the built-in table of English words. Returns null, with a warning in the log, if its package is not installed or damaged, because
 * the server works without it.
 */
export async function openWords(
  log: Pick<Logger, 'warn'>,
  loadTable: () => Promise<WordTable> = loadInstalledTable,
): Promise<EmbeddingProvider | null> {
  try {
    return createWords(await loadTable());
  } catch (error) {
    log.warn(
      { reason: sayError(error) },
      'search by meaning is off, because its table of words could not be loaded',
    );
    return null;
  }
}

/** Raised with every change of `embedText`, so that messages are embedded again. */
const method = 2;

/** Never changes, so all servers of a process share it. */
let installed: Promise<WordTable> | undefined;

function loadInstalledTable(): Promise<WordTable> {
  installed ??= import('@postrider/words-en').then(({ loadWordTable }) => loadWordTable());
  return installed;
}

function createWords(table: WordTable): EmbeddingProvider {
  const embed = (text: string) => embedText(table, text.slice(0, embeddedCharactersMax));
  return {
    name: table.name,
    version: `${table.checksum}.${method}`,
    dimensions: countDimensions(table),
    embedMany: async (texts, signal) => {
      const breathe = createBreather();
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(embed(text));
        await breathe();
      }
      return vectors;
    },
    embedQuery: async (text, signal) => {
      signal.throwIfAborted();
      return embed(text);
    },
    close: async () => {},
  };
}

/** A longer token is no word, but data such as base64, whose first letters are enough. */
const tokenCharactersMax = 40;

const hashOffset = 0x811c9dc5;
const hashPrime = 0x01000193;
const gramsMin = 3;
const gramsMax = 4;
/** Scripts without spaces have words of one or two characters. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The number of dimensions that are hashed n-grams. */
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
function countDimensions(table: WordTable): number {
  return table.dimensions + hashedDimensions;
}

/**
 * Returns the vector of a text: the weighted mean of the vectors of its words, and then its n-grams, hashed. Frequent words weigh little.
 * Only sums, products and roots are used, so every machine gets the same bits.
 */
export function embedText(table: WordTable, text: string): Float32Array {
  const { dimensions, words, rows, scales } = table;
  const vector = new Float64Array(countDimensions(table));
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

/**
 * Adds the character n-grams of a token to a vector of hashed features, with its weight spread over them, so that tokens that are written
 * alike have vectors alike. The beginning and the end of the token count as characters.
 */
function addGrams(token: string, weight: number, vector: Float64Array, start: number, length: number): void {
  const isDense = dense.test(token);
  const text = isDense ? token : `<${token}>`;
  const [shortest, longest] = isDense ? [1, 2] : [gramsMin, gramsMax];
  const count = gramCount(text.length, shortest, longest);
  const share = weight / Math.sqrt(count + 1);
  for (let from = 0; from < text.length; from += 1) {
    let hash = hashOffset;
    for (let to = from; to < text.length && to - from < longest; to += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(to), hashPrime);
      if (to - from + 1 >= shortest) addHash(hash, share, vector, start, length);
    }
  }
  let whole = hashPrime;
  for (let at = 0; at < text.length; at += 1) whole = Math.imul(whole ^ text.charCodeAt(at), hashPrime);
  addHash(whole, share, vector, start, length);
}

function gramCount(characters: number, shortest: number, longest: number): number {
  let count = 0;
  for (let size = shortest; size <= longest; size += 1) count += Math.max(0, characters - size + 1);
  return count;
}

/** The sign keeps features that share a place from adding up. */
function addHash(hash: number, share: number, vector: Float64Array, start: number, length: number): void {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  const place = (mixed >>> 8) % length;
  vector[start + place]! += (mixed & 1) === 0 ? share : -share;
}

/**
 * Returns the words and numbers of a text in their order, folded: without marks and in lower case. Short forms are written out as far as
 * the table of words needs it: `can't` becomes `ca` and `not`, and `Ada's` becomes `ada`.
 */
function textTokens(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/n['’]t\b/g, ' not')
    .replace(/(?<=[a-z])['’](?:s|re|ve|ll|d|m)\b/g, '');
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((token) => token.slice(0, tokenCharactersMax));
}
