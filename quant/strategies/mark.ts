import { ENTER, EXIT } from "../engine/flags.ts";
import { firstNumberRow } from "../indicators/column.ts";

/** ENTER where `value` is above `line`, EXIT where it is below; neither on a tie or on NaN. */
export function markSides(value: Float64Array, line: Float64Array, flags: Uint8Array): void {
  for (let row = 0; row < flags.length; row++) {
    if (value[row]! > line[row]!) flags[row] = ENTER;
    else if (value[row]! < line[row]!) flags[row] = EXIT;
  }
}

/** ENTER where `value` is above `enterAbove`, EXIT where it is below `exitBelow`. */
export function markStrength(
  value: Float64Array,
  levels: { readonly enterAbove: number; readonly exitBelow: number },
  flags: Uint8Array,
): void {
  const { enterAbove, exitBelow } = levels;
  for (let row = 0; row < flags.length; row++) {
    if (value[row]! > enterAbove) flags[row] = ENTER;
    else if (value[row]! < exitBelow) flags[row] = EXIT;
  }
}

/** ENTER where `value` is below `enterBelow`, EXIT where it is above `exitAbove`. */
export function markReversion(
  value: Float64Array,
  levels: { readonly enterBelow: number; readonly exitAbove: number },
  flags: Uint8Array,
): void {
  const { enterBelow, exitAbove } = levels;
  for (let row = 0; row < flags.length; row++) {
    if (value[row]! < enterBelow) flags[row] = ENTER;
    else if (value[row]! > exitAbove) flags[row] = EXIT;
  }
}

/** A channel around price: a middle line and a band `multiplier` widths above it. */
interface Channel {
  readonly middle: Float64Array;
  readonly width: Float64Array;
  readonly multiplier: number;
}

/** ENTER where the close is above the upper band, EXIT where it is below the middle. */
export function markBreakout(close: Float64Array, channel: Channel, flags: Uint8Array): void {
  const { middle, width, multiplier } = channel;
  for (let row = firstNumberRow(middle, width); row < flags.length; row++) {
    if (close[row]! > middle[row]! + multiplier * width[row]!) flags[row] = ENTER;
    else if (close[row]! < middle[row]!) flags[row] = EXIT;
  }
}
