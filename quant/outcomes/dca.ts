import { sliceBars, type Bars } from "../bars.ts";
import { civilOfDay } from "../calendar.ts";
import { annualGrowth } from "../annual-growth.ts";
import { moneyWeightedRate } from "./money-weighted-rate.ts";
import type { DcaFrequency, PurchaseTrack } from "./purchase-track.ts";
import { GAP_DAYS, purchaseTracks } from "./purchase-track.ts";

/**
 * A coin's schedules of one frequency: one row for each day of its history as the start day. All schedules are held
 * to the coin's last day and put in one dollar per purchase; other amounts only scale the result.
 *
 * Purchases are made at the close: on the start day and then every day, every 7 or every 14 days, or on the same day of
 * each following month (on the month's last day if it has no such day). A purchase due on the last day is made.
 */
export type DcaColumns = Readonly<ReturnType<typeof emptyColumns>>;

/**
 * A value this close to what was invested, relatively, equals it. A schedule's first day and a price that never
 * moves break even by definition, however the units are rounded.
 */
const EVEN_TOLERANCE = 1e-12;

/** The outcome of every start day of a coin's history. */
export function dcaColumns(bars: Bars, frequency: DcaFrequency): DcaColumns {
  const columns = emptyColumns(bars);
  for (const track of purchaseTracks(bars, frequency)) {
    const stretches = stretchesOf(bars.close, track, 0);
    for (let k = 0; k < track.rows.length; k++) {
      if (track.isStart[k] === 1) followPlan({ bars, frequency, track, stretches, columns }, k);
    }
  }
  fillLumpSum(bars, columns, { from: 0, feeRate: 0 });
  return columns;
}

/** One schedule: its first purchase is on row `from`, and it ends before row `to`. */
export interface DcaWindow {
  readonly frequency: DcaFrequency;
  readonly from: number;
  readonly to: number;
  /** Of the price. Fees count as invested: an amount buys amount / (close x (1 + fee)). */
  readonly feeRate: number;
}

/** The outcome of one schedule, in columns up to its last day. Only the row `from` has all its values. */
export function dcaOfWindow(history: Bars, { frequency, from, to, feeRate }: DcaWindow) {
  const bars = sliceBars(history, 0, to);
  const columns = emptyColumns(bars);
  const gapDays = GAP_DAYS[frequency];
  const phase = gapDays === null ? civilOfDay(bars.day[from]!).dayOfMonth - 1 : from % gapDays;
  const track = purchaseTracks(bars, frequency)[phase]!; // of the day of the month, or of the first rows
  const stretches = stretchesOf(bars.close, track, feeRate);
  followPlan({ bars, frequency, track, stretches, columns }, track.rows.indexOf(from));
  fillLumpSum(bars, columns, { from, feeRate });
  return columns;
}

function emptyColumns({ day }: Bars) {
  const doubles = () => new Float64Array(day.length);
  const integers = () => new Int32Array(day.length);
  return {
    startDay: day.slice(),
    /** Number of purchases, which is also the dollars invested. */
    purchases: integers(),
    units: doubles(),
    /** Value in dollars of all units at the last close. */
    value: doubles(),
    /** Annualised money-weighted return, XIRR on actual days over 365; NaN where undefined. */
    irr: doubles(),
    /**
     * Lowest value relative to the money invested by then: zero or negative. All closes from the first
     * purchase to the last day count; a day's own purchase counts as invested.
     */
    worstReturn: doubles(),
    /** First day of that return; the start day when the schedule was never under water. */
    worstDay: integers(),
    /** Days, from the start day to the last inclusive, on which the value closes below what was invested. */
    daysUnderWater: integers(),
    /** Share of those days on which it closes above. A day that closes exactly on it counts for neither. */
    daysInProfitShare: doubles(),
    /** The same total invested at once, at the start day's close. */
    lumpSumUnits: doubles(),
    lumpSumValue: doubles(),
    /** NaN when no day has passed, or when the figure is beyond float64. */
    lumpSumCagr: doubles(),
    /** Deepest fall of a close below the highest close since the start day: zero or negative. */
    lumpSumMaxDrawdown: doubles(),
  };
}

/**
 * What schedules need to know about the days from each purchase of a track to the day before the next: the units
 * that a dollar buys, the lowest and the highest close, the row of the lowest, and the row after the last.
 */
