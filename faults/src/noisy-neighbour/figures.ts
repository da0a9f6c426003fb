/** Returns the value that a share of all values does not exceed, such as 0.99 for the 99th percentile; 0 if there are no values. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** A summary of waits, in whole milliseconds. */
export interface Waits {
  count: number;
  p50: number;
  p99: number;
  longest: number;
}

/** Returns a summary of waits in milliseconds. */
export function summarizeWaits(values: number[]): Waits {
  return {
    count: values.length,
    p50: Math.round(percentile(values, 0.5)),
    p99: Math.round(percentile(values, 0.99)),
    longest: Math.round(percentile(values, 1)),
  };
}

/** Returns how steeply values rise over time: the slope of the line of least squares, in units of `y` for each of `x`. */
export function fitSlope(points: { x: number; y: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  if (points.length < 2) return 0;
  const x0 = mean(points.map(({ x }) => x));
  const y0 = mean(points.map(({ y }) => y));
  const over = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0);
  const under = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

/** Returns the milliseconds since the epoch, with a fraction. They are the same in every process of the machine. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
