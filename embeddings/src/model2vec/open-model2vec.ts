import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type LocalModel, unitLength } from '../local-model.ts';
import { readTensors, type Tensor } from './read-tensors.ts';
import { readTokenizer, type Tokenizer } from './read-tokenizer.ts';

/** A text of which more is read would occupy the event loop for too long. */
const charactersMax = 4_000;
/** As in model2vec. */
const tokensMax = 512;
/** How long texts may occupy the event loop together, and how long they then leave it to others. */
const turnMsMax = 10;
const restMs = 5;

/** A table of vectors for the tokens of a tokenizer. */
interface Table {
  tokenizer: Tokenizer;
  dimensions: number;
  rows: Tensor['values'];
  /** How much each token counts; all the same if null. */
  weights: Tensor['values'] | null;
  /** The row of each token; its own number if null. */
  mapping: Tensor['values'] | null;
}

/**
 * Opens a folder with a model2vec model, such as a potion model: `tokenizer.json` and `model.safetensors`.
 *
 * @throws Error that says why the folder does not hold such a model.
 */
export async function openModel2vec(folder: string): Promise<LocalModel> {
  // One after the other, so that the same folder always gives the same message.
  const tokenizerFile = await readFile(join(folder, 'tokenizer.json'));
  const tensorFile = await readFile(join(folder, 'model.safetensors'));
  const table = readTable(tokenizerFile.toString('utf8'), tensorFile);
  const checksum = createHash('sha256').update(tokenizerFile).update(tensorFile).digest('hex');
  return createModel(`model2vec:${basename(resolve(folder))}`, checksum.slice(0, 16), table);
}

function readTable(tokenizerText: string, tensorFile: Buffer): Table {
  const tokenizer = readTokenizer(tokenizerText);
  const tensors = readTensors(tensorFile, ['embeddings', 'embedding.weight', 'weights', 'mapping']);
  const embeddings = tensors.get('embeddings') ?? tensors.get('embedding.weight');
  const [rowCount = 0, dimensions = 0] = embeddings?.shape ?? [];
  if (embeddings?.shape.length !== 2 || dimensions === 0)
    throw new Error('The file has no table "embeddings".');
  const perToken = (name: string) => {
    const values = tensors.get(name)?.values ?? null;
    if (values && values.length < tokenizer.vocabularySize)
      throw new Error(
        `The tensor "${name}" has ${values.length} numbers for ${tokenizer.vocabularySize} tokens.`,
      );
    return values;
  };
  const table = {
    tokenizer,
    dimensions,
    rows: embeddings.values,
    weights: perToken('weights'),
    mapping: perToken('mapping'),
  };
  const rowsNeeded = table.mapping ? rowsIn(table.mapping) : tokenizer.vocabularySize;
  if (rowsNeeded > rowCount)
    throw new Error(`The table has ${rowCount} rows, and the tokenizer needs ${rowsNeeded}.`);
  return table;
}

/** Returns how many rows a mapping needs. Throws an Error if one of its numbers is not that of a row. */
function rowsIn(mapping: Tensor['values']): number {
  let count = 0;
  for (const row of mapping) {
    if (!Number.isInteger(row) || row < 0)
      throw new Error('The tensor "mapping" has a number that is not that of a row.');
    count = Math.max(count, row + 1);
  }
  return count;
}

function createModel(name: string, version: string, table: Table): LocalModel {
  return {
    name,
    version,
    dimensions: table.dimensions,
    embedMany: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      let since = performance.now();
      for (const text of texts) {
        signal.throwIfAborted();
        vectors.push(embed(table, text));
        if (performance.now() - since < turnMsMax) continue;
        await pause(restMs);
        since = performance.now();
      }
      return vectors;
    },
    embedQuery: async (text, signal) => {
      signal.throwIfAborted();
      return embed(table, text);
    },
    close: async () => {},
  };
}

/** Returns the sum of the weighted rows of the tokens with unit length, which is also that of their mean. */
function embed({ tokenizer, dimensions, rows, weights, mapping }: Table, text: string): Float32Array {
  const sum = new Float64Array(dimensions);
  for (const token of tokenizer.tokensOf(text.slice(0, charactersMax)).slice(0, tokensMax)) {
    const weight = weights?.[token] ?? 1;
    const start = (mapping?.[token] ?? token) * dimensions;
    for (let at = 0; at < dimensions; at += 1) sum[at]! += weight * rows[start + at]!;
  }
  return unitLength(sum);
}
