import { sliceBars, type Bars } from "../bars.ts";
import { purchaseTracks } from "./purchase-track.ts";
import type { DcaWindow } from "./dca.ts";

/**
 * A schedule over time, for one dollar a purchase: what was paid in, what it was worth, and what the same money was
 * worth when invested at once. It has at most `points` closes of the window, evenly spaced and with the last one.
 */
export function dcaTrack(
  history: Bars,
  { frequency, from, to, feeRate }: DcaWindow,
  points: number,
) {
  const bars = sliceBars(history, 0, to);
  const { close } = bars;
  const track = purchaseTracks(bars, frequency).find(
    ({ rows, isStart }) => isStart[rows.indexOf(from)] === 1,
  );
  const buys = track?.rows.filter((row) => row >= from) ?? [];
  const count = Math.min(points, to - from);
  const last = Math.max(1, count - 1);
  const rows = Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - 1 - from) * at) / last),
  );
  let [units, paid] = [0, 0];
  const found = rows.map((row) => {
    for (; paid < buys.length && buys[paid]! <= row; paid++)
      units += 1 / (close[buys[paid]!]! * (1 + feeRate));
    return { paid, value: units * close[row]! };
  });
  const atOnce = buys.length / (close[from]! * (1 + feeRate));
  return {
    rows,
    paid: found.map((each) => each.paid),
    value: found.map(({ value }) => value),
    lumpSum: rows.map((row) => atOnce * close[row]!),
  };
}
