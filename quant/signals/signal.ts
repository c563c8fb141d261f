import { TIE } from "../strategies/mark.ts";

/** What an indicator suggests on a day. */
export type Signal = "buy" | "neutral" | "sell";

/** A signal as a number: 1 buy, 0 neutral, -1 sell; NaN without enough history. */
export type Score = number;

/** Buy, sell or neither; NaN while one of the values that the rule needs is missing. */
export function scoreOf(rule: { buy: boolean; sell: boolean; needs: readonly number[] }): Score {
  for (const value of rule.needs) if (Number.isNaN(value)) return NaN;
  if (rule.buy === rule.sell) return 0;
  return rule.buy ? 1 : -1;
}

/**
 * Scale of an oscillator that is measured in points. The rounding error of such a value is that of the prices
 * it was made from, relative to their range, whether the value itself is near 0 or near 100.
 */
export const POINTS = 100;

/**
 * Whether `value` is above `limit`; false while either is NaN, and on a tie. As in the strategies, two values tie
 * when rounding alone can explain their difference. Rounding is relative to `scale`, which is the close for
 * prices and what is made of them, and `POINTS` for oscillators. For example, two pairs of closes that are 0.01
 * apart have the same momentum in decimals, but in binary fractions one of the two is larger.
 */
export function exceeds(value: number, limit: number, scale: number): boolean {
  return value - limit > TIE * scale;
}

/** The word for a score; null without enough history. */
export function signalOf(score: Score): Signal | null {
  if (Number.isNaN(score)) return null;
  if (score === 0) return "neutral";
  return score > 0 ? "buy" : "sell";
}

/** An indicator's values and its own signal; null while it lacks the history for any of them. */
export type Signalled<Values> = Readonly<Values & { signal: Signal }> | null;

export function signalled<Values>(values: Values, score: Score): Signalled<Values> {
  const signal = signalOf(score);
  return signal === null ? null : { ...values, signal };
}
