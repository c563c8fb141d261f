import type { Bars } from "../bars.ts";
import { assertCosts, unitCost, unitProceeds, type Costs } from "./costs.ts";

/**
 * What an account that is always fully invested or fully in cash earns on each day, depending on what it
 * does at that day's open. A day in cash earns 0. These three columns are all that a run needs to know of
 * prices and costs, so they are computed once per coin and shared by all its runs.
 */
export interface DayReturns {
  /** Long all day: close / previous close - 1. */
  readonly held: Float64Array;
  /** Bought at the open: close / (open with slippage and fee) - 1. All equity is spent, fee included. */
  readonly entry: Float64Array;
  /** Sold at the open: (open less slippage and fee) / previous close - 1. */
  readonly exit: Float64Array;
}

/** The columns of one coin. Row 0 has no previous close: `held` and `exit` are NaN there. */
export function dayReturns(bars: Bars, costs: Costs): DayReturns {
  assertCosts(costs);
  const { open, close } = bars;
  const days = close.length;
  const held = new Float64Array(days);
  const entry = new Float64Array(days);
  const exit = new Float64Array(days);
  let previous = NaN;
  for (let row = 0; row < days; row++) {
    held[row] = close[row]! / previous - 1;
    entry[row] = close[row]! / unitCost(open[row]!, costs) - 1;
    exit[row] = unitProceeds(open[row]!, costs) / previous - 1;
    previous = close[row]!;
  }
  return { held, entry, exit };
}
