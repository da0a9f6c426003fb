import type { Token } from './tokens-of.ts';

/** A phrase that is looked for. */
export interface WantedPhrase {
  /** 32 at most. */
  words: string[];
  /** Whether the last word may go on. */
  prefix: boolean;
}

/**
 * Returns a function that is called with one token after another, and says whether the phrase ends with this one. Each call takes the
 * same time, whatever the phrase and the text (the shift-and algorithm, with one bit for each word).
 */
export function phraseMatcher({ words, prefix }: WantedPhrase): (token: Token) => boolean {
  const bits = new Map<string, number>();
  for (const [place, word] of words.entries()) bits.set(word, (bits.get(word) ?? 0) | (1 << place));
  const last = words.at(-1)!;
  const lastBit = 1 << (words.length - 1);
  let state = 0;
  return (token) => {
    let here = 0;
    for (const word of token.words) here |= bits.get(word) ?? 0;
    if (prefix && token.words[0]!.startsWith(last)) here |= lastBit;
    state = ((state << 1) | 1) & here;
    return (state & lastBit) !== 0;
  };
}
