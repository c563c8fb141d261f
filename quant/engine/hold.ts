import type { Bars } from "../bars.ts";
import { assertWindow, type Window } from "./simulate.ts";

/**
 * Daily returns of holding the coin over a window, the benchmark of a run on it: bought at the open of the
 * start day, without costs. Each later return is close over previous close.
 */
export function holdReturns(bars: Bars, window: Window): Float64Array {
  assertWindow(window, bars.day.length);
  const { from, to } = window;
  const returns = new Float64Array(to - from);
  if (to > from) returns[0] = bars.close[from]! / bars.open[from]! - 1;
  for (let row = from + 1; row < to; row++) {
    returns[row - from] = bars.close[row]! / bars.close[row - 1]! - 1;
  }
  return returns;
}
