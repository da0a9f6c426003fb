import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type LocalModel, unitLength } from '../local-model.ts';
import { findModelFile } from './find-model-file.ts';
import { ModelThread } from './model-thread.ts';
import type { ModelPlace } from './transformers-worker.ts';

/** The package that runs these models, in the version to install. It takes 470 MB, so it comes only by the choice of an operator. */
export const transformersPackage = { name: '@huggingface/transformers', version: '4.3.1' };

/** The part of a text that counts. */
const charactersMax = 8_000;
/** A search waits for the texts that are in the thread before it. */
const textsTogether = 8;

/** Returns whether the package that runs these models can be found from here. */
export function isTransformersInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve(transformersPackage.name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a model in a folder of this machine. Its first text is embedded now, so that a model that cannot be loaded is found out. The model
 * runs in a thread, because it calculates for tens of milliseconds without a pause.
 *
 * @throws Error that says why the model cannot be loaded.
 */
export async function openTransformers(place: ModelPlace): Promise<LocalModel> {
  const thread = new ModelThread(place);
  try {
    const first = await thread.embed(['mail']);
    const { path, dtype } = await findModelFile(join(place.folder, place.model));
    const version = `${dtype}-${await computeChecksum(path)}`;
    return createModel(`transformers:${place.model}`, version, first.length, thread);
  } catch (error) {
    await thread.close();
    throw error;
  }
}

function createModel(name: string, version: string, dimensions: number, thread: ModelThread): LocalModel {
  const embed = async (texts: string[]) => {
    const cut = texts.map((text) => text.slice(0, charactersMax).toWellFormed());
    return vectorsIn(await thread.embed(cut), texts);
  };
  return {
    name,
    version,
    dimensions,
    embedMany: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += textsTogether) {
        signal.throwIfAborted();
        vectors.push(...(await embed(texts.slice(from, from + textsTogether))));
      }
      return vectors;
    },
    embedQuery: async (text, signal) => {
      signal.throwIfAborted();
      return (await embed([text]))[0]!;
    },
    close: () => thread.close(),
  };
}

/** Cuts the numbers into vectors. A text without content has one of zeros, whatever the model says of it. */
function vectorsIn(numbers: Float32Array, texts: string[]): Float32Array[] {
  const dimensions = numbers.length / texts.length;
  return texts.map((text, index) =>
    text.trim() === ''
      ? new Float32Array(dimensions)
      : unitLength(numbers.subarray(index * dimensions, (index + 1) * dimensions)),
  );
}

async function computeChecksum(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex').slice(0, 16);
}
