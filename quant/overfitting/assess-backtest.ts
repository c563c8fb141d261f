import type { BacktestInputs } from "./backtest-inputs.ts";
import { barsIn, barsPerYear, checkBacktestInputs, observationsOf } from "./backtest-inputs.ts";
import { CONFIDENCE, verdictOf, verdictSentence, type Verdict } from "./backtest-verdict.ts";
import { backtestWarnings } from "./backtest-warnings.ts";
import {
  breakEvenTrials,
  deflatedSharpe,
  luckBar,
  minBacktestYears,
  nullTrialsVariance,
} from "./deflated-sharpe.ts";
import { haircutSharpe } from "./haircut-sharpe.ts";
import {
  familyWisePValue,
  minTrackRecordLength,
  probabilisticSharpe,
  type SharpeEstimate,
} from "./probabilistic-sharpe.ts";

/**
 * How much of a backtest's Sharpe ratio may be selection luck. Sharpe ratios are annualised unless their
 * name says per bar. Null marks a figure that these inputs do not determine.
 */
export interface BacktestAssessment {
  readonly inputs: BacktestInputs;
  /** Whole bars, T. */
  readonly observations: number;
  readonly sharpePerBar: number;
  /** Probability that the true Sharpe is above 0, taken alone. */
  readonly probabilisticSharpeRatio: number;
  /** The luck bar: what the best of the trials would show without skill. */
  readonly expectedMaxSharpe: number;
  /** Probability that the true Sharpe is above the luck bar. */
  readonly deflatedSharpeRatio: number;
  /** Probability that the best of this many independent trials without skill does at least as well. */
  readonly fwerPValue: number;
  /** Bars, not rounded, at which PSR would reach 95 %; null for a Sharpe of 0 or less. */
  readonly minTrackRecordObservations: number | null;
  readonly minTrackRecordDays: number | null;
  /** Null for a Sharpe of 0 or less. */
  readonly minBacktestYears: number | null;
  /** Largest number of trials at which DSR is still at least 0.95; null when even one is too many. */
  readonly breakEvenTrials: number | null;
  /** Null for a Sharpe below 0. */
  readonly haircutSharpe: number | null;
  /** Fraction of the Sharpe cut off; null for a Sharpe of 0 or less. */
  readonly haircut: number | null;
  readonly verdict: Verdict;
  readonly verdictSentence: string;
  readonly assumptions: BacktestAssumptions;
  readonly warnings: readonly string[];
}

/** What the figures assume besides the inputs. */
interface BacktestAssumptions {
  readonly periodsPerYear: number;
  /** Annualised standard deviation of the trials' Sharpe ratios that was used. */
  readonly trialsSharpeStd: number;
  readonly trialsSharpeStdSource: "given" | "sampling_error_without_skill";
  readonly confidence: number;
  readonly notes: readonly string[];
}

const NOTES = [
  "The number of trials is taken on the caller's word; every variant ever looked at counts.",
  "Trials are taken as independent: for variants of one idea the deflation is too strong.",
  "Returns are taken as free of autocorrelation.",
  "Look-ahead, missing costs and bad data are not detected: they inflate every figure here.",
];
const NULL_VARIANCE_NOTE =
  "The spread of the trials' Sharpe ratios is taken as the sampling error of trials without " +
  "skill: for a search over very different ideas the deflation is too weak.";
const NOTES_ON_NULL_VARIANCE = [NULL_VARIANCE_NOTE, ...NOTES];

/** Every figure of the overfitting check. Throws `BacktestInputError` for inputs that have no answer. */
export function assessBacktest(inputs: BacktestInputs): BacktestAssessment {
  checkBacktestInputs(inputs);
  const { sharpe, timeframe, nTrials, skew, kurtosis } = inputs;
  const observations = observationsOf(inputs);
  const yearBars = barsPerYear(timeframe);
  const annual = Math.sqrt(yearBars);
  const estimate: SharpeEstimate = { sharpe: sharpe / annual, observations, skew, kurtosis };
  const trialsVariance = trialsVarianceOf(inputs, observations, yearBars);
  const deflation = { trials: nTrials, trialsVariance };
  const minTrackRecord = minTrackRecordLength(estimate, 0, CONFIDENCE);
  const findings = {
    expectedMaxSharpe: luckBar(deflation) * annual,
    deflatedSharpeRatio: deflatedSharpe(estimate, deflation),
    fwerPValue: familyWisePValue(estimate, nTrials),
  };
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
    ...haircutOf(estimate, nTrials, annual),
    verdict: verdictOf(findings.deflatedSharpeRatio),
    verdictSentence: verdictSentence(inputs, findings),
    assumptions: {
      periodsPerYear: yearBars,
      trialsSharpeStd: Math.sqrt(trialsVariance) * annual,
      trialsSharpeStdSource:
        inputs.trialsSharpeStd === null ? "sampling_error_without_skill" : "given",
      confidence: CONFIDENCE,
      notes: inputs.trialsSharpeStd === null ? NOTES_ON_NULL_VARIANCE : NOTES,
    },
    warnings: backtestWarnings(inputs, estimate),
  };
}

/** V per bar: the caller's, or `1 / (T - 1)`. */
function trialsVarianceOf(inputs: BacktestInputs, observations: number, yearBars: number): number {
  if (inputs.trialsSharpeStd === null) return nullTrialsVariance(observations);
  return (inputs.trialsSharpeStd * inputs.trialsSharpeStd) / yearBars;
}

function haircutOf(
  { sharpe, observations }: SharpeEstimate,
  trials: number,
  annual: number,
): Pick<BacktestAssessment, "haircutSharpe" | "haircut"> {
  if (sharpe < 0) return { haircutSharpe: null, haircut: null };
  const cut = haircutSharpe({ sharpe, observations, trials });
  return { haircutSharpe: cut.sharpe * annual, haircut: finiteOrNull(cut.haircut) };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
