import type { Bars } from "../bars.ts";
import { civilOfDay, dayOfCivil } from "../calendar.ts";
import { annualGrowth } from "../annual-growth.ts";

/** The outcome of buying a coin at the first close of a year and holding it to the coin's last day. */
export interface BuyHoldYear {
  readonly year: number;
  /** Day of the purchase: 1 January, or the coin's first day in the year its history begins. */
  readonly entryDay: number;
  readonly entryPriceUsd: number;
  /** Days from entry to the coin's last day; 0 when they are the same day. */
  readonly daysHeld: number;
  /** Value at the last close of 1,000 dollars invested. */
  readonly valueOf1000Usd: number;
  readonly totalReturn: number;
  /**
   * Return of the calendar year: from the last close of the year before (in the first year, its first close) to the
   * year's last close, or to the coin's last day.
   */
  readonly calendarReturn: number;
  /** NaN when no day has passed, or when the figure is beyond float64. */
  readonly cagr: number;
  /** Day of the highest close from entry to the last day, both included; the first one on a tie. */
  readonly peakDay: number;
  readonly peakPriceUsd: number;
  readonly peakReturn: number;
  /** Deepest fall of a close below the highest close since entry: zero or negative. */
  readonly maxDrawdown: number;
  /**
   * Day of the high before that fall (the first one on a tie); null when no close fell below an earlier
   * one.
   */
  readonly drawdownFromDay: number | null;
  /** First day at the deepest point; null likewise. */
  readonly drawdownToDay: number | null;
  /** Whether it was bought later than on 1 January, as in the year in which the coin's history begins. */
  readonly partial: boolean;
}

/** Buy-and-hold outcomes of one coin: one for each calendar year in which it has a close, oldest first. */
export function buyHoldYears(bars: Bars): BuyHoldYear[] {
  const entries: number[] = [];
  let year = -Infinity;
  for (let row = 0; row < bars.day.length; row++) {
    const rowYear = civilOfDay(bars.day[row]!).year;
    if (rowYear === year) continue;
    year = rowYear;
    entries.push(row);
  }
  return entries.map((entry, index) => {
    const next = entries[index + 1] ?? bars.day.length;
    const before = bars.close[Math.max(0, entry - 1)]!; // the first year begins with its first close
    const calendarReturn = bars.close[next - 1]! / before - 1;
    return { ...holdOutcome(bars, entry), calendarReturn };
  });
}

/** What became of a purchase at the close of a row, held to the bars' last day. */
export type HoldOutcome = Omit<BuyHoldYear, "calendarReturn">;

export function holdOutcome(bars: Bars, entry: number): HoldOutcome {
  const last = bars.day.length - 1;
  const { year } = civilOfDay(bars.day[entry]!);
  const entryDay = bars.day[entry]!;
  const entryPriceUsd = bars.close[entry]!;
  const growth = bars.close[last]! / entryPriceUsd;
  const daysHeld = bars.day[last]! - entryDay;
  const { peak, from, to } = extremes(bars.close, entry);
  const fell = to > from;
  return {
    year,
    entryDay,
    entryPriceUsd,
    daysHeld,
    valueOf1000Usd: 1000 * growth,
    totalReturn: growth - 1,
    cagr: annualGrowth(growth, daysHeld),
    peakDay: bars.day[peak]!,
    peakPriceUsd: bars.close[peak]!,
    peakReturn: bars.close[peak]! / entryPriceUsd - 1,
    maxDrawdown: fell ? bars.close[to]! / bars.close[from]! - 1 : 0,
    drawdownFromDay: fell ? bars.day[from]! : null,
    drawdownToDay: fell ? bars.day[to]! : null,
    partial: entryDay !== dayOfCivil({ year, month: 1, dayOfMonth: 1 }),
  };
}

/** From `entry` on, the row of the highest close and the rows where the deepest drawdown begins and ends. */
function extremes(close: Float64Array, entry: number): { peak: number; from: number; to: number } {
  let peak = entry;
  let from = entry;
  let to = entry;
  let lowestRatio = 1;
  for (let row = entry + 1; row < close.length; row++) {
    if (close[row]! > close[peak]!) peak = row;
    const ratio = close[row]! / close[peak]!;
    if (ratio < lowestRatio) {
      lowestRatio = ratio;
      from = peak;
      to = row;
    }
  }
  return { peak, from, to };
}
