import { judgedPValue } from "./claims.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

const WORLDS = 100;
const HALVINGS = 60;
/**
 * The quantiles of one series are sought within this many roots of its active bars, in standard errors, or as far as the
 * record lies: its p-value does not fall below a bound.
 */
const FARTHEST = 2;

/** How far above the judged statistic luck is with some probability, in standard errors. */
type Distance = (probability: number) => number;

/**
 * What a hundred worlds without skill show: the evenly spaced quantiles of the best of the trials, as Sharpe ratios per
 * bar beside the one that is judged. As many are at or above it as the p-value says. Those of a matrix come from the
 * draws that gave the p-value, those of one series are the Sharpe ratios that have the p-values. Where holding the coin is the
 * harder test, they are of what is left without it. `factor` is the number of trials to each one measured; trials that
 * were not measured count as independent, as in the verdict.
 */
export function luckQuantiles(
  { sharpe, standardError }: SharpeInference,
  luck: SharpeInference | Float64Array | undefined,
  factor: number,
): Float64Array | null {
  const distance =
    luck === undefined || luck instanceof Float64Array
      ? distanceInDraws(luck)
      : distanceOfSeries(luck);
  if (distance === undefined) return null;
  return Float64Array.from({ length: WORLDS }, (_, world) => {
    const probability = ((world + 0.5) / WORLDS) ** (1 / factor);
    return sharpe + distance(probability) * standardError;
  });
}

function distanceInDraws(draws: Float64Array | undefined): Distance | undefined {
  const known = draws?.filter(Number.isFinite);
  if (known === undefined || known.length === 0) return undefined;
  const all = Float64Array.of(0, ...known).sort(); // a p-value counts the record itself as a draw
  return (probability) => all[Math.min(all.length - 1, Math.floor(probability * all.length))]!;
}

function distanceOfSeries(inference: SharpeInference): Distance {
  const { sharpe, standardError, activeBars } = inference;
  const farthest = Math.max(Math.abs(sharpe), FARTHEST * Math.sqrt(activeBars) * standardError);
  return (probability) => {
    let [low, high] = [-farthest, farthest];
    for (let step = 0; step < HALVINGS; step++) {
      const middle = (low + high) / 2;
      if (judgedPValue({ ...inference, sharpe: middle }) > 1 - probability) low = middle;
      else high = middle;
    }
    return (high - sharpe) / standardError;
  };
}
