import type { Bars } from "../bars.ts";
import { emptyBars } from "../bars.ts";
import { randomBelow } from "./seeded-random.ts";

/**
 * The same days of several coins, each day stored as its effect on the price. Permuting the days and
 * multiplying the effects up again gives another market: one with the same days, the same links between
 * coins within a day and the same total gain of every coin, but no order that a strategy could learn.
 */
export interface Panel {
  readonly days: number;
  readonly coins: readonly PanelCoin[];
}

/** One coin's days. Every column has one row per day of the panel. */
interface PanelCoin {
  /** The close before the first day; prices are rebuilt from it. */
  readonly base: number;
  /** Open relative to the previous close. */
  readonly open: Float64Array;
  /** High and low relative to the day's own close. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** Close relative to the previous close. */
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Longest block of days that a permutation keeps together: blocks have 1 to 5 days, all equally likely. */
export const BLOCK_DAYS_MAX = 5;

/**
 * The panel of coins that all have the `days` days up to and including `lastDay`. A history that begins on
 * the panel's first day has no previous close; its first open is used instead. With `share`, columns lie in
 * shared memory and reach worker threads without a copy.
 */
export function panelOf(
  coins: readonly Bars[],
  { lastDay, days, share = false }: { lastDay: number; days: number; share?: boolean },
): Panel {
  const bytes = days * Float64Array.BYTES_PER_ELEMENT;
  const column = () =>
    new Float64Array(share ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  return {
    days,
    coins: coins.map((bars) => {
      const from = lastDay - days + 1 - (bars.day[0] ?? NaN);
      if (!(from >= 0 && from + days <= bars.day.length)) {
        throw new RangeError(`a coin of the panel does not have all ${days} days`);
      }
      const [open, high, low, close, volume] = [column(), column(), column(), column(), column()];
      const base = from > 0 ? bars.close[from - 1]! : bars.open[from]!;
      let previous = base;
      for (let day = 0; day < days; day++) {
        const price = bars.close[from + day]!;
        open[day] = bars.open[from + day]! / previous;
        high[day] = bars.high[from + day]! / price;
        low[day] = bars.low[from + day]! / price;
        close[day] = price / previous;
        volume[day] = bars.volume[from + day]!;
        previous = price;
      }
      return { base, open, high, low, close, volume };
    }),
  };
}

/**
 * The panel with each coin's mean daily return removed: the same days in a market where being invested
 * earns nothing on average, whether a strategy is invested often or rarely.
 */
export function withoutDrift(panel: Panel): Panel {
  const coins = panel.coins.map((coin) => {
    let sum = 0;
    for (let day = 0; day < panel.days; day++) sum += coin.close[day]!;
    const factor = panel.days / sum;
    const scaled = (column: Float64Array) => column.map((ratio) => ratio * factor);
    // High and low are relative to the close and move with it.
    return { ...coin, open: scaled(coin.open), close: scaled(coin.close) };
  });
  return { ...panel, coins };
}

/**
 * A random order of `days` days, each of which occurs once: they are cut into blocks of 1 to `longest` days,
 * starting from the first, and the blocks are shuffled (Fisher and Yates, Durstenfeld's form).
 */
export function permutedDays(
  days: number,
  random: () => number,
  longest = BLOCK_DAYS_MAX,
): Int32Array {
  const starts: number[] = [];
  for (let day = 0; day < days; day += 1 + randomBelow(longest, random)) starts.push(day);
  const order = Int32Array.from(starts.keys());
  for (let last = order.length - 1; last > 0; last--) {
    const other = randomBelow(last + 1, random);
    [order[last], order[other]] = [order[other]!, order[last]!]; // both indices are in range
  }
  const permuted = new Int32Array(days);
  let row = 0;
  for (const block of order) {
    const end = starts[block + 1] ?? days;
    for (let day = starts[block]!; day < end; day++) permuted[row++] = day;
  }
  return permuted;
}

/** Bars that go through the days in the given order (possibly the original one), numbered from day 0. */
export function rebuiltBars(coin: PanelCoin, order: Int32Array): Bars {
  const days = order.length;
  const bars = { ...emptyBars(days), day: Int32Array.from(order.keys()) };
  let previous = coin.base;
  for (let row = 0; row < days; row++) {
    const day = order[row]!;
    const close = previous * coin.close[day]!;
    bars.open[row] = previous * coin.open[day]!;
    bars.high[row] = close * coin.high[day]!;
    bars.low[row] = close * coin.low[day]!;
    bars.close[row] = close;
    bars.volume[row] = coin.volume[day]!;
    previous = close;
  }
  return bars;
}
