import { sliceBars, type Bars } from "../bars.ts";
import { purchaseTracks } from "./purchase-track.ts";
import type { DcaWindow } from "./dca.ts";

/** A schedule over time, for one dollar a purchase: what was paid in, what it was worth, and the same money at once. */
export interface DcaTrack {
  readonly rows: readonly number[];
  readonly paid: readonly number[];
  readonly value: readonly number[];
  readonly lumpSum: readonly number[];
}

/** At most so many closes of the window, evenly spaced, the last among them. */
export function dcaTrack(
  history: Bars,
  { frequency, from, to, feeRate }: DcaWindow,
  points: number,
): DcaTrack {
  const { close, ...bars } = sliceBars(history, 0, to);
  const track = purchaseTracks({ ...bars, close }, frequency).find(({ rows, isStart }) => {
    const at = rows.indexOf(from);
    return at >= 0 && isStart[at] === 1;
  });
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
