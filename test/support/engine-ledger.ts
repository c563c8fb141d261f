import type { Bars } from "../../quant/bars.ts";
import type { Costs } from "../../quant/engine/costs.ts";
import type { Window } from "../../quant/engine/simulate.ts";

export interface LedgerTrade {
  readonly entry: number;
  readonly exit: number | undefined;
  readonly units: number;
}

/**
 * The engine's rule in a slow and obvious form, as a reference: day by day, with cash, units and an order for the next
 * morning. Days count from the start day.
 */
export function keepLedger(flags: Uint8Array, bars: Bars, { from, to }: Window, costs: Costs) {
  const equity: number[] = [];
  const trades: LedgerTrade[] = [];
  let cash = 1000;
  let units = 0;
  let entry = 0;
  let order = "none";
  for (let row = from; row < to; row++) {
    const open = bars.open[row]!;
    if (order === "buy") {
      const price = open * (1 + costs.slippageRate);
      units = cash / (price + price * costs.feeRate); // the fee is paid out of the same cash
      cash = 0;
      entry = row - from;
    }
    if (order === "sell") {
      const value = units * open * (1 - costs.slippageRate);
      cash = value - value * costs.feeRate;
      trades.push({ entry, exit: row - from, units });
      units = 0;
    }
    equity.push(cash + units * bars.close[row]!);
    const enter = flags[row] === 1;
    const exit = flags[row] === 2 || flags[row] === 3;
    order = "none";
    if (units === 0 && enter) order = "buy";
    if (units > 0 && exit) order = "sell";
  }
  if (units > 0) trades.push({ entry, exit: undefined, units });
  const returns = equity.map((value, day) => value / (day === 0 ? 1000 : equity[day - 1]!) - 1);
  return { equity, returns, trades };
}
