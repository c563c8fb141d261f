import { mean, median } from "../../quant/sample-statistics.ts";

/** What the values of a column look like, empty cells aside. */
export interface SeriesShape {
  readonly count: number;
  readonly first: number;
  readonly least: number;
  readonly most: number;
  readonly median: number;
  /** Whether any value differs from the first. */
  readonly moves: boolean;
  /**
   * Mean square of the steps over the variance: 2 for independent values, 0.1 for the returns of positions that overlap
   * over 20 bars, far below for anything added up.
   */
  readonly roughness: number;
  readonly deviation: number;
}

const KNOWN = new WeakMap<Float64Array, SeriesShape>();

/** Columns never change, and each is measured more than once. */
export function shapeOf(values: Float64Array): SeriesShape {
  const shape = KNOWN.get(values) ?? newShape(values);
  KNOWN.set(values, shape);
  return shape;
}

function newShape(values: Float64Array): SeriesShape {
  const known = values.filter((value) => !Number.isNaN(value));
  let [least, most] = [Infinity, -Infinity];
  for (const value of known) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const first = known[0] ?? NaN;
  const moves = known.length > 0 && (least !== first || most !== first);
  return {
    count: known.length,
    first,
    least,
    most,
    median: known.length === 0 ? NaN : median(known),
    moves,
    ...spreadOf(known),
  };
}

function spreadOf(values: Float64Array): Pick<SeriesShape, "roughness" | "deviation"> {
  const center = mean(values);
  let [steps, squares] = [0, 0];
  for (let row = 1; row < values.length; row++) {
    steps += (values[row]! - values[row - 1]!) ** 2;
    squares += (values[row]! - center) ** 2;
  }
  return { roughness: steps / squares, deviation: Math.sqrt(squares / values.length) };
}

/** Of a name that promises a sum: above, its values are single bars all the same. */
export const ROUGH = 1;

/** Values that are added up or that stay where they were, and no returns of single bars. */
export const SMOOTH = 0.1;

/** Steps of a level, value over the one before less 1; NaN where either is missing or not above 0. */
export function stepsOf(values: Float64Array): Float64Array {
  return values.map((value, row) => {
    const before = row === 0 ? NaN : values[row - 1]!;
    return value > 0 && before > 0 ? value / before - 1 : NaN;
  });
}
