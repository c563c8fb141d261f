import type { MatchedRow } from "../quant/live/reconcile.ts";
import { TRADE_CAUSES, type TradeCause } from "../quant/live/trade-causes.ts";
import { csvOf } from "./csv.ts";
import { number, text } from "./members.ts";
import { cause, trade } from "./reconciliation.ts";
import { record, type Member } from "./record.ts";
import { tableOf } from "./table.ts";

const figure = (side: "backtest" | "live", name: "entryPrice" | "exitPrice" | "size") =>
  number.orNull("", (row: MatchedRow) => row[side]?.[name]);
const lines = (side: "backtest" | "live") =>
  text.orNull("", (row: MatchedRow) => row[side]?.lines.join(" "));

/** A row of `--matched`: its causes add up to its points, and each column to the cause in the report. */
const MatchedTrade = record<MatchedRow>()({
  cause,
  ...trade,
  backtest_entry_price: figure("backtest", "entryPrice"),
  live_entry_price: figure("live", "entryPrice"),
  backtest_exit_price: figure("backtest", "exitPrice"),
  live_exit_price: figure("live", "exitPrice"),
  backtest_size: figure("backtest", "size"),
  live_size: figure("live", "size"),
  backtest_exit_reason: text.orNull("", ({ backtest }: MatchedRow) => backtest?.reason),
  live_exit_reason: text.orNull("", ({ live }: MatchedRow) => live?.reason),
  backtest_lines: lines("backtest"),
  live_lines: lines("live"),
  points: number(),
  ...(Object.fromEntries(
    TRADE_CAUSES.map((name) => [name, number("", ({ parts }: MatchedRow) => parts[name] ?? 0)]),
  ) as Readonly<Record<TradeCause, Member<MatchedRow, number>>>),
});

/** All trades of both files as CSV, matched. */
export function matchedCsv(rows: readonly MatchedRow[]): string {
  return csvOf(
    tableOf(
      "",
      MatchedTrade,
      rows.map((row) => MatchedTrade.from(row)),
    ),
  );
}
