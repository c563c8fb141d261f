import type { Bars } from "../bars.ts";
import { randomBelow } from "./index-random.ts";

/**
 * The same days of several coins, each day as what it did to the price: permuting the days and
 * multiplying up again gives another market with the same days, the same links between coins within
 * a day, the same total gain of every coin, and no order that a strategy could have learnt.
 */
export interface Panel {
  readonly days: number;
  readonly coins: readonly PanelCoin[];
}

/** One coin's days. Every column has one row a day of the panel. */
export interface PanelCoin {
  /** The close before the first day, from which prices are rebuilt. */
  readonly base: number;
  /** Open against the close before it. */
  readonly open: Float64Array;
  /** High, low against the day's own close. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** Close against the close before it. */
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Longest block of days that stays together in a permutation: 1 to 5 days, each length as likely. */
export const BLOCK_DAYS_MAX = 5;

/**
 * The panel of coins that all have the `days` up to and including `lastDay`. A history that begins
 * on the panel's first day has no close before it: its open takes the place. With `share`, columns
 * lie in shared memory and go to worker threads without a copy.
 */
export function panelOf(
  coins: readonly Bars[],
  { lastDay, days, share = false }: { lastDay: number; days: number; share?: boolean },
): Panel {
  const column = () =>
    new Float64Array(
      share
        ? new SharedArrayBuffer(days * Float64Array.BYTES_PER_ELEMENT)
        : new ArrayBuffer(days * 8),
    );
  return {
    days,
    coins: coins.map((bars) => {
      const from = lastDay - days + 1 - (bars.day[0] ?? NaN);
      if (!(from >= 0 && from + days <= bars.day.length)) {
        throw new RangeError(`a coin of the panel does not have all ${days} days`);
      }
      const coin = {
        open: column(),
        high: column(),
        low: column(),
        close: column(),
        volume: column(),
      };
      const base = from > 0 ? bars.close[from - 1]! : bars.open[from]!;
      let previous = base;
      for (let day = 0; day < days; day++) {
        const close = bars.close[from + day]!;
        coin.open[day] = bars.open[from + day]! / previous;
        coin.high[day] = bars.high[from + day]! / close;
        coin.low[day] = bars.low[from + day]! / close;
        coin.close[day] = close / previous;
        coin.volume[day] = bars.volume[from + day]!;
        previous = close;
      }
      return { base, ...coin };
    }),
  };
}

/**
 * The panel with each coin's mean daily return taken out: the same days in a market in which being
 * invested is worth nothing on average, however much or little a strategy is.
 */
export function withoutDrift(panel: Panel): Panel {
  const coins = panel.coins.map((coin) => {
    let sum = 0;
    for (let day = 0; day < panel.days; day++) sum += coin.close[day]!;
    const factor = panel.days / sum;
    const scaled = (column: Float64Array) => column.map((ratio) => ratio * factor);
    // high and low stand against the close and move with it
    return { ...coin, open: scaled(coin.open), close: scaled(coin.close) };
  });
  return { ...panel, coins };
}

/**
 * An order of `days` days in which blocks of 1 to `longest` neighbours stay together: the days
 * are cut into blocks of random length from the first on, and the blocks are shuffled (Fisher and
 * Yates, Durstenfeld's form). Each day stands in it once.
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
    [order[last], order[other]] = [order[other]!, order[last]!]; // both below the length
  }
  const permuted = new Int32Array(days);
  let row = 0;
  for (const block of order) {
    const end = starts[block + 1] ?? days;
    for (let day = starts[block]!; day < end; day++) permuted[row++] = day;
  }
  return permuted;
}

/** Bars that live those days in that order, numbered from day 0. `order` may be the plain order. */
export function rebuiltBars(coin: PanelCoin, order: Int32Array): Bars {
  const days = order.length;
  const bars = {
    day: Int32Array.from(order.keys()),
    open: new Float64Array(days),
    high: new Float64Array(days),
    low: new Float64Array(days),
    close: new Float64Array(days),
    volume: new Float64Array(days),
  };
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
