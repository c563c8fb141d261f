import { rowOfDay, type Bars } from "../bars.ts";
import { dateOfDay } from "../calendar.ts";
import { median } from "../sample-statistics.ts";
import { dayOf, instantText } from "./ordered-rows.ts";
import type { CheckWarning, Panel } from "./panel.ts";

/** A shifted reading must explain at least this much more of the variance: realised profits follow no day's close. */
const SHIFT_MARGIN = 0.05;

/** Share of the bars that a coin has to cover; the days that both have would otherwise be another record. */
const COVERED_MIN = 0.9;

/** A way to read dates: the days of the closes before, between and after the bars. */
interface Dating {
  readonly closes: readonly number[];
  /** Days by which the panel's dates are later than the closes they refer to: 1, 0 or, for daily bars, -1. */
  readonly shift: number;
  readonly warnings: readonly CheckWarning[];
}

/** The coin's returns over a panel's bars, or over those from `from` on that it covers. */
interface CoveredBars {
  readonly returns: Float64Array;
  readonly from: number;
}

/**
 * The returns of a coin over the bars of a panel, from close to close. Most tools date a day by its first instant and a
 * longer bar by its last day. zipline and freqtrade's wallet date a day by the midnight at which it ends, pandas longer
 * bars by their first day, and a day that began at midnight east of Greenwich is the day before in UTC. These readings
 * are used where they explain clearly more of the variants' returns. Where the coin lacks closes at either end, the
 * other bars count; undefined where it lacks more than a tenth.
 */
export function coinReturns(panel: Panel, name: string, bars: Bars) {
  let best: (Omit<Dating, "closes"> & CoveredBars & { readonly explained: number }) | undefined;
  for (const { closes, shift, warnings } of datings(panel, name)) {
    const covered = returnsBetween(closes, bars);
    if (covered === undefined) continue;
    const explained = explainedBy(panel, covered);
    const toBeat = best?.explained ?? (shift < 0 ? 0 : -1); // starts are never believed for want of others
    if (explained > toBeat + SHIFT_MARGIN) best = { ...covered, shift, warnings, explained };
  }
  if (best === undefined) return undefined;
  const { returns, from, shift, warnings } = best;
  return { returns, from, shift, warnings: [...warnings, ...uncovered(panel, name, best)] };
}

function uncovered(
  { instants }: Panel,
  name: string,
  { returns, from }: CoveredBars,
): readonly CheckWarning[] {
  const missing = instants.length - returns.length;
  if (missing === 0) return [];
  const [first, last] = [instants[from]!, instants[from + returns.length - 1]!].map(instantText);
  const message = `the closes of ${name} cover all but ${missing} of the bars: it is compared over those from ${first!} to ${last!}`;
  return [{ code: "coin_covers_part", message }];
}

function datings({ instants }: Panel, name: string): readonly Dating[] {
  const days = Array.from(instants, dayOf);
  const step = Math.round(median(days.slice(1).map((day, index) => day - days[index]!)));
  const asDated = [days[0]! - step, ...days];
  const dayBefore = asDated.map((day) => day - 1);
  const read = (code: string, closes: readonly number[], words: string): Dating => {
    const message = `the dates fit the closes of ${name} ${words}`;
    return { closes, shift: asDated[1]! - closes[1]!, warnings: [{ code, message }] };
  };
  return [
    { closes: asDated, shift: 0, warnings: [] },
    read("dates_end_days", dayBefore, "on the day before, so they were read as ends of days"),
    step === 1
      ? read(
          "dates_begin_days",
          asDated.map((day) => day + 1),
          "on the day after, so they were read as starts of days",
        )
      : read(
          "dates_begin_bars",
          [...dayBefore.slice(1), days.at(-1)! + step - 1],
          "at the ends of bars that begin on them, so they were read as starts of bars",
        ),
  ];
}

/** From the first to the last day with a close; undefined where they are too few. */
function returnsBetween(days: readonly number[], bars: Bars): CoveredBars | undefined {
  const closes = days.map((day) => bars.close[rowOfDay(bars, day)]);
  const from = closes.findIndex((close) => close !== undefined);
  const to = closes.findLastIndex((close) => close !== undefined);
  const covered = closes.slice(from, to + 1);
  if (from < 0 || covered.includes(undefined)) return undefined;
  if (covered.length - 1 < COVERED_MIN * (days.length - 1)) return undefined;
  const returns = Float64Array.from(covered.slice(1), (end, index) => end! / covered[index]! - 1);
  return { returns, from };
}

/** Mean over the variants of the squared correlation with the coin. */
function explainedBy({ columns }: Panel, { returns, from }: CoveredBars): number {
  let sum = 0;
  for (const column of columns)
    sum += correlation(column.subarray(from, from + returns.length), returns) ** 2;
  return sum / columns.length;
}

/** Pearson's correlation of two series of equal length. */
export function correlation(a: Float64Array, b: Float64Array): number {
  let [sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let row = 0; row < a.length; row++) {
    sa += a[row]!;
    sb += b[row]!;
    aa += a[row]! * a[row]!;
    bb += b[row]! * b[row]!;
    ab += a[row]! * b[row]!;
  }
  const n = a.length;
  return (ab - (sa * sb) / n) / Math.sqrt((aa - (sa * sa) / n) * (bb - (sb * sb) / n));
}

/** A warning that a panel was not compared with a coin, since the closes do not cover its bars. */
export function closesMissing({ instants }: Panel, name: string, bars: Bars): CheckWarning {
  const date = (instant: number) => dateOfDay(dayOf(instant));
  const message =
    `not compared with ${name}: its closes are known from ${dateOfDay(bars.day[0]!)} to ${dateOfDay(bars.day.at(-1)!)}, ` +
    `the file goes from ${date(instants[0]!)} to ${date(instants.at(-1)!)}, and nine tenths of its bars have to be covered`;
  return { code: "coin_not_covered", message };
}
