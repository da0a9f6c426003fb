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

/** How fast the second figure grows with the first, by least squares. */
export const slopeOf = (points: [number, number][]): number => {
  const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [meanOf(points.map(([at]) => at)), meanOf(points.map(([, value]) => value))];
  const sum = (of: (point: [number, number]) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  return sum(([at, value]) => (at - x) * (value - y)) / sum(([at]) => (at - x) ** 2);
};
