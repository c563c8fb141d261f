import { logNormalCdf, normalAreaFromZero, tailFactor } from "./normal-cdf.ts";
import { normalQuantileOfArea, normalQuantileOfLog } from "./normal-quantile.ts";

/** When ln of `N p` is below this, `1 - (1 - p)^N` equals `N p` to the last digit. */
const LOG_PRODUCT_LIMIT = -40;
/** Each step of `farCutOff` gains almost two digits or more, wherever it is used. */
const FAR_STEPS = 10;
/** Below this t-ratio `1 - p` is smaller than p, and is computed as an area around 0. */
const SMALL_T_RATIO = 0.67;

/**
 * What is left of a Sharpe ratio, in the unit given, when it was the best of several independent tests: Harvey and
 * Liu, "Backtesting", J. of Portfolio Management 42(1), 2015 (SSRN 2345489), eq. 3-5. The haircut is the share cut
 * off, NaN for a Sharpe of 0. A loss has nothing to cut off and is refused.
 *
 * `t = SR sqrt(T)` with the normal tail, which reproduces their printed example. `p^M = 1 - (1 - p)^N`, and the
 * haircut Sharpe is the one whose two-sided p-value is p^M. Everything is computed in logarithms because p may be
 * 1e-90, or too small for float64.
 */
export function haircutSharpe(input: { sharpe: number; observations: number; trials: number }) {
  const { sharpe, observations, trials } = input;
  if (!(sharpe >= 0)) throw new RangeError(`haircut needs a Sharpe of 0 or more, got ${sharpe}`);
  const tRatio = sharpe * Math.sqrt(observations);
  const logP = Math.LN2 + logNormalCdf(-tRatio);
  const logKept = logComplement(tRatio, logP) * trials; // ln (1 - p)^N
  const far = logP + Math.log(trials) < LOG_PRODUCT_LIMIT;
  const cutOff = far ? farCutOff(tRatio, trials) : 0;
  const cut = far ? tRatio - cutOff : cutTRatio(tRatio, trials, logKept);
  return {
    pValue: Math.exp(logP),
    adjustedPValue: -Math.expm1(logKept),
    sharpe: trials === 1 ? sharpe : cut / Math.sqrt(observations),
    haircut: (far ? cutOff : tRatio - cut) / tRatio,
  };
}

/** ln (1 - p) of a two-sided p-value. */
function logComplement(tRatio: number, logP: number): number {
  if (tRatio < SMALL_T_RATIO) return Math.log(2 * normalAreaFromZero(tRatio));
  return Math.log1p(-Math.exp(logP));
}

/** t-ratio whose two-sided p-value is `1 - exp(logKept)`: that of all the trials. */
function cutTRatio(tRatio: number, trials: number, logKept: number): number {
  if (trials === 1) return tRatio;
  if (logKept < -Math.LN2) return normalQuantileOfArea(Math.exp(logKept) / 2);
  return -normalQuantileOfLog(Math.log(-Math.expm1(logKept)) - Math.LN2);
}

/**
 * `d = t - c`, where the tail beyond c is N times the tail beyond t. It keeps full precision even when d is
 * tiny compared with t. With the tail written as `tailFactor(x) exp(-x^2 / 2)`, this is
 * `t^2 - c^2 = 2 (ln N - ln (tailFactor(c) / tailFactor(t)))`, solved by fixed-point iteration.
 */
function farCutOff(tRatio: number, trials: number): number {
  const factor = tailFactor(tRatio);
  let cutOff = 0;
  for (let step = 0; step < FAR_STEPS; step++) {
    const ratio = tailFactor(tRatio - cutOff) / factor;
    const squares = 2 * (Math.log(trials) - Math.log(ratio));
    cutOff = squares / (tRatio + Math.sqrt(tRatio * tRatio - squares));
  }
  return cutOff;
}
