import type { Bars } from "../bars.ts";
import { blankColumn, firstNumberRow } from "./column.ts";
import { checkFactor } from "./period.ts";

/**
 * Parabolic SAR: Wilder's stop-and-reverse level. Source: TA-Lib, SAR; J. W. Wilder (1978).
 *
 * As in TA-Lib, the first trend is the direction of the second day's movement (down when its low fell by
 * more than its high rose, else up). The first value, on the second day, is the opposite extreme of the
 * first day. The level never enters the range of the last two days.
 */
export function parabolicSar(
  { high, low }: Pick<Bars, "high" | "low">,
  acceleration: number,
  maximum: number,
): Float64Array {
  checkFactor("SAR acceleration", acceleration);
  checkFactor("SAR maximum", maximum);
  const out = blankColumn(high.length);
  const second = firstNumberRow(high, low) + 1;
  if (second >= high.length) return out;
  const step = Math.min(acceleration, maximum);
  const fall = low[second - 1]! - low[second]!;
  let long = !(fall > 0 && fall > high[second]! - high[second - 1]!);
  let extreme = long ? high[second]! : low[second]!;
  let level = long ? low[second - 1]! : high[second - 1]!;
  let factor = step;
  for (let row = second; row < high.length; row++) {
    // For the first value TA-Lib looks at the second day alone, because the level starts on the first.
    const before = row === second ? row : row - 1;
    const ceiling = Math.max(high[before]!, high[row]!);
    const floor = Math.min(low[before]!, low[row]!);
    const touched = long ? low[row]! <= level : high[row]! >= level;
    if (touched) {
      level = long ? Math.max(extreme, ceiling) : Math.min(extreme, floor);
      out[row] = level;
      long = !long;
      factor = step;
      extreme = long ? high[row]! : low[row]!;
    } else {
      out[row] = level;
      const further = long ? high[row]! > extreme : low[row]! < extreme;
      if (further) {
        extreme = long ? high[row]! : low[row]!;
        factor = Math.min(factor + step, maximum);
      }
    }
    level += factor * (extreme - level);
    level = long ? Math.min(level, floor) : Math.max(level, ceiling);
  }
  return out;
}
