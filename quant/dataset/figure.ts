import { mean } from "./quantile.ts";

/**
 * One headline figure of a scope: what choosing by the backtest gave, beside what a coin flip gives.
 * NaN is "no value", also of a coin flip where there is nothing to choose.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly coinFlip: number;
  /** Picks, runs, cells or coins that the value is taken over. */
  readonly count: number;
}

/** A mean over a list, NaN entries left out, beside a known coin flip. */
export function meanFigure(name: string, values: ArrayLike<number>, coinFlip: number): Figure {
  let count = 0;
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) count++;
  return { name, value: mean(values), coinFlip, count };
}

/** How many of `count` there are. */
export function countFigure(name: string, value: number, coinFlip: number, count: number): Figure {
  return { name, value, coinFlip, count };
}

/** 1 when `one` is the larger, 0 when the other is, one half on a tie; NaN when either has no value. */
export function beats(one: number, other: number): number {
  if (Number.isNaN(one) || Number.isNaN(other)) return NaN;
  if (one === other) return 0.5;
  return one > other ? 1 : 0;
}

/** 1 or 0, for shares; NaN when one of `needs` has no value. */
export function share(holds: boolean, ...needs: readonly number[]): number {
  if (needs.some((value) => Number.isNaN(value))) return NaN;
  return holds ? 1 : 0;
}
