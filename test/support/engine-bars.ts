import type { Bars } from "../../quant/bars.ts";
import { numpyNormals } from "./mersenne-twister.ts";

/** Bars of the given opens and closes; high and low span them, volume is 1. The first day is 20000. */
export function barsOf(open: readonly number[], close: readonly number[]): Bars {
  return {
    day: Int32Array.from(open, (_, row) => 20_000 + row),
    open: Float64Array.from(open),
    high: Float64Array.from(open, (price, row) => Math.max(price, close[row]!)),
    low: Float64Array.from(open, (price, row) => Math.min(price, close[row]!)),
    close: Float64Array.from(close),
    volume: new Float64Array(open.length).fill(1),
  };
}

/** Flags from one letter a day: E enter, X exit, B both, anything else none. */
export function flagsOfLetters(letters: string): Uint8Array {
  return Uint8Array.from(letters, (letter) => ({ E: 1, X: 2, B: 3 })[letter] ?? 0);
}

/**
 * A random walk that Python has to the cent: `np.random.seed(seed); z = np.random.normal(0, 1, 2 * days)`, closes of
 * the first half of z, opens of the second.
 */
export function seededBars(seed: number, days: number): Bars {
  const next = numpyNormals(seed);
  const steps = Array.from({ length: 2 * days }, () => next());
  const cents = (price: number) => Math.round(price * 100) / 100;
  let growth = 0;
  const closes = steps.slice(0, days).map((step) => {
    growth += 0.001 + 0.03 * step;
    return cents(100 * Math.exp(growth));
  });
  const opens = closes.map((_, day) =>
    cents((closes[day - 1] ?? 100) * Math.exp(0.005 * steps[days + day]!)),
  );
  return barsOf(opens, closes);
}
