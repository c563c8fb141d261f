import { z } from "zod";
import { Overfitting, OverfittingInputs } from "../../api/overfitting.ts";
import {
  assessBacktest,
  type BacktestAssessment,
} from "../../quant/overfitting/assess-backtest.ts";
import {
  BacktestInputError,
  TIMEFRAMES,
  TRIALS_MAX,
} from "../../quant/overfitting/backtest-inputs.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import { DomainError } from "../http/errors.ts";
import type { ComputeEndpoint } from "./endpoint.ts";
import { originOf } from "./snapshot-data.ts";
import { described, oneOf } from "./parameters.ts";

/** The body's members have the descriptions of the answer's inputs. */
const words = OverfittingInputs.members;

/** Far beyond any backtest, and small enough to keep every figure finite. A larger number is a mistake. */
const RATIO_MAX = 1_000_000;
const KURTOSIS_MAX = 1_000_000_000;
const LENGTH_DAYS_MAX = 1_000_000_000;

const ratio = (name: "sharpe" | "skew", example: number) =>
  described(z.number().min(-RATIO_MAX).max(RATIO_MAX), {
    allowed: `a number from -${RATIO_MAX} to ${RATIO_MAX}`,
    description: words[name].description,
    example,
  });

const Body = z.strictObject({
  sharpe: ratio("sharpe", 1.8),
  timeframe: oneOf(TIMEFRAMES, {
    description: words.timeframe.description,
    example: "1d",
  }).default("1d"),
  length_days: described(z.number().gt(0).max(LENGTH_DAYS_MAX), {
    allowed: `a number above 0, at most ${LENGTH_DAYS_MAX}`,
    description: words.length_days.description,
    example: 730,
  }),
  n_trials: described(z.int().min(1).max(TRIALS_MAX), {
    allowed: `a whole number from 1 to ${TRIALS_MAX}`,
    description: words.n_trials.description,
    example: 100,
  }),
  skew: ratio("skew", 0).default(0),
  kurtosis: described(z.number().min(1).max(KURTOSIS_MAX), {
    allowed: `a number from 1 to ${KURTOSIS_MAX} (3 is normal: not the excess)`,
    description: words.kurtosis.description,
    example: 3,
  }).default(3),
  trials_sharpe_std: described(z.number().min(0).max(RATIO_MAX), {
    allowed: `a number from 0 to ${RATIO_MAX}`,
    description: words.trials_sharpe_std.description,
    example: 0.7,
  }).optional(),
});

/** POST /overfitting */
export const overfitting: ComputeEndpoint<typeof Body, typeof Overfitting> = {
  kind: "compute",
  path: "/overfitting",
  operationId: "postOverfitting",
  tag: "Overfitting",
  summary: "How much of a backtest's Sharpe ratio may be luck",
  description:
    "The deflated Sharpe ratio (Bailey and Lopez de Prado 2014) of the numbers sent, with the figures around it. Nothing sent is kept.",
  body: Body,
  data: Overfitting,
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
  answer: (snapshot, body) => ({ origin: originOf(snapshot), ...assess(body) }),
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
