import { blankColumn, firstNumberRow } from "./column.ts";
import { checkPeriod } from "./period.ts";

/**
 * Sum of the squared differences of the last `period` values from their mean.
 *
 * The shortcut through running sums of squares loses its digits when a coin's price is, or once was, far
 * larger than its moves. Here, as in `slidingSum`, a window is the tail of one block of `period` rows plus
 * the head of the next. Each part is computed by Welford's update around one of its own values, and the two
 * are combined by the formula of T. F. Chan, G. H. Golub and R. J. LeVeque (1979). Nothing outside the
 * window ever enters, equal values give exactly 0, and a row costs the same whatever the period.
 */
export function squaredDeviations(values: Float64Array, period: number): Float64Array {
  checkPeriod("deviation period", period, 2);
  const out = blankColumn(values.length);
  const first = firstNumberRow(values);
  const tails = { means: new Float64Array(period), squares: new Float64Array(period) };
  let anchor = 0;
  let mean = 0;
  let squares = 0;
  let count = period;
  for (let row = first; row < values.length; row++) {
    if (count === period) {
      if (row > first) fillTails(values, row, tails);
      anchor = values[row]!;
      mean = 0;
      squares = 0;
      count = 0;
    }
    count++;
    const distance = values[row]! - anchor;
    const step = distance - mean;
    mean += step / count;
    squares += step * (distance - mean);
    if (count === period) {
      out[row] = squares;
    } else if (row >= first + period - 1) {
      const apart = anchor - values[row - count]! + (mean - tails.means[count]!);
      const joined = (apart * apart * count * (period - count)) / period;
      out[row] = tails.squares[count]! + squares + joined;
    }
  }
  return out;
}

/**
 * Fills `tails` for the block that ends before row `end`. From each row of the block to its end they hold the
 * mean, as a difference from the block's last value, and the sum of squared differences from that mean.
 */
function fillTails(
  values: Float64Array,
  end: number,
  tails: { readonly means: Float64Array; readonly squares: Float64Array },
): void {
  const period = tails.means.length;
  const anchor = values[end - 1]!;
  let mean = 0;
  let squares = 0;
  for (let count = 1; count <= period; count++) {
    const distance = values[end - count]! - anchor;
    const step = distance - mean;
    mean += step / count;
    squares += step * (distance - mean);
    tails.means[period - count] = mean;
    tails.squares[period - count] = squares;
  }
}
