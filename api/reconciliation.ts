import { instantText } from "../quant/check/ordered-rows.ts";
import type { MatchedRow } from "../quant/live/reconcile.ts";
import type { Reconciliation } from "../quant/live/reconciliation.ts";
import { TRADE_CAUSES } from "../quant/live/trade-causes.ts";
import { CheckWarning } from "./check-live.ts";
import { date, flag, int, list, number, oneOf, text } from "./members.ts";
import { record, type Json } from "./record.ts";

const CauseOfDifference = record<Reconciliation["causes"][number]>()({
  cause: oneOf([...TRADE_CAUSES, "drag"])(),
  count: int("trades, pairs or days that have it"),
  points: number("below 0 where live lost by it; all causes add up to the difference"),
  t: number.orNull("null where there is too little to test"),
  more_than_chance: flag.orNull("whether |t| is at least 3"),
});

const time = (instant: number | undefined) =>
  instant === undefined ? undefined : instantText(instant);

/** What both files say of a trade. */
export const trade = {
  coin: text("its pair, dollars being one currency", (row: MatchedRow) => one(row).coin),
  side: oneOf(["long", "short"])("", (row: MatchedRow) => (one(row).long ? "long" : "short")),
  backtest_entry: text.orNull("", ({ backtest }: MatchedRow) => time(backtest?.entry)),
  live_entry: text.orNull("", ({ live }: MatchedRow) => time(live?.entry)),
  backtest_exit: text.orNull("", ({ backtest }: MatchedRow) => time(backtest?.exit)),
  live_exit: text.orNull("", ({ live }: MatchedRow) => time(live?.exit)),
};
export const cause = oneOf(["matched", "missing", "extra", "left_out"])(
  "",
  (row: MatchedRow) => row.cause,
);

function one({ backtest, live }: MatchedRow) {
  return (backtest ?? live)!; // a row has one or both
}

function reasonsOf({ backtest, live }: MatchedRow): string | undefined {
  if (backtest?.reason === undefined && live?.reason === undefined) return undefined;
  return `${live?.reason ?? "none"} live, ${backtest?.reason ?? "none"} in the backtest`;
}

const WorstTrade = record<MatchedRow>()({
  cause,
  ...trade,
  points: number(),
  exit_reasons: text.orNull("where a file names them", reasonsOf),
});

export const ReconciliationRecord = record<Reconciliation>({
  id: "CheckReconciliation",
  description:
    "Why live differs from the backtest over the days lived, in points: percent of each record's own account. How a pair's difference is split is a convention, its total is not.",
})({
  basis: oneOf(["trades", "days"])(),
  sentence: text("to be repeated to somebody else"),
  first: date("first live day"),
  last: date(),
  backtest_pct: number(),
  live_pct: number(),
  difference_pct: number("live less backtest"),
  pairs: int.orNull("trades with a partner; null for days"),
  left_out_backtest: int.orNull("trades of days on which live may not have run"),
  left_out_live: int.orNull(),
  bar_seconds: int.orNull("the backtest's bar; null where its entries show none"),
  clock_seconds: int("how much later the live file's clock is"),
  size_ratio: number.orNull("live over backtest"),
  causes: list(CauseOfDifference)("those that anything has"),
  worst: list(WorstTrade)("at most 10 that cost the most; empty for days"),
  notes: list(CheckWarning)("what coincided, each with its number"),
});

export type CheckReconciliation = Json<typeof ReconciliationRecord>;
