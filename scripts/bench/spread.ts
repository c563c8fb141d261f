import { median } from "../../quant/sample-statistics.ts";

/** The median of some measurements and how far apart they lie. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * The ratio of two measurements, round by round. What slows a whole round down, such as other work on the
 * machine, slows both and cancels out.
 */
export function ratioSpread(above: readonly number[], below: readonly number[]): Spread {
  return spreadOf(above.map((value, round) => value / below[round]!));
}
