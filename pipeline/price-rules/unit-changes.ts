import type { Bars } from "../../quant/bars.ts";
import type { UnitChange } from "../../snapshots/manifest.ts";

/** How far the change of the close may be from a power of ten, because the market moves on that day as well. */
const TOLERANCE = 0.25;
const DAYS_AROUND = 5;
/** The next closes stay within this factor of the new one; after a wrong row they would not. */
const SPREAD_MAX = 2;
/** The closes before it are this close to the old one; otherwise it is the way back from wrong rows. */
const SAME_UNIT_BELOW = 10 * (1 - TOLERANCE);

/**
 * Days on which a coin was probably redenominated: the close is within 25 % of 10, 100, 1,000 ... times that of the
 * day before, or the inverse, and the next five closes stay within a factor of 2 of it.
 */
export function unitChanges({ day, close }: Bars): UnitChange[] {
  const changes: UnitChange[] = [];
  for (let row = 1; row + DAYS_AROUND < close.length; row++) {
    const [before, after] = [close[row - 1]!, close[row]!];
    const size = spread(before, after);
    const power = Math.round(Math.log10(size));
    // 1e-9: exactly 25 % counts, however it is rounded
    if (power < 1 || Math.abs(size / Number(`1e${power}`) - 1) > TOLERANCE + 1e-9) continue;
    const later = close.subarray(row + 1, row + 1 + DAYS_AROUND);
    const ahead = close.subarray(Math.max(0, row - DAYS_AROUND), row);
    const stays = later.every((value) => spread(value, after) <= SPREAD_MAX);
    const stayed = ahead.every((value) => spread(value, before) < SAME_UNIT_BELOW);
    const exponent = after > before ? power : -power;
    if (stays && stayed) changes.push({ day: day[row]!, factor: Number(`1e${exponent}`) });
  }
  return changes;
}

function spread(one: number, other: number): number {
  return Math.max(one, other) / Math.min(one, other);
}
