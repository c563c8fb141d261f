import { mean, median } from "../../quant/sample-statistics.ts";

/** A column of numbers. NaN is an empty cell. */
export interface Series {
  readonly name: string;
  readonly values: Float64Array;
  readonly shape: SeriesShape;
}

/** What the values of a column look like. Empty cells don't count. */
export interface SeriesShape {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  readonly median: number;
  /** Whether any value differs from the first. */
  readonly moves: boolean;
  /**
   * Mean square of the steps over the variance. It is 2 for independent values, 0.1 for returns of positions that overlap
   * for 20 bars, and far lower for anything cumulative.
   */
  readonly roughness: number;
  readonly deviation: number;
}

/** Values rougher than this are of single bars, even where the column's name promises a sum. */
export const ROUGH = 1;

/** Values smoother than this are levels or sums, and not returns of single bars. */
export const SMOOTH = 0.1;

export function shapeOf(values: Float64Array): SeriesShape {
  const known = values.filter((value) => !Number.isNaN(value));
  const [first = NaN] = known;
  const center = mean(known);
  let [least, most, steps, squares] = [Infinity, -Infinity, 0, 0];
  for (const [row, value] of known.entries()) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    if (row === 0) continue;
    steps += (value - known[row - 1]!) ** 2;
    squares += (value - center) ** 2;
  }
  return {
    first,
    least,
    most,
    median: median(known),
    moves: known.length > 0 && (least !== first || most !== first),
    roughness: steps / squares,
    deviation: Math.sqrt(squares / known.length),
  };
}

/** The return of each row of a level. NaN where a row or the one before it is missing or not above 0. */
export function stepsOf(values: Float64Array): Float64Array {
  return values.map((value, row) => {
    const before = row === 0 ? NaN : values[row - 1]!;
    return value > 0 && before > 0 ? value / before - 1 : NaN;
  });
}
