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

/** The word for a score; null without enough history. */
export function signalOf(score: Score): Signal | null {
  if (Number.isNaN(score)) return null;
  if (score === 0) return "neutral";
  return score > 0 ? "buy" : "sell";
}

/** A column's value `daysBack` before the row; NaN before its first row. */
export function valueBack(column: Float64Array, row: number, daysBack: number): number {
  return column[row - daysBack] ?? NaN;
}
