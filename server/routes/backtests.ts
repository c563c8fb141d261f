import { z } from "zod";
import { AcceptedBacktest, BacktestJob, BacktestRequest, type OwnRun } from "../../api/backtest.ts";
import { EquityPoint, Trade } from "../../api/backtest-result.ts";
import { significant } from "../../api/significant-digits.ts";
import { tableOf } from "../../api/table.ts";
import { VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import { completed } from "../../quant/strategies/legal.ts";
import type { Template } from "../../quant/strategies/template.ts";
import { DomainError } from "../http/errors.ts";
import type { BacktestRequest as Request } from "../../accounts/jobs/job.ts";
import { coinOf, windowWithin } from "./board.ts";
import type { PollEndpoint, SubmitEndpoint } from "./endpoint.ts";
import { coin, date, described, template, worded } from "./parameters.ts";
import { legalSet, orInvalid, ownMembers, triedSets, templateOf } from "./own-run.ts";

/** The body's members have the descriptions of the request in a job. */
const words = BacktestRequest.members;
const CASH_MIN = 1;
const CASH_MAX = 1_000_000;

const Body = z.strictObject({
  strategy: template(words.strategy.description),
  coin: coin(words.coin.description).default("btc"),
  start_date: date({
    description: words.start_date.description,
    example: "2024-01-01",
  }),
  starting_cash: described(z.number().min(CASH_MIN).max(CASH_MAX), {
    allowed: `a number from ${CASH_MIN} to ${CASH_MAX}`,
    description: words.starting_cash.description,
    example: 10_000,
  }).default(10_000),
  variant: described(z.int().min(1).max(VARIANTS_PER_TEMPLATE), {
    allowed: `a whole number from 1 to ${VARIANTS_PER_TEMPLATE}`,
    description: words.variant.description,
    example: 1,
  }).optional(),
  parameters: described(z.record(z.string(), worded(z.number(), "a number")), {
    allowed: "an object with a number for each parameter that is not its default",
    description: words.parameters.description,
    example: { fast: 12, slow: 60 },
  }).optional(),
  ...ownMembers(words),
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
  data: AcceptedBacktest,
  examples: {
    "a moving-average cross": { strategy: "ma_cross", coin: "btc", start_date: "2024-01-01" },
  },
  askedOf(snapshot, body) {
    const template = templateOf(body.strategy, "strategy");
    const found = coinOf(snapshot, body.coin);
    const { startDay, endDay } = windowWithin(found, body);
    const own = ownRun(template, body, endDay);
    const request: Request = {
      strategy: template.name,
      coin: found.ticker,
      startDay,
      startingCashUsd: significant(body.starting_cash)!, // finite, because the schema bounds it
      variant: body.variant ?? 1,
      ...(own === undefined ? {} : { own }),
    };
    const tried =
      own?.params && triedSets({ template, coin: found.ticker, startDay }, [own.params]);
    return { kind: "backtest", request, runs: 1, tried };
  },
};

/** What makes the run differ from the published ones; undefined if nothing does. */
function ownRun(
  template: Template,
  body: z.output<typeof Body>,
  endDay: number,
): OwnRun | undefined {
  const { variant, parameters, fee_pct: fee, slippage_pct: slippage, n_trials: nTrials } = body;
  if (variant !== undefined && parameters !== undefined) {
    const message = 'give "variant" or "parameters", not both: a variant is a set of parameters';
    throw new DomainError("invalid_parameter", message);
  }
  const own: OwnRun = {
    ...(parameters && {
      params: legalSet(
        template,
        orInvalid(() => completed(template, parameters)),
      ),
    }),
    ...(body.end_date !== undefined && { endDay }),
    ...(fee !== undefined && { feeRate: fee / 100 }),
    ...(slippage !== undefined && { slippageRate: slippage / 100 }),
    ...(nTrials !== undefined && { nTrials }),
  };
  return Object.keys(own).length === 0 ? undefined : own;
}

/** GET /backtests/{id} */
export const pollBacktest: PollEndpoint<typeof BacktestJob> = {
  kind: "poll",
  job: "backtest",
  path: "/backtests",
  operationId: "getBacktest",
  tag: "Backtests",
  summary: "A backtest job and its result",
  description:
    "Shows the jobs of the calling account only. Free: it costs no call, but counts for the rate limit. While the job is not over, `Retry-After` suggests when to poll again. Results are kept for 30 days.",
  data: BacktestJob,
  parts: ["equity", "trades"],
  rows: ({ result }, { part }) =>
    part === "trades"
      ? tableOf("result.trades", Trade, result?.trades ?? [])
      : tableOf("result.equity_curve", EquityPoint, result?.equity_curve ?? []),
};
