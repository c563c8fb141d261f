import { logNormalCdf, normalAreaFromZero } from "./normal-cdf.ts";
import { normalQuantileOfArea, normalQuantileOfLog } from "./normal-quantile.ts";

/** What is left of a Sharpe ratio when it was the best of several independent tests. */
export interface Haircut {
  /** Two-sided p-value of the Sharpe alone. */
  readonly pValue: number;
  /** The same as the best of the trials. */
  readonly adjustedPValue: number;
  /** The Sharpe, in the unit of the input, whose own p-value would be that one. */
  readonly sharpe: number;
  /** Share of the Sharpe that is cut off, 0 to 1; NaN for a Sharpe of 0. */
  readonly haircut: number;
}

export interface HaircutInput {
  /** Per bar, not annualised. Not negative: there is nothing to cut off a loss. */
  readonly sharpe: number;
  readonly observations: number;
  readonly trials: number;
}

/** Below exp of this, `1 - (1 - p)^N` is `N p` to the last digit. */
const LOG_PRODUCT_LIMIT = -40;
/** Below this t-ratio `1 - p` is the smaller side, and is computed as an area. */
const SMALL_T_RATIO = 0.67;

/**
 * Haircut Sharpe ratio for independent tests, formula 10: Harvey and Liu, "Backtesting", J. of
 * Portfolio Management 42(1), 2015 (SSRN 2345489), eq. 3-5. `t = SR sqrt(T)`, the normal tail
 * (which gives their printed example), `p^M = 1 - (1 - p)^N`, and the haircut Sharpe has p^M as
 * its p-value. In logarithms throughout: p may be 1e-90, or beyond float64.
 */
export function haircutSharpe({ sharpe, observations, trials }: HaircutInput): Haircut {
  if (!(sharpe >= 0)) throw new RangeError(`haircut needs a Sharpe of 0 or more, got ${sharpe}`);
  const tRatio = sharpe * Math.sqrt(observations);
  const logP = Math.LN2 + logNormalCdf(-tRatio);
  const logKept = logComplement(tRatio, logP) * trials; // ln (1 - p)^N
  const adjustedPValue = -Math.expm1(logKept);
  const cut = trials === 1 ? tRatio : cutTRatio(logP + Math.log(trials), logKept);
  return {
    pValue: Math.exp(logP),
    adjustedPValue,
    sharpe: trials === 1 ? sharpe : cut / Math.sqrt(observations),
    haircut: tRatio === 0 ? NaN : 1 - cut / tRatio,
  };
}

/** ln (1 - p) of a two-sided p-value. */
function logComplement(tRatio: number, logP: number): number {
  if (tRatio < SMALL_T_RATIO) return Math.log(2 * normalAreaFromZero(tRatio));
  return Math.log1p(-Math.exp(logP));
}

/** t-ratio whose two-sided p-value is `1 - exp(logKept)`, with `logProduct` = ln (N p). */
function cutTRatio(logProduct: number, logKept: number): number {
  if (logProduct < LOG_PRODUCT_LIMIT) return -normalQuantileOfLog(logProduct - Math.LN2);
  if (logKept < -Math.LN2) return normalQuantileOfArea(Math.exp(logKept) / 2);
  return -normalQuantileOfLog(Math.log(-Math.expm1(logKept)) - Math.LN2);
}
