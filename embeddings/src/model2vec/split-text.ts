import type { Step } from './normalize-text.ts';

type Split = (pieces: string[]) => string[];

/** The mark that SentencePiece has for a space. */
const metaspace = '\u2581';

/** Returns how a tokenizer splits a text, from the part `pre_tokenizer` of its file. Throws an Error for a step that is not known. */
export function createSplitter(step: Step | null): Split {
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
