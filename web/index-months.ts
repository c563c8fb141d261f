import { decimal, monthName } from "./format.ts";
import type { IndexMonth, OverfittingIndex } from "../api/overfitting-index.ts";

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

/** Where luck alone puts the index of a month, and in how many draws; null until the month has its draws. */
export function bandOf({ null_band: band }: IndexMonth) {
  const { low = null, high = null, draws = 0 } = band ?? {};
  return low === null || high === null ? null : { low, high, draws };
}

/** A sentence on how many months are outside their bands, how many luck puts there, and which stand out beyond that. */
export function luckSentence({ history, luck }: Pick<OverfittingIndex, "history" | "luck">) {
  const { months, outside, outside_by_luck: byLuck, standing_out: standing } = luck;
  if (months === 0) return undefined;
  const left = knownMonths({ history }).length - months;
  const named = history.filter(({ stands_out: is }) => is === true).map(({ month }) => month);
  return [
    `${outside} of ${months} ${months === 1 ? "month lies" : "months lie"} outside ${months === 1 ? "its" : "their"} band; luck alone puts ${decimal(byLuck, 1)} there.`,
    standing === 0
      ? "None stands out beyond what luck does with as many months."
      : `Beyond what luck does with as many months ${standing === 1 ? "stands" : "stand"} ${named.map(monthName).join(", ")}.`,
    left === 0 ? "" : `The band of ${left} more is not yet computed.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

const CLEAR = 5;

/** What a value of the index means, as words that follow "is". */
export function indexMeaning({ value, stands_out: standsOut }: KnownMonth): string {
  if (standsOut === true)
    return value < 50 ? "lower than luck explains" : "higher than luck explains";
  if (Math.abs(value - 50) < CLEAR) return "a coin flip";
  const side = value < 50 ? "below 50" : "above 50";
  return standsOut === null ? `${side}, luck not yet computed` : `${side}, as luck makes it`;
}
