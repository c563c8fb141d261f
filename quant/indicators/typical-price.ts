/** The mean of high, low and close. Source: TA-Lib, TYPPRICE. */
export function typicalPrice(
  high: Float64Array,
  low: Float64Array,
  close: Float64Array,
): Float64Array {
  const out = new Float64Array(close.length);
  for (let row = 0; row < close.length; row++) {
    out[row] = (high[row]! + low[row]! + close[row]!) / 3;
  }
  return out;
}
