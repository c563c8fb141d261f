import { randomStream } from "./random.ts";
import type { RandomStream } from "./random.ts";

/** One day of the made-up market as a whole, which moves every coin. */
export interface MarketDay {
  /** Log return of the common factor. */
  readonly change: number;
  /** Standard deviation it was drawn with. */
  readonly deviation: number;
}

/** Volatility of one day's shock, GARCH(1,1): T. Bollerslev (1986). */
export interface Volatility {
  /** Long-run standard deviation of a day. */
  readonly deviation: number;
  /** Weight of yesterday's squared shock. */
  readonly shock: number;
  /** Weight of yesterday's variance. */
  readonly memory: number;
}

const MARKET: Volatility = { deviation: 0.031, shock: 0.09, memory: 0.89 };

/** A day moves at most this many of its standard deviations. */
const SHOCK_MAX = 9;

/** Daily log drift of the whole market in each regime, and how often that regime is drawn. */
const REGIMES = [
  { drift: 0.0042, share: 0.3 },
  { drift: 0.0003, share: 0.45 },
  { drift: -0.0038, share: 0.25 },
] as const;
const REGIME_DAYS_MIN = 60;
const REGIME_DAYS_MAX = 320;

/**
 * The common factor from its first day on, extended on demand. A day depends on the seed and on the days
 * before it, never on how far anyone looks.
 */
export function makeMarket(seed: number): (row: number) => MarketDay {
  const stream = randomStream(`market:${seed}`);
  const shock = shocks(stream, MARKET);
  const days: MarketDay[] = [];
  let drift: number = REGIMES[0].drift;
  let left = REGIME_DAYS_MIN;
  return (row) => {
    while (days.length <= row) {
      if (left === 0) {
        drift = nextDrift(stream.uniform());
        left = Math.round(REGIME_DAYS_MIN + stream.uniform() * (REGIME_DAYS_MAX - REGIME_DAYS_MIN));
      }
      left--;
      const drawn = shock();
      days.push({ change: drift + drawn.change, deviation: drawn.deviation });
    }
    return days[row]!; // the loop has filled it
  };
}

/** Shocks whose size clusters in time and whose tails are fat. */
export function shocks(stream: RandomStream, volatility: Volatility): () => MarketDay {
  const { deviation: longRun, shock, memory } = volatility;
  const base = longRun * longRun * (1 - shock - memory);
  let variance = longRun * longRun;
  return () => {
    const deviation = Math.sqrt(variance);
    const drawn = Math.max(-SHOCK_MAX, Math.min(SHOCK_MAX, stream.student4()));
    const change = deviation * drawn;
    variance = base + shock * change * change + memory * variance;
    return { change, deviation };
  };
}

function nextDrift(uniform: number): number {
  let left = uniform;
  for (const { drift, share } of REGIMES) {
    left -= share;
    if (left <= 0) return drift;
  }
  return REGIMES[0].drift;
}
