const iterations = 300;

/**
 * Returns the rows without their mean and without their first principal components, which say how common a word is rather than what it
 * means.
 */
export function centred(rows: Float64Array, dimensions: number, components: number): Float64Array {
  const result = withoutMean(rows, dimensions);
  const covariance = covarianceOf(result, dimensions);
  for (let component = 0; component < components; component += 1) {
    const { axis, variance } = mainAxis(covariance, dimensions);
    for (let start = 0; start < result.length; start += dimensions) {
      const along = dot(result, start, axis);
      for (let at = 0; at < dimensions; at += 1) result[start + at]! -= along * axis[at]!;
    }
    for (let row = 0; row < dimensions; row += 1)
      for (let column = 0; column < dimensions; column += 1)
        covariance[row * dimensions + column]! -= variance * axis[row]! * axis[column]!;
  }
  return result;
}

function withoutMean(rows: Float64Array, dimensions: number): Float64Array {
  const count = rows.length / dimensions;
  const mean = new Float64Array(dimensions);
  for (const [at, value] of rows.entries()) mean[at % dimensions]! += value;
  return rows.map((value, at) => value - mean[at % dimensions]! / count);
}

function covarianceOf(rows: Float64Array, dimensions: number): Float64Array {
  const sums = new Float64Array(dimensions * dimensions);
  for (let start = 0; start < rows.length; start += dimensions)
    for (let row = 0; row < dimensions; row += 1) {
      const value = rows[start + row]!;
      for (let column = 0; column < dimensions; column += 1)
        sums[row * dimensions + column]! += value * rows[start + column]!;
    }
  return sums.map((sum) => sum / (rows.length / dimensions));
}

/** Finds the axis with the largest variance by power iteration. */
function mainAxis(covariance: Float64Array, dimensions: number): { axis: Float64Array; variance: number } {
  let axis = new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions));
  let variance = 0;
  for (let round = 0; round < iterations; round += 1) {
    const next = axis.map((_, row) => dot(covariance, row * dimensions, axis));
    variance = Math.sqrt(dot(next, 0, next));
    axis = next.map((value) => value / variance);
  }
  return { axis, variance };
}

function dot(values: Float64Array, start: number, axis: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < axis.length; at += 1) sum += values[start + at]! * axis[at]!;
  return sum;
}
