import { z } from "zod";
import {
  assessBacktest,
  type BacktestAssessment,
} from "../../quant/overfitting/assess-backtest.ts";
import {
  BacktestInputError,
  TIMEFRAMES,
  TRIALS_MAX,
} from "../../quant/overfitting/backtest-inputs.ts";
import { DomainError } from "../http/errors.ts";
import { snakeCase } from "../../quant/snake-case.ts";
import { number, numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import type { ComputeEndpoint } from "./endpoint.ts";
import { inAnswer } from "./in-answer.ts";
import { described, oneOf } from "./parameters.ts";

/** Far beyond what any backtest shows, yet every figure stays finite. A larger number is a slip. */
const RATIO_MAX = 1_000_000;
const KURTOSIS_MAX = 1_000_000_000;
const LENGTH_DAYS_MAX = 1_000_000_000;

const ratio = (description: string, example: number) =>
  described(z.number().min(-RATIO_MAX).max(RATIO_MAX), {
    allowed: `a number from -${RATIO_MAX} to ${RATIO_MAX}`,
    description,
    example,
  });

const Body = z.strictObject({
  sharpe: ratio("annualised Sharpe ratio of the backtest, no risk-free rate", 1.8),
  timeframe: oneOf(TIMEFRAMES, { description: "length of a bar", example: "1d" }).default("1d"),
  length_days: described(z.number().gt(0).max(LENGTH_DAYS_MAX), {
    allowed: `a number above 0, at most ${LENGTH_DAYS_MAX}`,
    description: "length of the backtest in days",
    example: 730,
  }),
  n_trials: described(z.int().min(1).max(TRIALS_MAX), {
    allowed: `a whole number from 1 to ${TRIALS_MAX}`,
    description: "how many variants were tried, this one included",
    example: 100,
  }),
  skew: ratio("skew of the returns per bar", 0).default(0),
  kurtosis: described(z.number().min(1).max(KURTOSIS_MAX), {
    allowed: `a number from 1 to ${KURTOSIS_MAX} (3 is normal: not the excess)`,
    description: "kurtosis of the returns per bar, not the excess: a normal distribution has 3",
    example: 3,
  }).default(3),
  trials_sharpe_std: described(z.number().min(0).max(RATIO_MAX), {
    allowed: `a number from 0 to ${RATIO_MAX}`,
    description:
      "standard deviation of the trials' annualised Sharpe ratios; without it, that of trials without skill",
    example: 0.7,
  }).optional(),
});

const Inputs = Body.extend({ trials_sharpe_std: z.number().nullable() }).meta({
  id: "OverfittingInputs",
});

const Assumptions = z
  .strictObject({
    periods_per_year: number("bars in 365 days"),
    trials_sharpe_std: number("annualised, as used"),
    trials_sharpe_std_source: z
      .enum(["given", "sampling_error_without_skill"])
      .describe("where the spread of the trials comes from"),
    confidence: number("confidence level of the verdict and the track record"),
    notes: z.array(z.string()).describe("what the figures rest on and cannot see"),
  })
  .meta({ id: "OverfittingAssumptions" });

const Data = z.strictObject({
  attribution: Attribution,
  inputs: Inputs.describe("as given, with defaults filled in"),
  observations: number("whole bars, T"),
  sharpe_per_bar: number("sharpe / sqrt(bars a year)"),
  probabilistic_sharpe_ratio: number("probability that the true Sharpe is above 0, taken alone"),
  expected_max_sharpe: number("the luck bar: annualised Sharpe the best trial shows without skill"),
  deflated_sharpe_ratio: number("probability that the true Sharpe is above the luck bar"),
  fwer_p_value: number("probability that the best of as many lucky trials does as well"),
  min_track_record_observations: numberOrNull("bars needed for a Sharpe above 0 at 95 %"),
  min_track_record_days: numberOrNull("the same in days"),
  min_backtest_years: numberOrNull("shorter ones show this Sharpe by luck among so many trials"),
  break_even_trials: numberOrNull(
    "largest number of trials at which the deflated Sharpe ratio is still 0.95; 1e300 if it is at any number, null if even one is too many",
  ),
  haircut_sharpe: numberOrNull("Sharpe left after the correction for many tests (Harvey and Liu)"),
  haircut_pct: numberOrNull("percent of the Sharpe that this correction takes off"),
  verdict: z.enum(["skill", "inconclusive", "luck"]),
  verdict_sentence: z.string(),
  assumptions: Assumptions,
  warnings: z.array(z.string()).describe("why the figures may not hold here"),
});

/** POST /overfitting */
export const overfitting: ComputeEndpoint<typeof Body, typeof Data> = {
  kind: "compute",
  path: "/overfitting",
  operationId: "postOverfitting",
  tag: "Overfitting",
  summary: "How much of a backtest's Sharpe ratio may be luck",
  description:
    "The deflated Sharpe ratio (Bailey and Lopez de Prado 2014) of the numbers sent, with the figures around it. Nothing sent is kept.",
  body: Body,
  data: Data,
  examples: {
    "the best of a hundred": { sharpe: 1.8, length_days: 730, n_trials: 100 },
    "fat tails, hourly": {
      sharpe: 2.5,
      timeframe: "1h",
      length_days: 365,
      n_trials: 20,
      skew: -0.8,
      kurtosis: 9,
    },
  },
  answer: (snapshot, body) => ({
    attribution: attributionOf(snapshot),
    ...dataOf(assess(body)),
  }),
};

function assess(body: z.output<typeof Body>): BacktestAssessment {
  try {
    return assessBacktest({
      sharpe: body.sharpe,
      timeframe: body.timeframe,
      lengthDays: body.length_days,
      nTrials: body.n_trials,
      skew: body.skew,
      kurtosis: body.kurtosis,
      trialsSharpeStd: body.trials_sharpe_std ?? null,
    });
  } catch (error) {
    if (!(error instanceof BacktestInputError)) throw error;
    const message = `member "${snakeCase(error.field)}" ${error.message}`;
    throw new DomainError("invalid_parameter", message, { cause: error });
  }
}

function dataOf(found: BacktestAssessment): Omit<z.output<typeof Data>, "attribution"> {
  const { haircut, verdict, verdictSentence, assumptions, warnings, ...figures } = found;
  const data = {
    ...figures,
    haircutPct: haircut === null ? null : haircut * 100,
    verdict,
    verdictSentence,
    assumptions,
    warnings,
  };
  return inAnswer(data) as ReturnType<typeof dataOf>; // tests check every answer against its schema
}
