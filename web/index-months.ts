import type { IndexMonth, OverfittingIndex } from "../api/overfitting-index.ts";

/** The months of an answer to `GET /overfitting-index`. */
type IndexData = Pick<OverfittingIndex, "history">;

export interface KnownMonth extends IndexMonth {
  readonly value: number;
}

/** Months that have a value, oldest first. */
export function knownMonths({ history }: IndexData): readonly KnownMonth[] {
  return history.filter((month): month is KnownMonth => month.value !== null);
}

/** The newest month with a value. */
export function newestMonth(data: IndexData): KnownMonth | undefined {
  return knownMonths(data).at(-1);
}

/** The newest band of a month that has one. */
export function newestBand({ history }: IndexData): { low: number; high: number } | null {
  const band = history.findLast(({ null_band: known }) => known !== null)?.null_band;
  const { low = null, high = null } = band ?? {};
  return low === null || high === null ? null : { low, high };
}

const CLEAR = 5;

/** What a value of the index says, in words that follow "is". */
export function indexMeaning({ value, significant }: KnownMonth): string {
  if (significant !== true && Math.abs(value - 50) < CLEAR) return "a coin flip";
  if (significant === true)
    return value < 50 ? "lower than luck explains" : "higher than luck explains";
  return value < 50 ? "within luck, a little below 50" : "within luck, a little above 50";
}
