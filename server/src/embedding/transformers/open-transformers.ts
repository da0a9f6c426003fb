import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingSettings } from '../../config-embedding.ts';
import { WorkStopped, WorkThread } from '../../lib/concurrency/work-thread.ts';
import { settingNames } from '../../lib/start/setting-names.ts';
import { StartError, sayError } from '../../lib/start/start-error.ts';
import { EmbeddingError, type EmbeddingProvider, embeddedCharactersMax } from '../provider.ts';
import { unitLength } from '../unit-length.ts';
import { findModelFile } from './find-model-file.ts';
import type { EmbedAnswer, EmbedJob } from './transformers-worker.ts';

/** What the operator installs. */
const installation = 'npm install @huggingface/transformers@4.3.1';

/** A search waits for the texts that are in the thread before it. */
const textsTogether = 8;
const limits = { heapMb: 1_024, processorMs: 120_000, idleMs: 600_000 };

type Settings = Extract<EmbeddingSettings, { kind: 'transformers' }>;

/**
 * Opens a model in a folder of this machine, by a package that the operator installs. Its first text is embedded now, so that a model that
 * cannot be loaded ends the start. The model runs in a thread, because it calculates for tens of milliseconds without a pause.
 *
 * @throws StartError if the package is missing, or the model cannot be loaded.
 */
export async function openTransformers({ model, path: folder }: Settings): Promise<EmbeddingProvider> {
  const name = `transformers:${model}`;
  const thread = new WorkThread<EmbedJob, EmbedAnswer>(workerUrl(), limits);
  const embed = async (texts: string[]) => {
    const cut = texts.map((text) => text.slice(0, embeddedCharactersMax).toWellFormed());
    const answer = await thread
      .run({ folder, model, texts: cut })
      .catch((error: unknown) => stopped(name, error));
    if ('problem' in answer) throw new EmbeddingError(`${name}: ${answer.detail}`, { mayPass: false });
    return vectorsIn(answer.numbers, texts);
  };
  try {
    const first = await thread.run({ folder, model, texts: ['mail'] });
    if ('problem' in first) throw startError({ model, folder }, first);
    const { path, dtype } = await findModelFile(join(folder, model));
    const version = `${dtype}-${await checksumOf(path)}`;
    return createProvider({
      name,
      version,
      dimensions: first.numbers.length,
      embed,
      close: () => thread.close(),
    });
  } catch (error) {
    await thread.close();
    if (error instanceof StartError) throw error;
    throw startError({ model, folder }, { problem: 'model', detail: sayError(error) });
  }
}

function createProvider({
  name,
  version,
  dimensions,
  embed,
  close,
}: Pick<EmbeddingProvider, 'name' | 'version' | 'dimensions' | 'close'> & {
  embed(texts: string[]): Promise<Float32Array[]>;
}): EmbeddingProvider {
  return {
    name,
    version,
    dimensions,
    close,
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

function stopped(name: string, error: unknown): never {
  const mayPass = error instanceof WorkStopped && error.reason !== 'closed';
  throw new EmbeddingError(`${name}: ${sayError(error)}`, { mayPass, cause: error });
}

function startError(
  { model, folder }: { model: string; folder: string },
  { problem, detail }: Extract<EmbedAnswer, { problem: string }>,
): StartError {
  const { embeddings } = settingNames;
  return problem === 'missing'
    ? new StartError(
        `${embeddings} is transformers, and the package that runs models is not installed. Run \`${installation}\` in the folder of the server, or set ${embeddings} to words or off.`,
      )
    : new StartError(
        `The model ${model} in ${folder} cannot be loaded. Its folder needs config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx. Correct ${settingNames.embeddingsPath}, or set ${embeddings} to words or off.`,
        detail,
        detail,
      );
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex').slice(0, 16);
}

/** Returns the URL of the worker in this folder, which is TypeScript in the workspace and JavaScript in a build. */
function workerUrl(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './transformers-worker.ts' : './transformers-worker.js',
    import.meta.url,
  );
}
