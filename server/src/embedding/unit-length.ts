/** Returns the numbers as a vector of unit length, or one of zeros if they have no direction: all zero, or some not finite. */
export function unitLength(numbers: ArrayLike<number>): Float32Array {
  const vector = Float32Array.from(numbers);
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0 || !Number.isFinite(sum)) return new Float32Array(vector.length);
  const factor = 1 / Math.sqrt(sum);
  return vector.map((value) => value * factor);
}
