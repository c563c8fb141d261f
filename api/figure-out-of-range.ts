/**
 * A figure that JSON cannot express: it exceeds float64's largest number. Prices may lie between 1e-30 and 1e30, so a
 * rule that buys low and sells high gets there in six good trades.
 */
export class FigureOutOfRange extends Error {}

export const OUT_OF_RANGE = "beyond the largest number of float64, 1.8e308";

/** A figure that has a value. `written` is the form that JSON gets. */
export function known(value: number, written: number | null): number {
  if (written !== null && Number.isFinite(written)) return written;
  if (Number.isNaN(value)) throw new Error("a figure that is always there has no value");
  throw new FigureOutOfRange(`a figure is ${OUT_OF_RANGE}`);
}
