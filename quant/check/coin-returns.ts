import type { Bars } from "../bars.ts";
import { rowOfDay } from "../bars.ts";
import { dateOfDay } from "../calendar.ts";
import { median } from "../sample-statistics.ts";
import { DAY_SECONDS } from "./ordered-rows.ts";
import { PanelRefused, type CheckWarning, type Panel } from "./panel.ts";

/** How much more of the variance the day before has to explain: realised profits follow no day's close. */
const SHIFT_MARGIN = 0.05;

/** The coin's returns over a panel's bars. */
interface AlignedCoin {
  readonly returns: Float64Array;
  /** Days by which the panel's dates lie behind the closes they are about: 1, 0 or, of days, -1. */
  readonly shift: number;
  readonly warnings: readonly CheckWarning[];
}

/** A way to read dates: the days of the closes before, between and after the bars. */
interface Dating {
  readonly closes: readonly number[];
  readonly shift: number;
  readonly warnings: readonly CheckWarning[];
}

/**
 * The returns of a coin over the bars of a panel, from close to close. Most tools date a day by its first instant and a
 * longer bar by its last day. zipline and freqtrade's wallet date a day by the midnight at which it ends, pandas longer
 * bars by their first day, and a day that began at midnight east of Greenwich is the day before in UTC. Those are
 * believed where they explain clearly more of the variants' returns. Undefined where the coin has no close for some bar.
 */
export function coinReturns(panel: Panel, name: string, bars: Bars): AlignedCoin | undefined {
  let best: (AlignedCoin & { readonly explained: number }) | undefined;
  for (const { closes, ...dating } of datings(panel, name)) {
    const returns = returnsBetween(closes, bars);
    if (returns === undefined) continue;
    const found = { ...dating, returns, explained: explained(panel, returns) };
    const toBeat = best?.explained ?? (dating.shift < 0 ? 0 : -1); // starts are never believed for want of others
    if (found.explained > toBeat + SHIFT_MARGIN) best = found;
  }
  return best && { returns: best.returns, shift: best.shift, warnings: best.warnings };
}

function datings({ instants }: Panel, name: string): readonly Dating[] {
  const days = Array.from(instants, (instant) => Math.floor(instant / DAY_SECONDS));
  const step = Math.round(median(days.slice(1).map((day, place) => day - days[place]!)));
  const asDated = [days[0]! - step, ...days];
  const read = (code: string, closes: readonly number[], [fit, as]: readonly [string, string]) => {
    const message = `the dates fit the closes of ${name} ${fit}, so they were read as ${as}`;
    return { closes, shift: asDated[1]! - closes[1]!, warnings: [{ code, message }] };
  };
  const dayBefore = asDated.map((day) => day - 1);
  const late = read("dates_end_days", dayBefore, ["on the day before", "ends of days"]);
  const early =
    step === 1
      ? read(
          "dates_begin_days",
          asDated.map((day) => day + 1),
          ["on the day after", "starts of days"],
        )
      : read(
          "dates_begin_bars",
          [...dayBefore.slice(1), days.at(-1)! + step - 1],
          ["at the ends of bars that begin on them", "starts of bars"],
        );
  return [{ closes: asDated, shift: 0, warnings: [] }, late, early];
}

/** Undefined where the coin has no close on one of the days. */
function returnsBetween(days: readonly number[], bars: Bars): Float64Array | undefined {
  const closes = days.map((day) => bars.close[rowOfDay(bars, day)]);
  if (closes.includes(undefined)) return undefined;
  return Float64Array.from(closes.slice(1), (end, place) => end! / closes[place]! - 1);
}

/** Mean over the variants of the squared correlation with the coin. */
function explained({ columns }: Panel, coin: Float64Array): number {
  let sum = 0;
  for (const column of columns) sum += correlation(column, coin) ** 2;
  return sum / columns.length;
}

function correlation(a: Float64Array, b: Float64Array): number {
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

/** Why a coin has no returns over a panel's bars. */
export function closesMissing({ instants }: Panel, name: string, bars: Bars): PanelRefused {
  const date = (instant: number) => dateOfDay(Math.floor(instant / DAY_SECONDS));
  return new PanelRefused(
    `the closes of ${name} are known from ${dateOfDay(bars.day[0]!)} to ${dateOfDay(bars.day.at(-1)!)}, the file ` +
      `goes from ${date(instants[0]!)} to ${date(instants.at(-1)!)} and needs the day before it`,
  );
}
