import type { ClauseText, QueryTerm } from './parsed-query.ts';
import { type Token, tokensOf } from './tokens-of.ts';

const prefixLengthMin = 3;

/** Returns the terms of words of a query: one for a phrase, else one for each compound, word and run of a dense script. */
export function queryTerms(clause: ClauseText): QueryTerm[] {
  const { value, phrase, not, raw, last } = clause;
  const all = tokensOf(value);
  const places = all.filter((token) => token.emoji !== true);
  const tokens = places.length > 0 ? places : all.slice(0, 1);
  if (tokens.length === 0) return [];
  const runs = phrase ? [tokens] : splitRuns(tokens, value);
  const terms = runs.map((run) => termOf(run, phrase, { not, raw }));
  const final = terms.at(-1)!;
  final.prefix = last && !not && final.kind !== 'cjk' && final.words.at(-1)!.length >= prefixLengthMin;
  return terms;
}

function splitRuns(tokens: Token[], value: string): Token[][] {
  const runs: Token[][] = [];
  let joinedUntil = -1;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const continues =
      before !== undefined &&
      (token.cjk === true ? before.cjk === true && before.end === token.start : index <= joinedUntil);
    if (continues) runs.at(-1)!.push(token);
    else runs.push([token]);
    if (!continues && token.cjk !== true && token.words.length > 1)
      joinedUntil = joinedEnd(tokens, index, value);
  }
  return runs;
}

function joinedEnd(tokens: Token[], from: number, value: string): number {
  let end = from;
  while (
    end + 1 < tokens.length &&
    tokens[end + 1]!.cjk !== true &&
    tokens[end + 1]!.start - tokens[end]!.end <= 3
  ) {
    if (/\s/.test(value.slice(tokens[end]!.end, tokens[end + 1]!.start))) break;
    end += 1;
  }
  return end;
}

function termOf(run: Token[], phrase: boolean, { not, raw }: Pick<QueryTerm, 'not' | 'raw'>): QueryTerm {
  const words = run.map((token) => token.words[0]!);
  const first = run[0]!;
  if (first.cjk === true && run.every((token) => token.cjk === true)) {
    // The last character alone says nothing that the pair before it does not.
    return {
      kind: 'cjk',
      words: words.length > 1 ? words.slice(0, -1) : words,
      whole: null,
      not,
      prefix: false,
      raw,
    };
  }
  const whole = phrase ? null : (first.words.toSorted((a, b) => b.length - a.length)[0] ?? null);
  if (words.length > 1) return { kind: 'phrase', words, whole, not, prefix: false, raw };
  return { kind: phrase ? 'phrase' : 'word', words, whole: null, not, prefix: false, raw };
}
