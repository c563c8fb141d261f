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
  const far = history.map(({ deviations }) => Math.abs(deviations ?? 0));
  if (months === 0) return undefined;
  const left = knownMonths({ history }).length - months;
  const named = history.filter(({ stands_out: is }) => is === true).map(({ month }) => month);
  return [
    `${outside} of ${months} ${months === 1 ? "month lies" : "months lie"} outside ${months === 1 ? "its" : "their"} band; luck alone puts ${decimal(byLuck, 1)} there.`,
    standing === 0
      ? `None is farther than ${decimal(Math.max(...far), 1)} deviations from the mean of its draws, and luck with as many months goes to ${decimal(luck.bar, 1)}.`
      : `Beyond what luck does with as many months ${standing === 1 ? "stands" : "stand"} ${named.map(monthName).join(", ")}.`,
    left === 0 ? "" : `The band of ${left} more is not yet computed.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** A value of the index beside where luck alone puts all months, as words that follow "is". */
export function indexWords({ value }: KnownMonth, { low, high }: OverfittingIndex["luck"]): string {
  const luck =
    low === null || high === null
      ? "luck not yet computed"
      : `luck alone makes ${decimal(low, 0)} to ${decimal(high, 0)}`;
  return `${decimal(value, 1)}; ${luck}`;
}

/** On which side of luck a value of the index is, as a headline; undefined without a band. */
export function besideLuck(
  { value }: KnownMonth,
  { low, high }: OverfittingIndex["luck"],
): string | undefined {
  if (low === null || high === null) return undefined;
  const side = value < low ? "below" : value > high ? "above" : "within";
  return `The overfitting index is ${side} what luck alone makes`;
}
