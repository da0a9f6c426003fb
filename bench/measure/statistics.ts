/** Returns the median, which is the mean of the two middle values if their number is even. */
export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** Returns the value below which a share of all values lies. It interpolates between neighbours. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}

/** Returns how fast the second figure grows with the first, by least squares. */
export function fitSlope(points: [number, number][]): number {
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [average(points.map(([at]) => at)), average(points.map(([, value]) => value))];
  const sum = (of: (point: [number, number]) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  return sum(([at, value]) => (at - x) * (value - y)) / sum(([at]) => (at - x) ** 2);
}
