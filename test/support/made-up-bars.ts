import { emptyBars, type Bars } from "../../quant/bars.ts";

/** A small seeded generator (mulberry32): uniform numbers in [0, 1). */
export function seededUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seeded random walk of plausible daily bars from 2020-01-01: low <= open, close <= high. */
export function madeUpBars({ seed, days }: { seed: number; days: number }): Bars {
  const uniform = seededUniform(seed);
  const day = Int32Array.from({ length: days }, (_, row) => 18_262 + row);
  const bars = { ...emptyBars(days), day };
  let price = 100;
  for (let row = 0; row < days; row++) {
    const open = price * (1 + (uniform() - 0.5) * 0.002);
    const close = open * Math.exp((uniform() + uniform() + uniform() - 1.5) * 0.06);
    bars.open[row] = open;
    bars.close[row] = close;
    bars.high[row] = Math.max(open, close) * (1 + uniform() * 0.03);
    bars.low[row] = Math.min(open, close) * (1 - uniform() * 0.03);
    bars.volume[row] = 1000 * (0.5 + uniform());
    price = close;
  }
  return bars;
}

/** The bars with other prices, changed column by column. Days and volume stay. */
export function withPrices(bars: Bars, change: (column: Float64Array) => Float64Array): Bars {
  const { open, high, low, close } = bars;
  return {
    ...bars,
    open: change(open),
    high: change(high),
    low: change(low),
    close: change(close),
  };
}

/** Bars of a market that does not move. */
export function flatBars(market: { price: number; volume: number; days: number }): Bars {
  const { price, volume, days } = market;
  const column = () => new Float64Array(days).fill(price);
  return {
    day: Int32Array.from({ length: days }, (_, row) => 18_262 + row),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: new Float64Array(days).fill(volume),
  };
}

/** How many days a price of `swingingBars` takes to rise, and as many to fall. */
const SWING_DAYS = 60;

/**
 * Bars whose price swings from 1e-30 to 1e30 and back: a strategy that follows it well soon exceeds float64.
 */
export function swingingBars(days: number): Bars {
  const price = Float64Array.from({ length: days }, (_, row) => {
    const up = Math.abs(((row + SWING_DAYS) % (2 * SWING_DAYS)) - SWING_DAYS) / SWING_DAYS;
    return 10 ** (60 * up - 30);
  });
  const { day, volume } = madeUpBars({ seed: 1, days });
  return { day, volume, open: price, high: price, low: price, close: price };
}
