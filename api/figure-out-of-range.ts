/**
 * Thrown for a figure that JSON cannot express, because it exceeds the largest float64. Prices may lie between 1e-30 and
 * 1e30, so a rule that buys low and sells high gets there in six good trades.
 */
export class FigureOutOfRange extends Error {}

export const OUT_OF_RANGE = "beyond the largest number of float64, 1.8e308";

/** The written form of a figure that always exists. Throws where the figure is infinite. */
export function known(value: number, written: number | null): number {
  if (written !== null && Number.isFinite(written)) return written;
  if (Number.isNaN(value)) throw new Error("a figure that is always there has no value");
  throw new FigureOutOfRange(`a figure is ${OUT_OF_RANGE}`);
}
