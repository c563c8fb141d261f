import { countKnown, mean } from "../sample-statistics.ts";

/**
 * One headline figure of a scope: the result of choosing by backtest, beside that of a coin flip. NaN means
 * "no value"; a coin flip has none where nothing is chosen.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly coinFlip: number;
  /** Number of picks, runs, cells or coins behind the value. */
  readonly count: number;
  /** Least and greatest value that is no more than luck: `docs/dataset.md`, "The headline". */
  readonly range?: readonly [low: number, high: number] | undefined;
}

/** From the least to the greatest of the values that are known; undefined without one. */
export function rangeOf(values: readonly number[]): readonly [number, number] | undefined {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : [Math.min(...known), Math.max(...known)];
}

/** Mean of a list, without its NaN entries, beside a known coin flip. */
export function meanFigure(name: string, values: ArrayLike<number>, coinFlip: number): Figure {
  return { name, value: mean(values), coinFlip, count: countKnown(values) };
}

/** 1 when `one` is larger, 0 when `other` is, one half on a tie; NaN when either has no value. */
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
