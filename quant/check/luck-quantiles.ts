import { studentTRatio } from "../overfitting/student-t.ts";
import type { CheckOptions } from "./check-options.ts";
import { claimPValue } from "./claims.ts";
import { coinResiduals, coveredBy } from "./coin-residuals.ts";
import type { FamilyResult } from "./family-test.ts";
import { inferSharpe, type SharpeInference } from "./sharpe-inference.ts";

const WORLDS = 100;

interface LuckInput {
  readonly options: CheckOptions;
  readonly inference: SharpeInference;
  readonly family: FamilyResult | undefined;
  readonly place: number;
  readonly columns: readonly Float64Array[];
}

/**
 * What a hundred worlds without skill show: the evenly spaced quantiles of the best of the trials, as Sharpe ratios per
 * bar beside the one that is judged. Those at or above it are as many as the p-value says. Of a matrix they are of the draws
 * that gave the p-value, of one series those of Student's t, whose p-value it has; more trials than were measured count
 * as independent, as in the verdict. Where holding the coin is the harder test, they are of what is left without it.
 */
export function luckQuantiles(of: LuckInput): Float64Array | undefined {
  const { options, inference, family, columns } = of;
  const factor = Math.max(1, (options.nTrials ?? 1) / columns.length);
  const isMatrix = columns.length > 1;
  const distance = isMatrix ? distanceInDraws(family?.luck) : distanceOfSeries(of);
  if (distance === undefined) return undefined;
  return Float64Array.from({ length: WORLDS }, (_, world) => {
    const probability = ((world + 0.5) / WORLDS) ** (1 / factor);
    return inference.sharpe + distance(probability) * inference.standardError;
  });
}

/** How far above the judged statistic luck is with some probability, in standard errors. */
type Distance = (probability: number) => number;

function distanceInDraws(draws: Float64Array | undefined): Distance | undefined {
  const known = draws?.filter(Number.isFinite);
  if (known === undefined || known.length === 0) return undefined;
  const all = Float64Array.of(0, ...known).sort(); // a p-value counts the record itself as a draw
  return (probability) => all[Math.min(all.length - 1, Math.floor(probability * all.length))]!;
}

function distanceOfSeries({ options, inference, place, columns }: LuckInput): Distance {
  const judged = harderOf(inference, columns[place]!, options.coin);
  const freedom = Math.max(1, inference.activeBars - 1);
  const own = judged.sharpe / judged.standardError;
  return (probability) => {
    const size = studentTRatio(2 * Math.min(probability, 1 - probability), freedom);
    return (probability < 0.5 ? -size : size) - own;
  };
}

/** The series or what is left of it without the coin, whichever has the larger p-value. */
function harderOf(
  inference: SharpeInference,
  column: Float64Array,
  coin: CheckOptions["coin"],
): SharpeInference {
  const left = coin && coinResiduals(coveredBy(column, coin), coin.returns);
  if (left === undefined) return inference;
  const without = { ...inferSharpe(left), activeBars: inference.activeBars };
  return claimPValue(without) > claimPValue(inference) ? without : inference;
}
