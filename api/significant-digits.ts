const DIGITS = 10;
/** Powers of ten that float64 holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const EXACT_EXPONENT_MAX = POWERS.length - 1;
/**
 * A number as it appears in JSON: at most 10 significant digits, or null if it is not finite. It is the
 * float64 nearest to that decimal, so JSON.stringify writes just those digits.
 *
 * Scaling by an exact power of ten is several times faster than `toPrecision`. If a value is so near a tie
 * that the scaling rounds it, it may end on the other side.
 */
export function significant(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  const size = Math.abs(value);
  if (size < 1e10 && Number.isInteger(value)) return value;
  const shift = DIGITS - 1 - Math.floor(Math.log10(size));
  if (shift > EXACT_EXPONENT_MAX || shift < -EXACT_EXPONENT_MAX) {
    const rounded = Number(value.toPrecision(DIGITS));
    return Number.isFinite(rounded) ? rounded : null; // the very largest numbers round up beyond float64
  }
  return shift >= 0
    ? Math.round(value * POWERS[shift]!) / POWERS[shift]!
    : Math.round(value / POWERS[-shift]!) * POWERS[-shift]!;
}

/** A fraction as a percentage: 0.125 is 12.5. */
export function percentOf(fraction: number): number | null {
  return significant(fraction * 100);
}
