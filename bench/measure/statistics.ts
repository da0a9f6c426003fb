/** The value in the middle; between the two in the middle where their number is even. */
export const median = (values: number[]): number => percentile(values, 0.5);

/** The value below which a share of all values lies, between neighbours by their distance. */
export const percentile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
};
