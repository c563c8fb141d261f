import { inferSharpe } from "../check/sharpe-inference.ts";
import type { Claim } from "./claim.ts";

/** The lowest Sharpe ratio a day whose error is counted. */
const LOWEST_SHARPE = -0.5;

/**
 * How many days count as one independent day: by the backtest or by the live days, whichever is more.
 *
 * The error of a Sharpe ratio grows with its square: that of an account that falls nearly evenly would be too large to tell
 * a loss. So it is that of a ratio of -0.5 a day at the lowest, which nothing as good as claimed shows for 20 days.
 */
export function liveDependence(
  { dependence }: Pick<Claim, "dependence">,
  excess: Float64Array,
): number {
  const { sharpe, deviation, standardError } = inferSharpe(excess);
  const lift = (LOWEST_SHARPE - sharpe) * deviation;
  const error =
    lift > 0 ? inferSharpe(excess.map((value) => value + lift)).standardError : standardError;
  const known = [dependence, excess.length * error * error].filter(Number.isFinite);
  return known.length === 0 ? NaN : Math.max(...known);
}
