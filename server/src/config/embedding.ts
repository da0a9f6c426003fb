import * as z from 'zod';
import { optionalText, url, variable } from './values.ts';

const kinds = ['words', 'off', 'openai', 'model2vec', 'transformers'] as const;

/** With fewer dimensions, vectors are too coarse. With more, a vector takes more space than its message. */
const dimensionsMin = 8;
export const dimensionsMax = 4_096;

/** The settings of search by meaning, in the order of `.env.example`. */
export const embeddingVariables = {
  POSTRIDER_EMBEDDINGS: variable(
    z
      .string()
      .default('words')
      .refine(
        (value) => kinds.some((kind) => kind === value) || isServiceUrl(value),
        'must be words, off, openai, model2vec, transformers or the URL of an embeddings service',
      ),
    'The source of vectors for search by meaning: words (built in, English), the URL of a service with an OpenAI-compatible /embeddings, model2vec (a folder with a table of vectors), transformers (a model that runs on this machine) or off. model2vec and transformers need the package @postrider/embeddings.',
    { example: 'words' },
  ),
  POSTRIDER_EMBEDDINGS_URL: variable(
    url(/^https?:$/, 'https://api.openai.com/v1'),
    'URL of the service if POSTRIDER_EMBEDDINGS is openai; /embeddings is appended if it is missing.',
  ),
  POSTRIDER_EMBEDDINGS_KEY: variable(
    optionalText.refine(
      (key) => key === undefined || /^[\x21-\x7e]+$/.test(key),
      'must be ASCII without spaces',
    ),
    'API key of the service; leave it empty if the service needs none.',
    { secret: true },
  ),
  POSTRIDER_EMBEDDINGS_MODEL: variable(
    optionalText,
    'Name of the model, such as text-embedding-3-small or Xenova/all-MiniLM-L6-v2; required for a service and for transformers.',
  ),
  POSTRIDER_EMBEDDINGS_PATH: variable(
    optionalText,
    'Folder on this machine: for model2vec, the folder with tokenizer.json and model.safetensors; for transformers, the folder that contains the folder of the model.',
  ),
  POSTRIDER_EMBEDDINGS_DIMENSIONS: variable(
    z
      .string()
      .optional()
      .transform((text) => (text === undefined ? null : Number(text)))
      .refine(
        (count) =>
          count === null || (Number.isInteger(count) && count >= dimensionsMin && count <= dimensionsMax),
        `must be a whole number from ${dimensionsMin} to ${dimensionsMax}`,
      ),
    'Number of dimensions of the vectors of the service, such as 1536; by default, that of the model, which the server asks for at the start if it does not know it.',
  ),
};

type Values = {
  [Name in keyof typeof embeddingVariables]: z.output<(typeof embeddingVariables)[Name]['schema']>;
};

/** The chosen provider of vectors, with its settings. */
export type EmbeddingSettings =
  | { kind: 'off' | 'words' }
  | { kind: 'openai'; url: string; key: string | null; model: string; dimensions: number | null }
  | { kind: 'model2vec'; path: string }
  | { kind: 'transformers'; model: string; path: string };

type Kind = (typeof kinds)[number];

/** The settings that each kind requires. */
const required: Record<Kind, (keyof Values)[]> = {
  off: [],
  words: [],
  openai: ['POSTRIDER_EMBEDDINGS_URL', 'POSTRIDER_EMBEDDINGS_MODEL'],
  model2vec: ['POSTRIDER_EMBEDDINGS_PATH'],
  transformers: ['POSTRIDER_EMBEDDINGS_MODEL', 'POSTRIDER_EMBEDDINGS_PATH'],
};

/**
 * Returns one problem for each setting that the chosen provider lacks, apart from those in `known`, which are there and wrong, and one if
 * two settings name the service.
 */
export function findEmbeddingProblems(values: Values, known: string[]): string[] {
  const { kind, url } = readChoice(values);
  if (url !== undefined && values.POSTRIDER_EMBEDDINGS_URL !== undefined)
    return ['POSTRIDER_EMBEDDINGS is a URL, and POSTRIDER_EMBEDDINGS_URL is set, too: keep one.'];
  return required[kind]
    .filter((name) => name !== 'POSTRIDER_EMBEDDINGS_URL' || url === undefined)
    .filter((name) => !values[name] && !known.some((problem) => problem.startsWith(`${name} `)))
    .map((name) => `${name} is required when POSTRIDER_EMBEDDINGS is ${url === undefined ? kind : 'a URL'}.`);
}

/** Returns the settings of the chosen provider. They must be free of problems. */
export function readEmbeddings(values: Values): EmbeddingSettings {
  const { kind, url = values.POSTRIDER_EMBEDDINGS_URL ?? '' } = readChoice(values);
  const {
    POSTRIDER_EMBEDDINGS_KEY: key = null,
    POSTRIDER_EMBEDDINGS_MODEL: model = '',
    POSTRIDER_EMBEDDINGS_PATH: path = '',
    POSTRIDER_EMBEDDINGS_DIMENSIONS: dimensions,
  } = values;
  if (kind === 'openai') return { kind, url, key, model, dimensions };
  if (kind === 'model2vec') return { kind, path };
  if (kind === 'transformers') return { kind, model, path };
  return { kind };
}

/** Returns the chosen kind, and the URL if that was chosen. A choice that could not be read requires nothing. */
function readChoice({ POSTRIDER_EMBEDDINGS: choice }: Values): { kind: Kind; url?: string } {
  const named = kinds.find((kind) => kind === choice);
  if (named) return { kind: named };
  return isServiceUrl(choice) ? { kind: 'openai', url: choice } : { kind: 'off' };
}

function isServiceUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
