import { refusedFormat } from "./table-format.ts";

/** First cells of the tables of finished statistics of quantstats, vectorbt, backtesting.py and nautilus_trader. */
const LABELS =
  /^(start( period| value)?|end( period| value)?|duration|period|(sharpe|sortino)( ratio)?( \(.*\))?|profit factor|total return.*|max\.? drawdown.*)$/i;

export function isMetric(label: string): boolean {
  return LABELS.test(label.trim());
}

export const METRICS_REFUSAL =
  "this is a table of finished statistics without the returns behind them, so nothing can be tested. Send the " +
  "returns or the equity curve: pf.returns().to_csv() in vectorbt, stats['_equity_curve'].to_csv() in " +
  "backtesting.py, the returns that you gave to quantstats";

export const metricsTable = refusedFormat("metrics", "quantstats, vectorbt or backtesting.py", {
  matches: ({ header, rows }) =>
    header.length >= 2 && rows.filter((row) => isMetric(row[0]!)).length >= 2,
  because: METRICS_REFUSAL,
});
