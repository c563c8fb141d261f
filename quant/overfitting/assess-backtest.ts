import type { BacktestInputs } from "./backtest-inputs.ts";
import { barsIn, barsPerYear, checkBacktestInputs, observationsOf } from "./backtest-inputs.ts";
import {
  breakEvenTrials,
  deflatedSharpe,
  luckBar,
  minBacktestYears,
  nullTrialsVariance,
} from "./deflated-sharpe.ts";
import { haircutSharpe } from "./haircut-sharpe.ts";
import {
  CONFIDENCE,
  familyWisePValue,
  minTrackRecordLength,
  probabilisticSharpe,
  sharpeVarianceTerm,
  type SharpeEstimate,
} from "./probabilistic-sharpe.ts";

export type BacktestAssessment = ReturnType<typeof assessBacktest>;

const NOTES = [
  "The number of trials is taken on the caller's word; every variant ever looked at counts.",
  "Trials are taken as independent: for variants of one idea the deflation is too strong.",
  "Returns are taken as free of autocorrelation.",
  "Look-ahead, missing costs and bad data are not detected: they inflate every figure here.",
];
const NULL_VARIANCE_NOTE =
  "The spread of the trials' Sharpe ratios is taken as the sampling error of trials without " +
  "skill: for a search over very different ideas the deflation is too weak.";

/**
 * How much of a backtest's Sharpe ratio may be selection luck. Sharpe ratios are annual unless named per bar.
 * Null marks what these inputs do not determine: the track record, the backtest length and the haircut of a
 * Sharpe of 0 or less, and the break-even where one trial is too many. Throws `BacktestInputError` for inputs
 * that have no answer.
 */
export function assessBacktest(inputs: BacktestInputs) {
  checkBacktestInputs(inputs);
  const { sharpe, timeframe, nTrials, skew, kurtosis, trialsSharpeStd } = inputs;
  const observations = observationsOf(inputs);
  const periodsPerYear = barsPerYear(timeframe);
  const annual = Math.sqrt(periodsPerYear);
  const estimate: SharpeEstimate = { sharpe: sharpe / annual, observations, skew, kurtosis };
  const isGiven = trialsSharpeStd !== null;
  const trialsVariance = isGiven
    ? (trialsSharpeStd * trialsSharpeStd) / periodsPerYear
    : nullTrialsVariance(observations);
  const deflation = { trials: nTrials, trialsVariance };
  const minTrackRecord = minTrackRecordLength(estimate, 0, CONFIDENCE);
  const findings = {
    expectedMaxSharpe: luckBar(deflation) * annual,
    deflatedSharpeRatio: deflatedSharpe(estimate, deflation),
    fwerPValue: familyWisePValue(estimate, nTrials),
  };
  const cut =
    sharpe < 0
      ? undefined
      : haircutSharpe({ sharpe: estimate.sharpe, observations, trials: nTrials });
  return {
    inputs,
    observations,
    sharpePerBar: estimate.sharpe,
    probabilisticSharpeRatio: probabilisticSharpe(estimate, 0),
    ...findings,
    minTrackRecordObservations: finiteOrNull(minTrackRecord),
    minTrackRecordDays: finiteOrNull(minTrackRecord / barsIn(1, timeframe)),
    minBacktestYears: finiteOrNull(minBacktestYears(sharpe, nTrials)),
    breakEvenTrials: breakEvenTrials(estimate, trialsVariance, CONFIDENCE) ?? null,
    haircutSharpe: cut === undefined ? null : cut.sharpe * annual,
    haircut: finiteOrNull(cut?.haircut ?? NaN),
    verdict: verdictOf(findings.deflatedSharpeRatio),
    verdictSentence: verdictSentence(inputs, findings),
    assumptions: {
      periodsPerYear,
      trialsSharpeStd: Math.sqrt(trialsVariance) * annual,
      trialsSharpeStdSource: isGiven
        ? ("given" as const)
        : ("sampling_error_without_skill" as const),
      confidence: CONFIDENCE,
      notes: isGiven ? NOTES : [NULL_VARIANCE_NOTE, ...NOTES],
    },
    warnings: backtestWarnings(inputs, estimate),
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const LUCK_BELOW = 0.5;
const FAMILY_WISE_LEVEL = 0.05;

export function verdictOf(deflatedSharpeRatio: number): "skill" | "inconclusive" | "luck" {
  if (deflatedSharpeRatio >= CONFIDENCE) return "skill";
  return deflatedSharpeRatio < LUCK_BELOW ? "luck" : "inconclusive";
}

const OPENINGS = {
  skill: "Survives deflation",
  inconclusive: "Inconclusive",
  luck: "Explained by luck",
};

/**
 * The verdict in words, with its figures. It also names the family-wise test because the two can disagree: a
 * DSR of 0.95 asks for more than beating the best of as many lucky trials.
 */
export function verdictSentence(
  { nTrials, sharpe }: BacktestInputs,
  input: { expectedMaxSharpe: number; deflatedSharpeRatio: number; fwerPValue: number },
): string {
  const { expectedMaxSharpe, deflatedSharpeRatio, fwerPValue } = input;
  const trials = nTrials === 1 ? "one trial" : `the best of ${nTrials} trials`;
  const lucky = nTrials === 1 ? "a lucky trial" : `the best of ${nTrials} lucky trials`;
  return (
    `${OPENINGS[verdictOf(deflatedSharpeRatio)]}: by luck alone, ${trials} would show a Sharpe of ` +
    `about ${expectedMaxSharpe.toFixed(2)}; this backtest shows ${sharpe.toFixed(2)} ` +
    `(deflated Sharpe ratio ${deflatedSharpeRatio.toFixed(3)}). By the family-wise test it is ` +
    `${fwerPValue < FAMILY_WISE_LEVEL ? "" : "not "}better than ${lucky} at 5 % (p = ${fwerPValue.toPrecision(2)}).`
  );
}

const OBSERVATIONS_FEW = 30;
const VARIANCE_TERM_SMALL = 0.1;
/** In float64, moments that lie exactly on Pearson's bound may fall this far below it, relatively. */
const BOUND_TOLERANCE = 1e-12;

/** One sentence for each thing that makes the figures doubtful without making them wrong. */
function backtestWarnings({ skew, kurtosis }: BacktestInputs, estimate: SharpeEstimate): string[] {
  const { observations } = estimate;
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
