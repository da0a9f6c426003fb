const heightMin = 40;

/**
 * Returns the height of a frame from the message of the page in it: a number of pixels within limits. Null for anything else, which is not
 * from our script.
 */
export function readFrameHeight(told: unknown, heightMax: number): number | null {
  if (typeof told !== 'object' || told === null || !('mailHeight' in told)) return null;
  const { mailHeight: height } = told;
  if (typeof height !== 'number' || !Number.isFinite(height) || height <= 0) return null;
  return Math.min(heightMax, Math.max(heightMin, Math.ceil(height)));
}
