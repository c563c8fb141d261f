import type { SegmentRecord } from "../../quant/dataset/segment.ts";
import { columnsOf, days, integer, percent, ratio } from "./columns.ts";

/** The figures of one part of a run, with `prefix` before each name and `words` after each description. */
export function segmentColumns(prefix: string, words: string) {
  const columns = columnsOf<SegmentRecord>()({
    days: days(`days, ${words}`),
    sharpe: ratio(`Sharpe ratio a year, ${words}; NULL when nothing moved`),
    return_pct: percent(`net return, ${words}`, "totalReturn"),
    max_drawdown_pct: percent(
      `deepest fall below the highest equity since the start, ${words}; 0 or negative`,
    ),
    trades: integer(`purchases filled, ${words}`),
    exposure_pct: percent(`share of closes with a position, ${words}`),
    mean_return_pct: percent(`mean daily return, ${words}`),
    deviation_pct: percent(`sample standard deviation (n - 1) of the daily returns, ${words}`),
    skew: ratio(`skew (divisor n) of the daily returns, ${words}`),
    kurtosis: ratio(`kurtosis (divisor n, 3 is normal) of the daily returns, ${words}`),
  });
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [`${prefix}_${name}`, column]),
  );
}
