/** A match of a term, in UTF-16 units of a text. */
export interface Found {
  /** The number of the term. */
  term: number;
  start: number;
  end: number;
}

/** Returns the matches of the piece, no longer than `length`, with the most terms, and the first of these. `found` is in order. */
export function bestCluster(found: Found[], length: number): Found[] {
  const counts = new Map<number, number>();
  let best = { from: 0, end: 0, score: 0 };
  let from = 0;
  for (const [index, { term, end }] of found.entries()) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    while (from < index && end - found[from]!.start > length) {
      const gone = found[from]!.term;
      const left = counts.get(gone)! - 1;
      if (left === 0) counts.delete(gone);
      else counts.set(gone, left);
      from += 1;
    }
    // Many of one word say less than one more word does.
    const score = counts.size * 100 + Math.min(index - from, 99);
    if (score > best.score) best = { from, end: index + 1, score };
  }
  return found.slice(best.from, best.end);
}

/** Returns how many terms some matches have. */
export function countTerms(found: Found[]): number {
  return new Set(found.map(({ term }) => term)).size;
}
