import type { Bars } from "../bars.ts";
import { civilOfDay, dayOfCivil } from "../calendar.ts";
import { annualGrowth } from "../annual-growth.ts";

/** The outcome of buying a coin at the first close of a year and holding it to the coin's last day. */
export type BuyHoldYear = HoldOutcome & {
  /**
   * Return of the calendar year: from the last close of the year before (in the first year, its first close) to
   * the year's last close, or to the coin's last day.
   */
  readonly calendarReturn: number;
};

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

/** What became of a purchase. */
export type HoldOutcome = Readonly<ReturnType<typeof holdOutcome>>;

/** What became of a purchase at the close of a row that is held to the bars' last day. */
export function holdOutcome(bars: Bars, entry: number) {
  const last = bars.day.length - 1;
  const entryDay = bars.day[entry]!;
  const { year } = civilOfDay(entryDay);
  const entryPriceUsd = bars.close[entry]!;
  const growth = bars.close[last]! / entryPriceUsd;
  const daysHeld = bars.day[last]! - entryDay;
  const { peak, from, to } = extremes(bars.close, entry);
  const fell = to > from;
  return {
    year,
    entryDay,
    entryPriceUsd,
    /** Days from entry to the last day; 0 when they are the same day. */
    daysHeld,
    /** Value at the last close of 1,000 dollars invested. */
    valueOf1000Usd: 1000 * growth,
    totalReturn: growth - 1,
    /** NaN when no day has passed, or when the figure is beyond float64. */
    cagr: annualGrowth(growth, daysHeld),
    /** Day of the highest close from entry to the last day, both included; the first one on a tie. */
    peakDay: bars.day[peak]!,
    peakPriceUsd: bars.close[peak]!,
    peakReturn: bars.close[peak]! / entryPriceUsd - 1,
    /** Deepest fall of a close below the highest close since entry: zero or negative. */
    maxDrawdown: fell ? bars.close[to]! / bars.close[from]! - 1 : 0,
    /** Day of the high before that fall (the first one on a tie); null when no close fell below an earlier one. */
    drawdownFromDay: fell ? bars.day[from]! : null,
    /** First day at the deepest point; null likewise. */
    drawdownToDay: fell ? bars.day[to]! : null,
    /** Whether it was bought later than on 1 January, as in the year in which the coin's history begins. */
    partial: entryDay !== dayOfCivil({ year, month: 1, dayOfMonth: 1 }),
  };
}

/** From `entry` on, the row of the highest close and the rows where the deepest drawdown begins and ends. */
function extremes(close: Float64Array, entry: number) {
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
