import * as z from 'zod';
import { createNormalizer, type Step } from './normalize-text.ts';

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

type Split = (pieces: string[]) => string[];

/** The mark that SentencePiece has for a space. */
const metaspace = '\u2581';

/** Returns how a tokenizer splits a text, from the part `pre_tokenizer` of its file. Throws an Error for a step that is not known. */
function createSplitter(step: Step | null): Split {
  if (step === null) return (pieces) => pieces;
  const create = steps.get(step.type);
  if (!create)
    throw new Error(`The tokenizer has a pre-tokenizer of type "${step.type}", which is not supported.`);
  return create(step);
}

const punctuation = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;
const punctuationOnly = /[!-/:-@[-`{-~\p{P}]|[^!-/:-@[-`{-~\p{P}]+/gu;

const steps = new Map<string, (step: Step) => Split>(
  Object.entries<(step: Step) => Split>({
    Sequence: ({ pretokenizers }) => {
      const all = (pretokenizers as Step[]).map(createSplitter);
      return (pieces) => all.reduce((so, split) => split(so), pieces);
    },
    BertPreTokenizer: () => matching(punctuation),
    Punctuation: () => matching(punctuationOnly),
    Whitespace: () => matching(/[\p{L}\p{M}\p{N}\p{Pc}]+|[^\p{L}\p{M}\p{N}\p{Pc}\s]+/gu),
    WhitespaceSplit: () => matching(/\S+/gu),
    Metaspace: ({ prepend_scheme: scheme, add_prefix_space: prefixes, split }) => {
      const prepends = scheme === undefined ? prefixes !== false : scheme !== 'never';
      return (pieces) =>
        pieces.flatMap((piece, index) => {
          if (piece === '') return [];
          const marked = piece.replaceAll(' ', metaspace);
          const isFirst = scheme !== 'first' || index === 0;
          const begun = prepends && isFirst && !marked.startsWith(metaspace) ? metaspace + marked : marked;
          return split === false ? [begun] : (begun.match(/\u2581?[^\u2581]+|\u2581/gu) ?? []);
        });
    },
  }),
);

function matching(pattern: RegExp): Split {
  return (pieces) => pieces.flatMap((piece) => piece.match(pattern) ?? []);
}

/** Returns the tokens of a piece of text by their numbers. Parts that the vocabulary does not know have none. */
type FindTokens = (piece: string) => number[];

/** Returns how a WordPiece model finds tokens: from the left, each time the longest one. A word with an unknown part has none at all. */
function createWordPieces({
  vocab,
  prefix,
  charactersMax,
}: {
  vocab: ReadonlyMap<string, number>;
  /** The mark before each token that does not begin a word. */
  prefix: string;
  charactersMax: number;
}): FindTokens {
  return (word) => {
    if (word.length > 2 * charactersMax || [...word].length > charactersMax) return [];
    const tokens: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      const before = start === 0 ? '' : prefix;
      while (end > start && !vocab.has(before + word.slice(start, end))) end -= 1;
      if (end === start) return [];
      tokens.push(vocab.get(before + word.slice(start, end))!);
      start = end;
    }
    return tokens;
  };
}

/** Returns how a Unigram model finds tokens: those whose scores have the largest sum, with a penalty for each unknown character. */
function createUnigram(vocab: [token: string, score: number][]): FindTokens {
  const known = new Map(vocab.map(([token, score], id) => [token, { id, score }]));
  const lengthMax = vocab.reduce((most, [token]) => Math.max(most, token.length), 1);
  const unknownScore = vocab.reduce((least, [, score]) => Math.min(least, score), 0) - unknownPenalty;
  return (text) => {
    const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY);
    const cameFrom = new Int32Array(text.length + 1);
    best[0] = 0;
    for (let start = 0; start < text.length; start += 1) {
      // The inside of a surrogate pair.
      if (best[start] === Number.NEGATIVE_INFINITY) continue;
      const reach = (end: number, score: number) => {
        const sum = best[start]! + score;
        if (sum <= best[end]!) return;
        best[end] = sum;
        cameFrom[end] = start;
      };
      reach(start + (text.codePointAt(start)! > 0xffff ? 2 : 1), unknownScore);
      const last = Math.min(text.length, start + lengthMax);
      for (let end = start + 1; end <= last; end += 1) {
        const token = known.get(text.slice(start, end));
        if (token) reach(end, token.score);
      }
    }
    const tokens: number[] = [];
    for (let end = text.length; end > 0; end = cameFrom[end]!) {
      const token = known.get(text.slice(cameFrom[end]!, end));
      if (token) tokens.push(token.id);
    }
    return tokens.reverse();
  };
}

/** As in SentencePiece. */
const unknownPenalty = 10;
