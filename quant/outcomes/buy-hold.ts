import type { Bars } from "../bars.ts";
import { civilOfDay, dayOfCivil } from "../calendar.ts";
import { annualGrowth } from "../annual-growth.ts";

/** What became of money put into a coin at the first close of a year and held to its last day. */
export interface BuyHoldYear {
  readonly year: number;
  /** Day of the purchase: 1 January, or the coin's first day when that is later in its year. */
  readonly entryDay: number;
  readonly entryPriceUsd: number;
  /** Days from entry to the coin's last day; 0 when they are the same day. */
  readonly daysHeld: number;
  /** Value at the last close of 1,000 dollars put in. */
  readonly valueOf1000Usd: number;
  readonly totalReturn: number;
  /** NaN when no day has passed, or when it is beyond float64. */
  readonly cagr: number;
  /** Day of the highest close from entry to the last day, both included; the first of equals. */
  readonly peakDay: number;
  readonly peakPriceUsd: number;
  readonly peakReturn: number;
  /** Deepest fall of a close below the highest close since entry: zero or negative. */
  readonly maxDrawdown: number;
  /** Day of the high it fell from (the first of equals); null when no close fell below a former. */
  readonly drawdownFromDay: number | null;
  /** First day at the deepest point; null as above. */
  readonly drawdownToDay: number | null;
  /** The year's first close is later than 1 January: the coin's history begins within the year. */
  readonly partial: boolean;
}

/** Buy-and-hold outcomes of one coin, one for each calendar year it has a close in, oldest first. */
export function buyHoldYears(bars: Bars): BuyHoldYear[] {
  const outcomes: BuyHoldYear[] = [];
  let year = -Infinity;
  for (let row = 0; row < bars.day.length; row++) {
    const rowYear = civilOfDay(bars.day[row]!).year;
    if (rowYear === year) continue;
    year = rowYear;
    outcomes.push(outcomeOf(bars, row, year));
  }
  return outcomes;
}

function outcomeOf(bars: Bars, entry: number, year: number): BuyHoldYear {
  const last = bars.day.length - 1;
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

/** Rows of the highest close and of the deepest drawdown's two ends, from `entry` to the end. */
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
