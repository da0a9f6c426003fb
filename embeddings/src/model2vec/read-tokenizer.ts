import * as z from 'zod';
import { createNormalizer, type Step } from './normalize-text.ts';
import { createSplitter } from './split-text.ts';
import { createUnigram, createWordPieces, type FindTokens } from './word-pieces.ts';

/** Finds the tokens of texts. */
export interface Tokenizer {
  /** Returns the numbers of the known tokens of a text, in their order. */
  tokensOf(text: string): number[];
  vocabularySize: number;
}

const step = z.looseObject({ type: z.string() });
const wordPiece = z.object({
  type: z.literal('WordPiece'),
  vocab: z.record(z.string(), z.int().nonnegative()),
  unk_token: z.string().default('[UNK]'),
  continuing_subword_prefix: z.string().default('##'),
  max_input_chars_per_word: z.int().positive().default(100),
});
const unigram = z.object({
  type: z.literal('Unigram'),
  vocab: z.array(z.tuple([z.string(), z.number()])).min(1),
  unk_id: z.int().nullish(),
});
const schema = z.object({
  normalizer: step.nullish(),
  pre_tokenizer: step.nullish(),
  model: z.discriminatedUnion('type', [wordPiece, unigram], 'must be of type WordPiece or Unigram'),
});

/**
 * Reads a `tokenizer.json` of Hugging Face with a WordPiece or Unigram model. Special tokens are not added, and unknown ones are left out.
 *
 * @throws Error that says what is wrong or not supported.
 */
export function readTokenizer(text: string): Tokenizer {
  const read = schema.safeParse(JSON.parse(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`The tokenizer at "${issue?.path.join('.')}": ${issue?.message}.`);
  }
  const { normalizer, pre_tokenizer: splitter, model } = read.data;
  const normalize = createNormalizer((normalizer as Step | null | undefined) ?? null);
  const split = createSplitter((splitter as Step | null | undefined) ?? null);
  const { findTokens, unknown, size } = openModel(model);
  return {
    vocabularySize: size,
    tokensOf: (content) =>
      split([normalize(content)])
        .flatMap(findTokens)
        .filter((token) => token !== unknown),
  };
}

function openModel(model: z.infer<typeof schema>['model']): {
  findTokens: FindTokens;
  unknown: number | undefined;
  size: number;
} {
  if (model.type === 'Unigram') {
    const { vocab, unk_id: unknown } = model;
    return { findTokens: createUnigram(vocab), unknown: unknown ?? undefined, size: vocab.length };
  }
  const vocab = new Map(Object.entries(model.vocab));
  const findTokens = createWordPieces({
    vocab,
    prefix: model.continuing_subword_prefix,
    charactersMax: model.max_input_chars_per_word,
  });
  const size = Object.values(model.vocab).reduce((most, id) => Math.max(most, id + 1), 0);
  return { findTokens, unknown: vocab.get(model.unk_token), size };
}
