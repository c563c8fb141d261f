import { mean } from "../sample-statistics.ts";

/** A variant that the coin explains to this degree is the coin itself, and nothing is left to test. */
const R_SQUARED_MAX = 0.999;

/** Coins whose returns the earlier ones explain to this degree are left out of a basket. */
const ALIKE_R_SQUARED = 0.99;

/** The part of y that a line on x explains, as the slope and R squared. */
function lineOn(y: Float64Array, x: Float64Array) {
  const [yMean, xMean] = [mean(y), mean(x)];
  let [products, xSquares, ySquares] = [0, 0, 0];
  for (let row = 0; row < y.length; row++) {
    const [dx, dy] = [x[row]! - xMean, y[row]! - yMean];
    products += dx * dy;
    xSquares += dx * dx;
    ySquares += dy * dy;
  }
  const isLine = xSquares > 0 && ySquares > 0;
  return {
    slope: isLine ? products / xSquares : 0,
    squared: isLine ? (products * products) / (xSquares * ySquares) : 0,
  };
}

/** The coin, or what each coin of a basket adds to the others: portfolios that are uncorrelated with one another. */
export function portfoliosOf(coin: {
  readonly returns: Float64Array;
  readonly basket?: readonly Float64Array[];
}) {
  return uncorrelated(coin.basket ?? [coin.returns]).portfolios;
}

/** Gram and Schmidt on the deviations: each series less its lines on those before, and the places of those they explain. */
export function uncorrelated(series: readonly Float64Array[]) {
  const portfolios: Float64Array[] = [];
  const alike: number[] = [];
  for (const [index, own] of series.entries()) {
    let left = own;
    let explained = 0;
    for (const before of portfolios) {
      explained += lineOn(own, before).squared;
      const { slope } = lineOn(left, before);
      left = left.map((value, row) => value - slope * before[row]!);
    }
    if (explained > ALIKE_R_SQUARED) alike.push(index);
    else portfolios.push(left);
  }
  return { portfolios, alike };
}

/**
 * What is left of a variant without its holdings of coins, `r - sum beta x coin`: the intercept plus the residuals of the
 * least-squares fit of its returns on the coins', given as uncorrelated portfolios. Undefined where they explain
 * everything. The intercept is Jensen's alpha ("The Performance of Mutual Funds in the Period 1945-1964", 1968).
 */
export function coinResiduals(
  returns: Float64Array,
  portfolios: readonly Float64Array[],
): Float64Array | undefined {
  let left = returns;
  let explained = 0;
  for (const portfolio of portfolios) {
    const { slope, squared } = lineOn(returns, portfolio);
    explained += squared;
    if (slope !== 0) left = left.map((value, row) => value - slope * portfolio[row]!);
  }
  return explained > R_SQUARED_MAX ? undefined : left;
}

/** The bars of a variant that a coin covers. */
export function coveredBy(
  column: Float64Array,
  { returns, from = 0 }: { readonly returns: Float64Array; readonly from?: number },
): Float64Array {
  return column.subarray(from, from + returns.length);
}
