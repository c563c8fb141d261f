import { inferSharpe } from "../check/sharpe-inference.ts";
import type { Claim } from "./claim.ts";

/** The lowest Sharpe ratio per day whose error is counted. */
const LOWEST_SHARPE = -0.5;

/**
 * The number of days that count as one independent day, the larger of those of the backtest and of the live record.
 *
 * The error of a Sharpe ratio grows with its square, so that of an account that falls nearly evenly would hide the loss.
 * The error is therefore that of a ratio of at least -0.5 a day; nothing as good as claimed shows less for 20 days.
 */
export function liveDependence(
  { dependence }: Pick<Claim, "dependence">,
  excess: Float64Array,
): number {
  const { sharpe, deviation, normalError } = inferSharpe(excess);
  const lift = (LOWEST_SHARPE - sharpe) * deviation;
  const error =
    lift > 0 ? inferSharpe(excess.map((value) => value + lift)).normalError : normalError;
  const known = [dependence, excess.length * error * error].filter(Number.isFinite);
  return known.length === 0 ? NaN : Math.max(...known);
}
