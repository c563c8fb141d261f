/** A symmetric matrix, row by row: element (i, j) is `values[i * size + j]`. */
export interface SquareMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

/**
 * Pearson correlations of columns of returns over the same bars, each of which must have variance. With fewer
 * bars than half the number of pairs the matrix is ill-conditioned (Bailey and Lopez de Prado 2014, appendix);
 * its mean is not.
 */
export function correlationMatrix(columns: readonly Float64Array[]): SquareMatrix {
  const matrix = gramMatrix(columns.map(standardise));
  for (let i = 0; i < matrix.size; i++) matrix.values[i * matrix.size + i] = 1;
  return matrix;
}

/** Inner products of every two columns, each summed from the first row on. */
export function gramMatrix(columns: readonly Float64Array[]): SquareMatrix {
  const size = columns.length;
  const values = new Float64Array(size * size);
  for (let i = 0; i < size; i += 2) {
    for (let j = 0; j <= i; j += 2) fillPairs(columns, i, j, values);
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) values[j * size + i] = values[i * size + j]!;
  }
  return { size, values };
}

/**
 * The inner products of columns i and i + 1 with j and j + 1 in one pass: four independent sums that share
 * their reads. The last of an odd number of columns is its own neighbour.
 */
function fillPairs(
  columns: readonly Float64Array[],
  i: number,
  j: number,
  values: Float64Array,
): void {
  const size = columns.length;
  const below = Math.min(i + 1, size - 1);
  const beside = Math.min(j + 1, size - 1);
  const [a, b, c, d] = [columns[i]!, columns[below]!, columns[j]!, columns[beside]!];
  let ac = 0;
  let ad = 0;
  let bc = 0;
  let bd = 0;
  for (let row = 0; row < a.length; row++) {
    ac += a[row]! * c[row]!;
    ad += a[row]! * d[row]!;
    bc += b[row]! * c[row]!;
    bd += b[row]! * d[row]!;
  }
  values[i * size + j] = ac;
  values[i * size + beside] = ad;
  values[below * size + j] = bc;
  values[below * size + beside] = bd;
}

/** Mean of the correlations of all pairs, at most 1 (rounding); NaN for fewer than two columns. */
export function meanCorrelation({ size, values }: SquareMatrix): number {
  let sum = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) sum += values[i * size + j]!;
  }
  return Math.min(1, sum / ((size * (size - 1)) / 2));
}

/** Deviations from the mean, scaled to length 1: the inner product of two such columns is their correlation. */
export function standardise(column: Float64Array): Float64Array {
  const { length } = column;
  let sum = 0;
  for (let k = 0; k < length; k++) sum += column[k]!;
  const mean = sum / length;
  const out = new Float64Array(length);
  let squares = 0;
  for (let k = 0; k < length; k++) {
    const deviation = column[k]! - mean;
    out[k] = deviation;
    squares += deviation * deviation;
  }
  const norm = Math.sqrt(squares);
  if (!(norm > 0)) throw new RangeError("a column without variance has no correlation");
  for (let k = 0; k < length; k++) out[k]! /= norm;
  return out;
}
