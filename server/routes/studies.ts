import { z } from "zod";
import { AcceptedBacktest } from "../../api/backtest.ts";
import { StudyJob, StudyRequest } from "../../api/study-job.ts";
import { runsTable } from "../../api/study.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { parameterGrid, SETS_MAX } from "../../quant/studies/parameter-grid.ts";
import { assertStudySize } from "../../quant/studies/asked-study.ts";
import { FOLDS_MAX } from "../../quant/studies/walk-forward.ts";
import { DomainError } from "../http/errors.ts";
import type { StudyRequest as Request } from "../../accounts/jobs/job.ts";
import { coinOf, windowWithin } from "./board.ts";
import type { PollEndpoint, SubmitEndpoint } from "./endpoint.ts";
import { orInvalid, ownMembers, triedSets, templateOf } from "./own-run.ts";
import { coin, date, described, template, worded } from "./parameters.ts";

const words = StudyRequest.members;
/** For each 100 legal sets begun, a study costs as much as a backtest. */
const SETS_PER_RUN = 100;
const BODY_MAX_BYTES = 256 * 1024;
const DAYS_MAX = 100_000;
const SINGLE = "a study needs at least 2 legal sets, got 1; POST /backtests runs a single one";

const Values = worded(
  z.union([
    z.array(z.number()).min(1),
    z.strictObject({ from: z.number(), to: z.number(), step: z.number() }),
  ]),
  'a list of numbers, or {"from", "to", "step"}',
);
const days = z.int().min(1).max(DAYS_MAX);

export const StudyBody = z.strictObject({
  strategy: template(words.strategy.description),
  coin: coin(words.coin.description).default("btc"),
  parameters: described(z.record(z.string(), Values), {
    allowed:
      'an object with a list of numbers, or {"from", "to", "step"}, for each parameter that varies',
    description: `${words.parameters.description}: a list, or from, to (included) and step. At most ${SETS_MAX} legal sets; sets that are not legal are left out and counted`,
    example: { fast: [5, 10, 20], slow: { from: 50, to: 200, step: 10 } },
  }),
  start_date: date({ description: words.start_date.description, example: "2021-01-01" }),
  folds: described(
    z.union([z.int().min(1).max(FOLDS_MAX), z.strictObject({ train_days: days, test_days: days })]),
    {
      allowed: `a whole number from 1 to ${FOLDS_MAX}, or {"train_days", "test_days"}`,
      description: `walk forward: ${words.folds.description}; or training and tests of so many days, one after another`,
      example: 6,
    },
  ).optional(),
  ...ownMembers(words),
});

/** POST /studies */
export const submitStudy: SubmitEndpoint<typeof StudyBody> = {
  kind: "submit",
  path: "/studies",
  operationId: "postStudy",
  tag: "Backtests",
  summary: "Run every set of lists of parameters, and say how much of the best one is luck",
  description:
    "Accepts a study as a job. Needs a paid plan and a live key. Costs the plan's backtest units for each 100 legal sets begun, which are refunded if the job ends in `error`; folds and shufflings are free. With an `Idempotency-Key` header, a repeat within 24 hours returns the first call's job without a second charge.",
  body: StudyBody,
  bodyMaxBytes: BODY_MAX_BYTES,
  data: AcceptedBacktest,
  examples: {
    "two moving averages": {
      strategy: "ma_cross",
      coin: "btc",
      parameters: { fast: [5, 10, 20], slow: { from: 40, to: 160, step: 20 } },
      start_date: "2024-01-01",
      folds: 6,
    },
  },
  askedOf(snapshot, body) {
    const template = templateOf(body.strategy, "strategy");
    const found = coinOf(snapshot, body.coin);
    const { startDay, endDay } = windowWithin(found, body);
    const grid = orInvalid(() => parameterGrid(template, body.parameters));
    const request: Request = {
      strategy: template.name,
      coin: found.ticker,
      startDay,
      parameters: body.parameters,
      endDay,
      feeRate: body.fee_pct === undefined ? DEFAULT_COSTS.feeRate : body.fee_pct / 100,
      slippageRate:
        body.slippage_pct === undefined ? DEFAULT_COSTS.slippageRate : body.slippage_pct / 100,
      folds: foldsAsked(body.folds),
      nTrials: body.n_trials,
    };
    if (grid.sets.length < 2) throw new DomainError("invalid_parameter", SINGLE);
    orInvalid(() => assertStudySize(request, grid.sets.length));
    return {
      kind: "study",
      request,
      runs: Math.ceil(grid.sets.length / SETS_PER_RUN),
      tried: triedSets({ template, coin: found.ticker, startDay }, grid.sets),
    };
  },
};

function foldsAsked(folds: z.output<typeof StudyBody>["folds"]) {
  if (typeof folds !== "object") return folds;
  return { trainDays: folds.train_days, testDays: folds.test_days };
}

/** GET /studies/{id} */
export const pollStudy: PollEndpoint<typeof StudyJob> = {
  kind: "poll",
  job: "study",
  path: "/studies",
  operationId: "getStudy",
  tag: "Backtests",
  summary: "A study and its result",
  description:
    "The verdict comes first, and every set is in `runs`. Shows the jobs of the calling account only. Free: it costs no call, but counts for the rate limit. While the job is not over, `Retry-After` suggests when to poll again. Results are kept for 30 days.",
  data: StudyJob,
  parts: ["runs"],
  rows: ({ result }) => runsTable(result),
};
