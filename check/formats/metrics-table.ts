import type { Table } from "./csv.ts";
import { refusedFormat } from "./table-format.ts";

/** First cells of the tables of finished statistics of quantstats, vectorbt and backtesting.py. */
const LABELS =
  /^(start( period| value)?|end( period| value)?|duration|period|sharpe( ratio)?|total return.*|max\.? drawdown.*)$/i;

function isMetrics({ header, rows }: Table): boolean {
  if (header.length < 2 || header.length > 6) return false;
  return rows.filter((row) => LABELS.test(row[0]!.trim())).length >= 2;
}

export const metricsTable = refusedFormat("metrics", "quantstats, vectorbt or backtesting.py", {
  matches: isMetrics,
  because:
    "this is a table of finished statistics without the returns behind them, so nothing can be tested. Send the " +
    "returns or the equity curve: pf.returns().to_csv() in vectorbt, stats['_equity_curve'].to_csv() in " +
    "backtesting.py, the returns that you gave to quantstats",
});
