import * as z from 'zod';
import { optionalText, url } from './config-values.ts';
import { variable } from './config-variable.ts';

const kinds = ['words', 'off', 'openai', 'model2vec', 'transformers'] as const;

/** Below, vectors say too little. Above, one vector takes more room than the message that it is of. */
const dimensionsMin = 8;
const dimensionsMax = 4_096;

/** The settings of search by meaning, in the order of `.env.example`. */
export const embeddingVariables = {
  POSTRIDER_EMBEDDINGS: variable(
    z.enum(kinds, 'must be words, off, openai, model2vec or transformers').default('words'),
    'What search by meaning compares texts with: words (built in, English), openai (any service with an OpenAI-compatible /embeddings), model2vec (a folder with a table of vectors), transformers (a model that runs here, with @huggingface/transformers installed) or off.',
    { example: 'words' },
  ),
  POSTRIDER_EMBEDDINGS_URL: variable(
    url(/^https?:$/, 'https://api.openai.com/v1'),
    'Base of the openai service: /embeddings is added to it.',
  ),
  POSTRIDER_EMBEDDINGS_KEY: variable(
    optionalText.refine(
      (key) => key === undefined || /^[\x21-\x7e]+$/.test(key),
      'must be ASCII without spaces',
    ),
    'API key of the openai service; nothing where it asks for none.',
    { secret: true },
  ),
  POSTRIDER_EMBEDDINGS_MODEL: variable(
    optionalText,
    'Name of the model, required by openai and transformers, such as text-embedding-3-small or Xenova/all-MiniLM-L6-v2.',
  ),
  POSTRIDER_EMBEDDINGS_PATH: variable(
    optionalText,
    'Folder on this machine: for model2vec the one with tokenizer.json and model.safetensors, for transformers the one that has the folder of the model.',
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
    'How many numbers a vector of the openai service has, which is required by it, such as 1536.',
  ),
};

type Values = {
  [Name in keyof typeof embeddingVariables]: z.output<(typeof embeddingVariables)[Name]['schema']>;
};

/** Which provider of vectors is used, with what it needs. */
export type EmbeddingSettings =
  | { kind: 'off' | 'words' }
  | { kind: 'openai'; url: string; key: string | null; model: string; dimensions: number }
  | { kind: 'model2vec'; path: string }
  | { kind: 'transformers'; model: string; path: string };

/** What each kind cannot do without. */
const required: Record<(typeof kinds)[number], (keyof Values)[]> = {
  off: [],
  words: [],
  openai: ['POSTRIDER_EMBEDDINGS_URL', 'POSTRIDER_EMBEDDINGS_MODEL', 'POSTRIDER_EMBEDDINGS_DIMENSIONS'],
  model2vec: ['POSTRIDER_EMBEDDINGS_PATH'],
  transformers: ['POSTRIDER_EMBEDDINGS_MODEL', 'POSTRIDER_EMBEDDINGS_PATH'],
};

/** Returns one problem for each setting that the chosen provider lacks, apart from those in `known`, which are there and wrong. */
export function findEmbeddingProblems(values: Values, known: string[]): string[] {
  const kind = values.POSTRIDER_EMBEDDINGS;
  // A kind that could not be read requires nothing.
  return (required[kind] ?? [])
    .filter((name) => !values[name] && !known.some((problem) => problem.startsWith(`${name} `)))
    .map((name) => `${name} is required when POSTRIDER_EMBEDDINGS is ${kind}.`);
}

/** Returns the settings of the chosen provider. They must be free of problems. */
export function embeddingsOf(values: Values): EmbeddingSettings {
  const kind = values.POSTRIDER_EMBEDDINGS;
  const {
    POSTRIDER_EMBEDDINGS_URL: url = '',
    POSTRIDER_EMBEDDINGS_KEY: key = null,
    POSTRIDER_EMBEDDINGS_MODEL: model = '',
    POSTRIDER_EMBEDDINGS_PATH: path = '',
  } = values;
  const dimensions = values.POSTRIDER_EMBEDDINGS_DIMENSIONS ?? 0;
  if (kind === 'openai') return { kind, url, key, model, dimensions };
  if (kind === 'model2vec') return { kind, path };
  if (kind === 'transformers') return { kind, model, path };
  return { kind };
}
