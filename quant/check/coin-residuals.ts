import { mean } from "../sample-statistics.ts";

/** A variant that the coin explains to this degree is the coin itself, and nothing is left to test. */
const R_SQUARED_MAX = 0.999;

/**
 * What is left of a variant without its holding of the coin, `r - beta x coin`: the intercept plus the residuals of the
 * least-squares line of its returns on the coin's. Undefined where the coin explains everything. The intercept is
 * Jensen's alpha ("The Performance of Mutual Funds in the Period 1945-1964", 1968).
 */
export function coinResiduals(returns: Float64Array, coin: Float64Array): Float64Array | undefined {
  const returnMean = mean(returns);
  const coinMean = mean(coin);
  let products = 0;
  let coinSquares = 0;
  let squares = 0;
  for (let row = 0; row < returns.length; row++) {
    const x = coin[row]! - coinMean;
    const y = returns[row]! - returnMean;
    products += x * y;
    coinSquares += x * x;
    squares += y * y;
  }
  if (!(coinSquares > 0 && squares > 0)) return returns;
  if ((products * products) / (coinSquares * squares) > R_SQUARED_MAX) return undefined;
  const beta = products / coinSquares;
  return returns.map((value, row) => value - beta * coin[row]!);
}

/** The bars of a variant that a coin covers. */
export function coveredBy(
  column: Float64Array,
  { returns, from = 0 }: { readonly returns: Float64Array; readonly from?: number },
): Float64Array {
  return column.subarray(from, from + returns.length);
}
