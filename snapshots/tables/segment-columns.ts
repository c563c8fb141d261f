import type { SegmentRecord } from "../../quant/dataset/segment.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed } from "./computed-column.ts";

/**
 * The figures of one part of a run as table columns, with `prefix` before each name and `words` after each
 * description.
 */
export function segmentColumns<Item>(
  { prefix, words }: { prefix: string; words: string },
  segment: (item: Item) => SegmentRecord,
): ComputedColumn<Item>[] {
  const of = (value: (segment: SegmentRecord) => number) => (item: Item) => value(segment(item));
  const named = (name: string) => `${prefix}_${name}`;
  return [
    computed(
      [named("days"), "integer", "days"],
      `days, ${words}`,
      of(({ days }) => days),
    ),
    computed(
      [named("sharpe"), "double", "ratio"],
      `Sharpe ratio a year, ${words}; NULL when nothing moved`,
      of(({ sharpe }) => sharpe),
    ),
    computed(
      [named("return_pct"), "double", "percent"],
      `net return, ${words}`,
      of(({ totalReturn }) => totalReturn * 100),
    ),
    computed(
      [named("max_drawdown_pct"), "double", "percent"],
      `deepest fall below the highest equity since the start, ${words}; 0 or negative`,
      of(({ maxDrawdown }) => maxDrawdown * 100),
    ),
    computed(
      [named("trades"), "integer"],
      `purchases filled, ${words}`,
      of(({ trades }) => trades),
    ),
    computed(
      [named("exposure_pct"), "double", "percent"],
      `share of closes with a position, ${words}`,
      of(({ exposure }) => exposure * 100),
    ),
    computed(
      [named("mean_return_pct"), "double", "percent"],
      `mean daily return, ${words}`,
      of(({ meanReturn }) => meanReturn * 100),
    ),
    computed(
      [named("deviation_pct"), "double", "percent"],
      `sample standard deviation (n - 1) of the daily returns, ${words}`,
      of(({ deviation }) => deviation * 100),
    ),
    computed(
      [named("skew"), "double", "ratio"],
      `skew (divisor n) of the daily returns, ${words}`,
      of(({ skew }) => skew),
    ),
    computed(
      [named("kurtosis"), "double", "ratio"],
      `kurtosis (divisor n, 3 is normal) of the daily returns, ${words}`,
      of(({ kurtosis }) => kurtosis),
    ),
  ];
}
