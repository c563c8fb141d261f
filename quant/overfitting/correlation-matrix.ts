import { PAIR_BYTES } from "../wasm/module.ts";
import { matrixKernel } from "./matrix-kernel.ts";

/** A symmetric matrix, row by row: element (i, j) is `values[i * size + j]`. */
export interface SquareMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

/**
 * Pearson correlations of columns of returns over the same bars. Every column must have variance, so drop
 * flat runs first. With fewer bars than half the number of pairs the matrix is ill-conditioned (Bailey and
 * Lopez de Prado 2014, appendix); its mean is not.
 */
export function correlationMatrix(columns: readonly Float64Array[]): SquareMatrix {
  const matrix = gramMatrix(columns.map(standardise));
  for (let i = 0; i < matrix.size; i++) matrix.values[i * matrix.size + i] = 1;
  return matrix;
}

/**
 * Inner products of every two columns, each summed from the first row on. One pass takes two pairs of
 * columns against a third pair: eight independent sums that share their reads.
 */
export function gramMatrix(columns: readonly Float64Array[]): SquareMatrix {
  const size = columns.length;
  const values = new Float64Array(size * size);
  const { call, reserve } = matrixKernel();
  const pairBytes = (columns[0]?.length ?? 0) * PAIR_BYTES;
  const pairs = 2 * Math.ceil(size / 4); // even: a pass takes two pairs against one
  const out = pairs * pairBytes;
  const memory = reserve(out + 4 * PAIR_BYTES);
  writePairs(new Float64Array(memory, 0, out / Float64Array.BYTES_PER_ELEMENT), columns);
  const products = new Float64Array(memory, out, 8);
  const put = (i: number, j: number, product: number) => {
    if (i >= size || j >= size) return; // a padding column
    values[i * size + j] = products[product]!;
    values[j * size + i] = products[product]!;
  };
  for (let i = 0; 2 * i < size; i++) {
    for (let j = 0; j <= i; j += 2) {
      const second = (j + 1) * pairBytes;
      call.products(i * pairBytes, j * pairBytes, second, second + pairBytes, out);
      for (const [pair, from] of [
        [j, 0],
        [j + 1, 4],
      ] as const) {
        put(2 * i, 2 * pair, from);
        put(2 * i + 1, 2 * pair + 1, from + 1);
        put(2 * i, 2 * pair + 1, from + 2);
        put(2 * i + 1, 2 * pair, from + 3);
      }
    }
  }
  return { size, values };
}

/** Stores columns in pairs, row by row, padded with columns of zeros. */
function writePairs(target: Float64Array, columns: readonly Float64Array[]): void {
  target.fill(0);
  for (const [index, column] of columns.entries()) {
    let place = (index >> 1) * 2 * column.length + (index & 1);
    for (let row = 0; row < column.length; row++, place += 2) target[place] = column[row]!;
  }
}

/** Mean of the correlations of all pairs, at most 1 (rounding); NaN for fewer than two columns. */
export function meanCorrelation({ size, values }: SquareMatrix): number {
  let sum = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) sum += values[i * size + j]!;
  }
  return Math.min(1, sum / ((size * (size - 1)) / 2));
}

/**
 * Deviations from the mean, scaled to length 1: the inner product of two such columns is their correlation.
 */
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
