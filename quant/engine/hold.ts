import type { Bars } from "../bars.ts";
import { assertWindow } from "./simulate.ts";
import type { Window } from "./simulate.ts";

/**
 * Daily returns of holding the coin over a window, the benchmark of a run on it: bought at the open of the
 * start day, without costs. Each later return is close over previous close. Pass `into` to reuse memory;
 * its first rows are filled.
 */
export function holdReturns(
  bars: Bars,
  window: Window,
  into = new Float64Array(window.to - window.from),
): Float64Array {
  assertWindow(window, bars.day.length);
  const { from, to } = window;
  if (to > from) into[0] = bars.close[from]! / bars.open[from]! - 1;
  for (let row = from + 1; row < to; row++) {
    into[row - from] = bars.close[row]! / bars.close[row - 1]! - 1;
  }
  return into;
}
