const smoothing = 60;

/** Fuses rankings by the sum of `1 / (60 + place)`, known as reciprocal rank fusion. */
export function fuseRanks(rankings: string[][]): string[] {
  const sums = new Map<string, number>();
  for (const ranking of rankings)
    for (const [place, id] of ranking.entries())
      sums.set(id, (sums.get(id) ?? 0) + 1 / (smoothing + place + 1));
  return [...sums].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
}