function stretchesOf(close: Float64Array, { rows }: PurchaseTrack, feeRate: number) {
  const first = Float64Array.from(rows, (row) => close[row]!);
  const units = first.map((price) => 1 / (price * (1 + feeRate)));
  const lowest = first.slice();
  const lowestRow = rows.slice();
  const highest = first;
  const end = rows.map((_, k) => rows[k + 1] ?? close.length);
  for (let k = 0; k < rows.length; k++) {
    for (let row = rows[k]! + 1; row < end[k]!; row++) {
      if (close[row]! > highest[k]!) highest[k] = close[row]!;
      if (close[row]! >= lowest[k]!) continue;
      lowest[k] = close[row]!;
      lowestRow[k] = row;
    }
  }
  return { units, lowest, lowestRow, highest, end };
}

interface PlanInput {
  readonly bars: Bars;
  readonly frequency: DcaFrequency;
  readonly track: PurchaseTrack;
  readonly stretches: ReturnType<typeof stretchesOf>;
  readonly columns: DcaColumns;
}

/**
 * Fills the row of the schedule that starts at purchase `first` of the track. Dollars invested and units held
 * change only at purchases. When both extremes of a stretch lie on the same side of what was invested, so do all
 * its days.
 */
function followPlan(input: PlanInput, first: number): void {
  const { bars, track, stretches, columns } = input;
  const { close } = bars;
  const { rows } = track;
  const { lowest, lowestRow, highest, end } = stretches;
  const start = rows[first]!;
  const last = close.length - 1;
  let units = 0;
  let worst = 1 - EVEN_TOLERANCE; // value / invested
  let worstRow = -1;
  let underWater = 0;
  let inProfit = 0;
  for (let k = first; k < rows.length; k++) {
    units += stretches.units[k]!;
    const invested = k - first + 1;
    const below = invested * (1 - EVEN_TOLERANCE);
    const above = invested * (1 + EVEN_TOLERANCE);
    const lowestValue = units * lowest[k]!;
    if (lowestValue < worst * invested) {
      worst = lowestValue / invested;
      worstRow = lowestRow[k]!;
    }
    if (units * highest[k]! < below) underWater += end[k]! - rows[k]!;
    else if (lowestValue > above) inProfit += end[k]! - rows[k]!;
    else {
      // Sums of booleans, since the processor cannot predict a branch on prices near the average cost.
      const lossLimit = below / units;
      const profitLimit = above / units;
      for (let row = rows[k]!; row < end[k]!; row++) {
        underWater += Number(close[row]! < lossLimit);
        inProfit += Number(close[row]! >= profitLimit);
      }
    }
  }
  const value = settled(units * close[last]!, rows.length - first);
  columns.purchases[start] = rows.length - first;
  columns.units[start] = units;
  columns.value[start] = value;
  columns.irr[start] = moneyWeightedRate({ rows, first, last, value }, input.frequency);
  columns.worstReturn[start] = worstRow < 0 ? 0 : worst - 1;
  columns.worstDay[start] = bars.day[worstRow < 0 ? start : worstRow]!;
  columns.daysUnderWater[start] = underWater;
  columns.daysInProfitShare[start] = inProfit / (last - start + 1);
}

/** The value, or what was invested where only rounding tells the two apart. */
function settled(value: number, invested: number): number {
  return Math.abs(value - invested) <= EVEN_TOLERANCE * invested ? invested : value;
}

/** Goes backwards, since the deepest drawdown from a day is the next day's or one that starts at its own close. */
function fillLumpSum(
  { close }: Bars,
  columns: DcaColumns,
  { from, feeRate }: Pick<DcaWindow, "from" | "feeRate">,
): void {
  const last = close.length - 1;
  let lowest = Infinity;
  let maxDrawdown = 0;
  for (let row = last; row >= from; row--) {
    lowest = Math.min(lowest, close[row]!);
    maxDrawdown = Math.min(maxDrawdown, lowest / close[row]! - 1);
    const invested = columns.purchases[row]!;
    const units = invested / (close[row]! * (1 + feeRate));
    columns.lumpSumUnits[row] = units;
    columns.lumpSumValue[row] = settled(units * close[last]!, invested);
    columns.lumpSumCagr[row] = annualGrowth(
      close[last]! / (close[row]! * (1 + feeRate)),
      last - row,
    );
    columns.lumpSumMaxDrawdown[row] = maxDrawdown;
  }
}
