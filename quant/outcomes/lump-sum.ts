import { DAYS_PER_YEAR } from "../calendar.ts";
import type { Bars } from "../bars.ts";
import type { DcaColumns } from "./dca.ts";
import { purchaseTracks, type DcaFrequency } from "./purchase-track.ts";

/** Two end values this close, relative to the larger, are a tie: only rounding separates them. */
const TIE_TOLERANCE = 1e-12;

export type DcaWinner = "dca" | "lump_sum" | "tie";

/** Which of two schedules with the same money ends with the higher value. */
export function dcaWinner(dcaValue: number, lumpSumValue: number): DcaWinner {
  const difference = lumpSumValue - dcaValue;
  if (Math.abs(difference) <= TIE_TOLERANCE * Math.max(dcaValue, lumpSumValue)) return "tie";
  return difference > 0 ? "lump_sum" : "dca";
}

/**
 * Share of start days whose lump sum ends higher than the schedule; a tie is not a win. Only start days at
 * least 365 days before the coin's last day count. NaN when there is none.
 */
export function lumpSumWins({ startDay, value, lumpSumValue }: DcaColumns): number {
  const lastDay = startDay[startDay.length - 1]!; // every day of the history is a start day
  let starts = 0;
  let wins = 0;
  for (let row = 0; row < startDay.length; row++) {
    if (lastDay - startDay[row]! < DAYS_PER_YEAR) break;
    starts++;
    if (dcaWinner(value[row]!, lumpSumValue[row]!) === "lump_sum") wins++;
  }
  return wins / starts; // 0 / 0 without one
}

/**
 * Of all schedules of a frequency that last `days` days, the share whose lump sum ends higher, and how many they are: each
 * has a last day of its own. A fee divides both sides alike.
 */
export function lumpSumWinsOver(bars: Bars, frequency: DcaFrequency, days: number) {
  const { close } = bars;
  let [starts, wins] = [0, 0];
  for (const { rows, isStart } of purchaseTracks(bars, frequency)) {
    let [units, next] = [0, 0]; // of the purchases from k up to the one before `next`
    for (const [k, row] of rows.entries()) {
      for (; next < rows.length && rows[next]! < row + days; next++)
        units += 1 / close[rows[next]!]!;
      if (isStart[k] === 1 && row + days <= close.length) {
        starts++;
        if (dcaWinner(units, (next - k) / close[row]!) === "lump_sum") wins++;
      }
      units -= 1 / close[row]!;
    }
  }
  return { starts, share: wins / starts };
}

/**
 * `lumpSumWins` from closes alone, for any last day. A purchase buys 1 / close, so the running sum over a track from
 * its last row backwards gives the units of each of its schedules. A fee divides both sides alike.
 */
export function lumpSumWinShare(bars: Bars, frequency: DcaFrequency): number {
  const { close } = bars;
  const last = close.length - 1;
  let starts = 0;
  let wins = 0;
  for (const { rows, isStart } of purchaseTracks(bars, frequency)) {
    let units = 0;
    for (let k = rows.length - 1; k >= 0; k--) {
      const row = rows[k]!;
      units += 1 / close[row]!;
      if (isStart[k] === 0 || last - row < DAYS_PER_YEAR) continue;
      starts++;
      if (dcaWinner(units, (rows.length - k) / close[row]!) === "lump_sum") wins++;
    }
  }
  return wins / starts; // 0 / 0 without one
}
