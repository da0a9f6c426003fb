import { brand } from '@postrider/contract';
import type { LocalModel } from '@postrider/embeddings';
import type { EmbeddingSettings } from '../config/embedding.ts';
import { codeOf, StartError, sayError, settingNames } from '../lib/start/start-error.ts';
import { EmbeddingError, type EmbeddingProvider } from './provider.ts';

type Package = typeof import('@postrider/embeddings');
type LoadPackage = () => Promise<Package>;

/** The settings of a model that runs in this process. */
export type LocalSettings = Extract<EmbeddingSettings, { kind: 'model2vec' | 'transformers' }>;

/** Something that a model needs and that is not installed, or cannot be loaded. */
export interface Lack {
  text: string;
  remedy: string;
  cause?: unknown;
}

const { embeddings: setting, embeddingsPath } = settingNames;
const { embeddings: packageName } = brand.packages;
const otherwise = `set ${setting} to words or off.`;

const loadInstalled: LoadPackage = () => import('@postrider/embeddings');

/**
 * Opens a model with the package that runs models, which an operator installs next to the server.
 *
 * @throws StartError if that package is missing, or the model cannot be loaded.
 */
export async function openLocal(
  settings: LocalSettings,
  load: LoadPackage = loadInstalled,
): Promise<EmbeddingProvider> {
  const lack = await findLack(settings, load);
  if (lack) throw new StartError(`${lack.text} ${lack.remedy}`, lack.cause);
  const { openModel2vec, openTransformers, ModelError } = await load();
  const opening =
    settings.kind === 'model2vec'
      ? openModel2vec(settings.path)
      : openTransformers({ model: settings.model, folder: settings.path });
  const model = await opening.catch((error: unknown) => {
    throw new StartError(`${unusable(settings)} Correct ${embeddingsPath}, or ${otherwise}`, error);
  });
  return provide(model, ModelError);
}

/** Returns what the chosen model needs and this installation lacks; null if nothing is missing. */
export async function findLack(
  { kind }: LocalSettings,
  load: LoadPackage = loadInstalled,
): Promise<Lack | null> {
  const needs = (name: string) => `${setting} is ${kind}, which needs the package ${name}.`;
  const install = (names: string) =>
    `Run \`npm install ${names}\` in the folder of the server, or ${otherwise}`;
  const loaded = await load().catch((error: unknown) => ({ error }));
  if ('error' in loaded) {
    const { error } = loaded;
    const isMissing =
      codeOf(error) === 'ERR_MODULE_NOT_FOUND' && sayError(error).includes(`'${packageName}'`);
    return isMissing
      ? { text: `${needs(packageName)} It is not installed.`, remedy: install(packageName) }
      : { text: `${needs(packageName)} It cannot be loaded.`, remedy: install(packageName), cause: error };
  }
  if (kind === 'model2vec' || loaded.isTransformersInstalled()) return null;
  const { name, version } = loaded.transformersPackage;
  return { text: `${needs(name)} It is not installed.`, remedy: install(`${name}@${version}`) };
}

function unusable(settings: LocalSettings): string {
  return settings.kind === 'model2vec'
    ? `${embeddingsPath} is ${settings.path}, which is not a folder with the tokenizer.json and model.safetensors of a model2vec model.`
    : `The model ${settings.model} in ${settings.path} cannot be loaded. Its folder needs config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx.`;
}

function provide(model: LocalModel, ModelError: Package['ModelError']): EmbeddingProvider {
  const explain = (error: unknown): never => {
    if (!(error instanceof ModelError)) throw error;
    throw new EmbeddingError(`${model.name}: ${error.message}`, { mayPass: error.mayPass, cause: error });
  };
  return {
    name: model.name,
    version: model.version,
    dimensions: model.dimensions,
    embedMany: (texts, signal) => model.embedMany(texts, signal).catch(explain),
    embedQuery: (text, signal) => model.embedQuery(text, signal).catch(explain),
    close: () => model.close(),
  };
}
