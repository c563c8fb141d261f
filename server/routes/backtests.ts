import { z } from "zod";
import { AcceptedBacktest, BacktestJob, BacktestRequest } from "../../api/backtest.ts";
import { EquityPoint, Trade } from "../../api/backtest-result.ts";
import { significant } from "../../api/significant-digits.ts";
import { tableOf } from "../../api/table.ts";
import { VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import type { StoredJob } from "../jobs/job-store.ts";
import { coinOf, dayWithin, START_DATE } from "./board.ts";
import type { PollEndpoint, SubmitEndpoint } from "./endpoint.ts";
import { coin, date, described, text } from "./parameters.ts";
import { templateOf } from "./template-name.ts";

/** What a job says of its request is said of the body's members, too. */
const words = BacktestRequest.members;
const CASH_MIN = 1;
const CASH_MAX = 1_000_000;

const Body = z.strictObject({
  strategy: text({
    allowed: 'a template name such as "ma_cross"',
    description: words.strategy.description,
    example: "ma_cross",
  }),
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
  }).default(1),
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
export const pollBacktest: PollEndpoint<typeof BacktestJob> = {
  kind: "poll",
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

const NO_RESULT = '"result":null';

/** `data` of a job as JSON, up to its result and after it: that is JSON already, and long. */
export function jobText({
  job,
  attribution,
}: Omit<StoredJob, "result">): readonly [string, string] {
  const text = JSON.stringify(BacktestJob.of({ ...job, attribution, result: null }));
  const at = text.indexOf(NO_RESULT); // no text before it can contain a quote that is not escaped
  return [`${text.slice(0, at)}"result":`, text.slice(at + NO_RESULT.length)];
}
