import { mean, variance } from "../sample-statistics.ts";
import { studentUpperTail } from "../overfitting/student-t.ts";
import { claimPValue } from "./claims.ts";
import { dayOf } from "./ordered-rows.ts";
import { inferSharpe } from "./sharpe-inference.ts";

/** Later first days, as shares of the record. */
const STARTS = [0, 0.1, 0.2, 0.3, 0.4];
const PHASES = 10;

/** The record from its first day on, and from four later ones: the Sharpe ratio a year, and the p-value for one try. */
export function startFigures(input: {
  readonly instants: Float64Array;
  readonly returns: Float64Array;
  readonly rate: number;
  readonly periodsPerYear: number;
}) {
  const { instants, returns, rate, periodsPerYear } = input;
  return STARTS.map((share) => {
    const first = Math.floor(share * returns.length);
    const inference = inferSharpe(returns.subarray(first), rate);
    return {
      first: dayOf(instants[first]!),
      sharpe: inference.sharpe * Math.sqrt(periodsPerYear),
      pValue: claimPValue(inference),
    };
  });
}

/**
 * The p-value of one series, and of the best of so many, by ten blocks of equal length: what luck does where an edge comes
 * and goes in phases of up to a block. Student's t of the blocks' sums (Ibragimov and Mueller, "t-Statistic Based
 * Correlation and Heterogeneity Robust Inference", J. of Business and Economic Statistics 28, 2010).
 */
export function phaseFigures(returns: Float64Array, trials: number) {
  const bars = Math.floor(returns.length / PHASES);
  const skipped = returns.length - bars * PHASES;
  const sums = Float64Array.from({ length: PHASES }, (_, block) => {
    const from = skipped + block * bars;
    return returns.subarray(from, from + bars).reduce((sum, value) => sum + value, 0);
  });
  const tRatio = mean(sums) / Math.sqrt(variance(sums) / PHASES);
  const one = studentUpperTail(tRatio, PHASES - 1);
  return { bars, pValue: -Math.expm1(trials * Math.log1p(-one)) };
}
