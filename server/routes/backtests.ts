import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import { VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import { JOB_ERROR_CODES } from "../jobs/job.ts";
import type { StoredJob } from "../jobs/job-store.ts";
import { significant } from "../../quant/significant-digits.ts";
import { instantOf, instantOrNull } from "./answer-values.ts";
import { Attribution } from "./attribution.ts";
import { BacktestResult } from "./backtest-result.ts";
import { coinOf, dayWithin, START_DATE } from "./board.ts";
import type { PollEndpoint, SubmitEndpoint } from "./endpoint.ts";
import { coin, date, described, text } from "./parameters.ts";
import { templateOf } from "./template-name.ts";

const CASH_MIN = 1;
const CASH_MAX = 1_000_000;

const Body = z.strictObject({
  strategy: text({
    allowed: 'a template name such as "ma_cross"',
    description: "name of a template, from GET /strategies",
    example: "ma_cross",
  }),
  coin: coin("ticker of a coin on the board").default("btc"),
  start_date: date({
    description: "first day of the run, within the coin's history",
    example: "2024-01-01",
  }),
  starting_cash: described(z.number().min(CASH_MIN).max(CASH_MAX), {
    allowed: `a number from ${CASH_MIN} to ${CASH_MAX}`,
    description: "dollars at the open of start_date",
    example: 10_000,
  }).default(10_000),
  variant: described(z.int().min(1).max(VARIANTS_PER_TEMPLATE), {
    allowed: `a whole number from 1 to ${VARIANTS_PER_TEMPLATE}`,
    description: "one of the template's parameter sets; 1 is the default",
    example: 1,
  }).default(1),
});

const JobId = z.int().describe("id of the job, for GET /backtests/{id}");

const Accepted = z.strictObject({
  attribution: Attribution,
  job_id: JobId,
  poll_url: z.url().describe("where to poll the job, free of charge"),
  status: z.literal("queued"),
});

const JobView = z.strictObject({
  attribution: Attribution,
  job_id: JobId,
  status: z
    .enum(["queued", "running", "done", "error"])
    .describe("a job that lost its worker goes from running back to queued"),
  request: Body.describe("as accepted, with defaults filled in"),
  created_at: z.iso.datetime(),
  started_at: instantOrNull("null while queued"),
  finished_at: instantOrNull("null until it is over"),
  result: BacktestResult.nullable().describe("null until done"),
  error: z
    .strictObject({
      code: z.enum(JOB_ERROR_CODES).describe("each is explained under /docs/errors"),
      message: z.string(),
    })
    .nullable()
    .describe("why it failed; the units were refunded"),
});

/** POST /backtests */
export const submitBacktest: SubmitEndpoint<typeof Body> = {
  kind: "submit",
  path: "/backtests",
  operationId: "postBacktest",
  tag: "Backtests",
  summary: "Run a template on a coin from a date",
  description:
    "Accepts a backtest as a job. Needs a paid plan and a live key. Costs the plan's backtest units, which are refunded if the job ends in `error`. With an `Idempotency-Key` header, a repeat within 24 hours returns the first call's job without a second charge.",
  body: Body,
  data: Accepted,
  examples: {
    "a moving-average cross": { strategy: "ma_cross", coin: "btc", start_date: "2024-01-01" },
  },
  requestOf(snapshot, body) {
    const template = templateOf(body.strategy, "strategy");
    const found = coinOf(snapshot, body.coin);
    return {
      strategy: template.name,
      coin: found.ticker,
      startDay: dayWithin(found, START_DATE, body.start_date),
      startingCashUsd: significant(body.starting_cash)!, // finite, because the schema bounds it
      variant: body.variant,
    };
  },
};

/** GET /backtests/{id} */
export const pollBacktest: PollEndpoint = {
  kind: "poll",
  path: "/backtests",
  operationId: "getBacktest",
  tag: "Backtests",
  summary: "A backtest job and its result",
  description:
    "Shows the jobs of the calling account only. Free: it costs no call, but counts for the rate limit. While the job is not over, `Retry-After` suggests when to poll again. Results are kept for 30 days.",
  data: JobView,
};

/** `data` of an accepted submission. */
export function acceptedOf(
  { jobId, attribution }: { readonly jobId: number; readonly attribution: object },
  submitUrl: string,
): z.output<typeof Accepted> {
  return {
    attribution: attribution as z.output<typeof Attribution>, // stored as it was made
    job_id: jobId,
    poll_url: `${submitUrl}/${jobId}`,
    status: "queued",
  };
}

/** `data` of a job as JSON, up to its result and after it: that is JSON already, and long. */
export function jobText({ job, attribution }: Omit<StoredJob, "result">): {
  readonly before: string;
  readonly after: string;
} {
  const { request } = job;
  const head: Omit<z.output<typeof JobView>, "result" | "error"> = {
    attribution: attribution as z.output<typeof Attribution>, // stored as it was made
    job_id: job.id,
    status: job.status,
    request: {
      strategy: request.strategy,
      coin: request.coin,
      start_date: dateOfDay(request.startDay),
      starting_cash: request.startingCashUsd,
      variant: request.variant,
    },
    created_at: new Date(job.createdMs).toISOString(),
    started_at: instantOf(job.startedMs),
    finished_at: instantOf(job.finishedMs),
  };
  const open = JSON.stringify(head).slice(0, -1);
  return { before: `${open},"result":`, after: `,"error":${JSON.stringify(job.error)}}` };
}
