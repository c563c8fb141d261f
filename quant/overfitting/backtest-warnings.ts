import type { BacktestInputs } from "./backtest-inputs.ts";
import type { SharpeEstimate } from "./probabilistic-sharpe.ts";
import { sharpeVarianceTerm } from "./probabilistic-sharpe.ts";

const OBSERVATIONS_FEW = 30;
const VARIANCE_TERM_SMALL = 0.1;
/** In float64, moments that lie exactly on Pearson's bound may fall this far below it, relatively. */
const BOUND_TOLERANCE = 1e-12;

/** One sentence for each thing that makes the figures doubtful without making them wrong. */
export function backtestWarnings(inputs: BacktestInputs, estimate: SharpeEstimate): string[] {
  const { observations } = estimate;
  const { skew, kurtosis } = inputs;
  const warnings: string[] = [];
  if (observations < OBSERVATIONS_FEW) {
    warnings.push(
      `${observations} bars are fewer than ${OBSERVATIONS_FEW}: the normal approximation is poor.`,
    );
  }
  const bound = 1 + skew * skew;
  if (kurtosis < bound * (1 - BOUND_TOLERANCE)) {
    warnings.push(
      `No sample has a kurtosis of ${kurtosis} with a skew of ${skew}: it is at least ` +
        `1 + skew^2 = ${Number(bound.toPrecision(6))}. Is it the excess kurtosis?`,
    );
  }
  const term = sharpeVarianceTerm(estimate.sharpe, skew, kurtosis);
  if (term < VARIANCE_TERM_SMALL) {
    warnings.push(
      `Skew and kurtosis are so near their bound that the Sharpe estimate's variance all but ` +
        `vanishes (factor ${Number(term.toPrecision(3))}): any Sharpe would look certain.`,
    );
  }
  return warnings;
}
