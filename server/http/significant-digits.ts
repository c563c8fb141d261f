import { bytesOf, type ByteWriter } from "./byte-writer.ts";
import { writeJson } from "./json-writer.ts";

const DIGITS = 10;
/** Powers of ten that float64 holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const EXACT_EXPONENT_MAX = POWERS.length - 1;
/** Numbers in this range are written without an exponent. */
const SMALLEST = 1e-6;
const LARGEST = 1e10;
const MINUS = bytesOf("-");
const EXPONENTS = 2048;
const BIAS = 1023;
/**
 * By float64's exponent: how many decimals the smallest number with that exponent has, and from which number
 * on it is one less.
 */
const DECIMALS = Int32Array.from({ length: EXPONENTS }, (_, biased) => {
  return DIGITS - 1 - Math.floor(Math.log10(2 ** (biased - BIAS)));
});
const LIMITS = Float64Array.from(DECIMALS, (decimals) => 10 ** (DIGITS - decimals));
/** A float64 and its two halves. */
const looked = new DataView(new ArrayBuffer(8));

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
export function percent(fraction: number): number | null {
  return significant(fraction * 100);
}

/**
 * Writes what JSON.stringify(significant(value)) would, without the float64 in between. The rounded digits
 * over a power of ten are the only decimal of so few digits that reads as that float64, so they are its
 * shortest text.
 *
 * The number of decimals is looked up by the exponent. Next to a power of ten it may be one more or less than
 * the logarithm says, but there the digits are that power either way.
 */
export function writeSignificant(out: ByteWriter, value: number): void {
  const size = Math.abs(value);
  if (!(size >= SMALLEST && size < LARGEST)) {
    writeJson(out, significant(value));
    return;
  }
  if (value < 0) out.bytes(MINUS);
  if (Number.isInteger(value)) {
    out.integer(size);
    return;
  }
  looked.setFloat64(0, size, true);
  const biased = looked.getInt32(4, true) >> 20;
  const decimals = DECIMALS[biased]! - (size >= LIMITS[biased]! ? 1 : 0);
  // Rounds with the sign, as `significant` does: a tie goes up.
  out.decimal(Math.abs(Math.round(value * POWERS[decimals]!)), decimals);
}

/** The same for a percentage, as `percent` gives it. */
export function writePercent(out: ByteWriter, fraction: number): void {
  writeSignificant(out, fraction * 100);
}
