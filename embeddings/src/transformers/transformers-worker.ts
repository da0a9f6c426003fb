/* Runs in the thread of `ModelThread`. */
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { findModelFile } from './find-model-file.ts';

/** A model, and the folder that has the folder of the model. */
export interface ModelPlace {
  folder: string;
  model: string;
}

/** The numbers of all vectors one after another, or the reason why there are none. */
export type ThreadAnswer = { numbers: Float32Array } | { problem: string };

type Extract = (
  texts: string[],
  options: { pooling: 'mean'; normalize: true },
) => Promise<{ data: Float32Array; dispose?(): void }>;

/** The part of the package that is used. It need not be installed, so its own types may be missing. */
interface Transformers {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { local_files_only: true; dtype: string },
  ): Promise<Extract>;
}

const packageName = '@huggingface/transformers';
/** Added to the nice value, so that the thread gets about a third of a processor that requests also need. */
const niceness = 5;

/** Lets this thread give way to the one that serves requests. Elsewhere than on Linux this would change the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // Without the permission to lower its priority, the thread keeps the one that it has.
  }
}

async function load({ folder, model }: ModelPlace): Promise<Extract> {
  const { env, pipeline } = (await import(packageName)) as Transformers;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = folder;
  const { dtype } = await findModelFile(join(folder, model));
  return pipeline('feature-extraction', model, { local_files_only: true, dtype });
}

let loaded: Promise<Extract> | undefined;

async function answer(texts: string[]): Promise<ThreadAnswer> {
  loaded ??= load(workerData as ModelPlace);
  try {
    const extract = await loaded;
    const tensor = await extract(texts, { pooling: 'mean', normalize: true });
    const numbers = Float32Array.from(tensor.data);
    tensor.dispose?.();
    return { numbers };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

giveWay();
parentPort?.on('message', async (texts: string[]) => {
  const made = await answer(texts);
  parentPort?.postMessage(made, 'numbers' in made ? [made.numbers.buffer as ArrayBuffer] : []);
});
