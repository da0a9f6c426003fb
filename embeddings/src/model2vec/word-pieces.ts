/** Returns the tokens of a piece of text by their numbers. Parts that the vocabulary does not know have none. */
export type FindTokens = (piece: string) => number[];

/** Returns how a WordPiece model finds tokens: from the left, each time the longest one. A word with an unknown part has none at all. */
export function createWordPieces({
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
export function createUnigram(vocab: [token: string, score: number][]): FindTokens {
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
