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
  /** Days by which the panel's dates lie behind the closes they are about; 0 or 1. */
  readonly shift: number;
  readonly warnings: readonly CheckWarning[];
}

/**
 * The returns of a coin over the bars of a panel, from close to close. Most tools date a bar by its first instant,
 * zipline and freqtrade's wallet by the midnight at which it ends: that is believed where it explains clearly more of
 * the variants' returns. Undefined where the coin has no close for some bar.
 */
export function coinReturns(panel: Panel, name: string, bars: Bars): AlignedCoin | undefined {
  const asDated = returnsAt(panel, bars, 0);
  const dayLate = returnsAt(panel, bars, 1);
  if (asDated === undefined && dayLate === undefined) return undefined;
  const [own, late] = [asDated, dayLate].map((coin) =>
    coin === undefined ? -1 : explained(panel, coin),
  );
  if (asDated !== undefined && own! + SHIFT_MARGIN >= late!)
    return { returns: asDated, shift: 0, warnings: [] };
  const message = `the dates fit the closes of ${name} on the day before, so they were read as ends of days`;
  return { returns: dayLate!, shift: 1, warnings: [{ code: "dates_end_days", message }] };
}

/** Undefined where the coin has no close for each bar. */
function returnsAt({ instants }: Panel, bars: Bars, shift: number): Float64Array | undefined {
  const days = Array.from(instants, (instant) => Math.floor(instant / DAY_SECONDS) - shift);
  const steps = days.slice(1).map((day, place) => day - days[place]!);
  const rows = [days[0]! - Math.round(median(steps)), ...days].map((day) => rowOfDay(bars, day));
  if (rows.some((row) => row < 0)) return undefined;
  return Float64Array.from(
    days,
    (_, place) => bars.close[rows[place + 1]!]! / bars.close[rows[place]!]! - 1,
  );
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
