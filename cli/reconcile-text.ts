import type { CheckReport } from "../api/check-report.ts";
import type { CheckReconciliation } from "../api/reconciliation.ts";
import { CAUSE_NAMES } from "../quant/live/reconcile-words.ts";
import { textTable, wrapped } from "./text-table.ts";

/** Why live differs, for a terminal: the sentence, the causes and the notes; the trades that cost the most if asked. */
export function reconcileText(report: CheckReport, isFull: boolean): string[] {
  const { reconciliation: of, reconciliation_reason: reason } = report;
  if (of === null) {
    return reason === null
      ? []
      : [...wrapped(`Why it differs can't be told: ${reason.message}.`), ""];
  }
  const notes = of.notes.flatMap(({ message }) => wrapped(`Note: ${message}.`));
  return [
    ...wrapped(of.sentence),
    "",
    ...textTable(["why it differs", of.basis, "points", "more than chance"], causeRows(of)),
    ...(notes.length === 0 ? [] : ["", ...notes]),
    ...(of.basis === "days" ? ["", ...wrapped(DAYS_ONLY)] : []),
    ...(isFull && of.worst.length > 0 ? ["", ...textTable(WORST_TITLES, worstRows(of))] : []),
    "",
  ];
}

const DAYS_ONLY =
  "Fees, slippage and late trades can't be told from days: send both lists of trades.";

function causeRows(of: CheckReconciliation): string[][] {
  const shown = of.causes.filter(({ points }) => Math.abs(points) >= 0.005);
  return [
    ["backtest", "", of.backtest_pct.toFixed(2), ""],
    ...shown.map(({ cause, count, points, more_than_chance: isMore }) => [
      CAUSE_NAMES[cause],
      String(count),
      points.toFixed(2),
      isMore === null ? "" : isMore ? "yes" : "may be chance",
    ]),
    ["live", "", of.live_pct.toFixed(2), ""],
  ];
}

const WORST_TITLES = ["cost the most", "coin", "side", "backtest entry", "live entry", "points"];

function worstRows({ worst }: CheckReconciliation): string[][] {
  return worst.map(({ cause, coin, side, backtest_entry: first, live_entry: second, points }) => [
    cause,
    coin,
    side,
    first ?? "",
    second ?? "",
    points.toFixed(2),
  ]);
}
