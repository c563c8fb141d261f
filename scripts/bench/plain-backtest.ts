import type { Bars } from "../../quant/bars.ts";

/**
 * A moving-average cross as one would write it in an afternoon: an object per day, averages over slices, cash
 * and units, an array of returns. The engine is measured against it, and both must arrive at the same Sharpe
 * ratio.
 */
export function plainMaCross(bars: Bars, fast: number, slow: number, from: number): number {
  const days = Array.from(bars.day, (day, row) => ({
    day,
    open: bars.open[row]!,
    close: bars.close[row]!,
  }));
  const average = (row: number, period: number) => {
    const window = days.slice(row - period + 1, row + 1).map((each) => each.close);
    return window.reduce((sum, close) => sum + close, 0) / window.length;
  };
  const returns: number[] = [];
  let cash = 10_000;
  let units = 0;
  let before = cash;
  let order = "none";
  for (let row = from; row < days.length; row++) {
    const { open, close } = days[row]!;
    if (order === "buy") {
      units = cash / (open * 1.0005 * 1.001);
      cash = 0;
    } else if (order === "sell") {
      cash = units * open * 0.9995 * 0.999;
      units = 0;
    }
    const equity = cash + units * close;
    returns.push(equity / before - 1);
    before = equity;
    const [short, long] = [average(row, fast), average(row, slow)];
    order = "none";
    if (units === 0 && short > long) order = "buy";
    if (units > 0 && short < long) order = "sell";
  }
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const squares = returns
    .map((value) => (value - mean) ** 2)
    .reduce((sum, value) => sum + value, 0);
  return (mean / Math.sqrt(squares / (returns.length - 1))) * Math.sqrt(365);
}
