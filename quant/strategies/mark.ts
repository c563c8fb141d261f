import { firstNumberRow } from "../indicators/column.ts";

/**
 * What a template says at the close of a day: one byte with two independent conditions. Whether a position
 * is held is up to the engine, not the template. When flat, the engine enters on ENTER alone (a day with
 * both isn't an entry); when long, it exits on EXIT.
 */
export const ENTER = 1;
export const EXIT = 2;

/**
 * Values closer than this, relative to the second, are equal. A close that ties with its own average does
 * so exactly in decimals but only nearly in binary fractions. Without a tolerance the sum's rounding error
 * (up to about 1e-13) would decide, and with it the order of summation and the unit of the prices. Values
 * that truly differ are further apart: prices have some nine digits, and averages of 200 of them two or
 * three more.
 */
export const TIE = 1e-11;

/** Whether `value` is above `line`; false on a tie and while either is NaN. */
export function above(value: number, line: number): boolean {
  return value - line > TIE * Math.abs(line);
}

/** ENTER where `value` is above `line`, EXIT where `line` is above `value`. */
export function markSides(value: Float64Array, line: Float64Array, flags: Uint8Array): void {
  for (let row = 0; row < flags.length; row++) {
    if (above(value[row]!, line[row]!)) flags[row] = ENTER;
    else if (above(line[row]!, value[row]!)) flags[row] = EXIT;
  }
}

/** ENTER where `value` is above `level`, EXIT where it is below. */
export function markStrength(value: Float64Array, level: number, flags: Uint8Array): void {
  for (let row = 0; row < flags.length; row++) {
    if (above(value[row]!, level)) flags[row] = ENTER;
    else if (above(level, value[row]!)) flags[row] = EXIT;
  }
}

/** ENTER where `value` is below `oversold`, EXIT where it is above `overbought`. */
export function markReversion(
  value: Float64Array,
  oversold: number,
  overbought: number,
  flags: Uint8Array,
): void {
  for (let row = 0; row < flags.length; row++) {
    if (above(oversold, value[row]!)) flags[row] = ENTER;
    else if (above(value[row]!, overbought)) flags[row] = EXIT;
  }
}

/** A channel around price: a middle line, and bands `multiplier` widths to each side. */
interface Channel {
  readonly middle: Float64Array;
  readonly width: Float64Array;
  readonly multiplier: number;
}

/** ENTER where the price is above the upper band, EXIT where it is below the middle. */
export function markBreakout(price: Float64Array, channel: Channel, flags: Uint8Array): void {
  const { middle, width, multiplier } = channel;
  for (let row = firstNumberRow(middle, width); row < flags.length; row++) {
    if (above(price[row]!, middle[row]! + multiplier * width[row]!)) flags[row] = ENTER;
    else if (above(middle[row]!, price[row]!)) flags[row] = EXIT;
  }
}

/** ENTER where the price is below the lower band, EXIT where it is above the middle. */
export function markReturn(price: Float64Array, channel: Channel, flags: Uint8Array): void {
  const { middle, width, multiplier } = channel;
  for (let row = firstNumberRow(middle, width); row < flags.length; row++) {
    if (above(middle[row]! - multiplier * width[row]!, price[row]!)) flags[row] = ENTER;
    else if (above(price[row]!, middle[row]!)) flags[row] = EXIT;
  }
}
