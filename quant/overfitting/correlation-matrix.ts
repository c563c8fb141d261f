/** A symmetric matrix, row by row: element (i, j) is `values[i * size + j]`. */
export interface SquareMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

/**
 * Pearson correlations of columns of returns over the same bars. The columns must have variance:
 * leave flat runs out before. With fewer bars than half the pairs the matrix is ill-conditioned
 * (Bailey and Lopez de Prado 2014, appendix); its mean is not.
 */
export function correlationMatrix(columns: readonly Float64Array[]): SquareMatrix {
  const size = columns.length;
  const standardised = columns.map(standardise);
  const values = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    values[i * size + i] = 1;
    for (let j = 0; j < i; j++) {
      const correlation = dot(standardised[i]!, standardised[j]!);
      values[i * size + j] = correlation;
      values[j * size + i] = correlation;
    }
  }
  return { size, values };
}

/** Mean of the correlations of all pairs; NaN for fewer than two columns. */
export function meanCorrelation({ size, values }: SquareMatrix): number {
  let sum = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) sum += values[i * size + j]!;
  }
  return sum / ((size * (size - 1)) / 2);
}

/** Deviations from the mean over their Euclidean length. */
function standardise(column: Float64Array): Float64Array {
  let sum = 0;
  for (const value of column) sum += value;
  const mean = sum / column.length;
  const deviations = column.map((value) => value - mean);
  const length = Math.sqrt(dot(deviations, deviations));
  if (!(length > 0)) throw new RangeError("a column without variance has no correlation");
  return deviations.map((deviation) => deviation / length);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}
