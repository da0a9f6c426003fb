import { join } from 'node:path';
import { serveJobs } from '../../lib/concurrency/serve-jobs.ts';
import { codeOf, sayError } from '../../lib/start/start-error.ts';
import { findModelFile } from './find-model-file.ts';

/** Texts to embed, and the model, which is loaded with the first texts. */
export interface EmbedJob {
  folder: string;
  model: string;
  texts: string[];
}

/** The numbers of all vectors one after another, or the reason why there are none. */
export type EmbedAnswer =
  | { numbers: Float32Array }
  | { problem: 'missing' | 'model' | 'texts'; detail: string };

type Extract = (
  texts: string[],
  options: { pooling: 'mean'; normalize: true },
) => Promise<{ data: Float32Array; dispose?(): void }>;

/** The part of the package that is used. It is not a dependency, so its own types may be missing. */
interface Transformers {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { local_files_only: true; dtype: string },
  ): Promise<Extract>;
}

const packageName = '@huggingface/transformers';
let loaded: Promise<Extract> | undefined;

async function load({ folder, model }: EmbedJob): Promise<Extract> {
  const { env, pipeline } = (await import(packageName)) as Transformers;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = folder;
  const { dtype } = await findModelFile(join(folder, model));
  return pipeline('feature-extraction', model, { local_files_only: true, dtype });
}

async function answer(job: EmbedJob): Promise<EmbedAnswer> {
  loaded ??= load(job);
  let extract: Extract;
  try {
    extract = await loaded;
  } catch (error) {
    const isMissing =
      codeOf(error) === 'ERR_MODULE_NOT_FOUND' && sayError(error).includes(`'${packageName}'`);
    return { problem: isMissing ? 'missing' : 'model', detail: sayError(error) };
  }
  try {
    const tensor = await extract(job.texts, { pooling: 'mean', normalize: true });
    const numbers = Float32Array.from(tensor.data);
    tensor.dispose?.();
    return { numbers };
  } catch (error) {
    return { problem: 'texts', detail: sayError(error) };
  }
}

await serveJobs<EmbedJob, EmbedAnswer>(async () => async (job, reply) => {
  const made = await answer(job);
  reply(made, 'numbers' in made ? [made.numbers.buffer as ArrayBuffer] : []);
});
