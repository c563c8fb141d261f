import { z } from "zod";
import { afterwardsNote, afterwardsOf, afterwardsOnCoin } from "../../quant/check/afterwards.ts";
import { knownRunsOf } from "../../snapshots/tables/dataset-runs.ts";
import { numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { coinOf } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { inAnswer } from "./in-answer.ts";
import { oncePerObject } from "./once-per-object.ts";
import { coin, decimal } from "./parameters.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const SHARPE_MAX = 100;
const LENGTH_DAYS_MAX = 100_000;

const Later = z.strictObject({
  runs: z.int().describe("runs behind the figures"),
  median: numberOrNull("of the later Sharpe ratios, a year"),
  low: numberOrNull("their 5 % quantile"),
  high: numberOrNull("their 95 % quantile"),
  share_below_zero: numberOrNull("share of the runs that lost afterwards"),
});

/** Also part of a check's peers. */
export const Afterwards = Later.extend({
  coins: z.int().describe("coins that the runs are of"),
}).meta({
  id: "Afterwards",
  description: "What came after runs with a similar Sharpe ratio over a similar length.",
});

const runsOf = oncePerObject((snapshot: SnapshotData) => knownRunsOf(snapshot.runs()));

/** GET /base-rates?sharpe=&length_days=&coin= */
export const baseRates = readEndpoint({
  path: "/base-rates",
  operationId: "getBaseRates",
  tag: "Overfitting",
  summary: "What came after backtests that looked like yours",
  description:
    "The later Sharpe ratios of the dataset's runs whose Sharpe ratio in the first 70 % of days was within 0.25 of yours, " +
    "over a length within a factor of 1.5: at most the 10 nearest of each coin, from at least 20 coins.",
  query: z.strictObject({
    sharpe: decimal(-SHARPE_MAX, SHARPE_MAX, {
      description: "annualised Sharpe ratio of the backtest, no risk-free rate",
      example: 1.2,
    }),
    length_days: decimal(0, LENGTH_DAYS_MAX, {
      description: "length of the backtest in days",
      example: 900,
    }),
    coin: coin("ticker of a coin on the board, whose own runs are then shown as well").optional(),
  }),
  data: z.strictObject({
    attribution: Attribution,
    sharpe: z.number().describe("as given"),
    length_days: z.number().describe("as given"),
    coin: z.string().nullable().describe("as given"),
    afterwards: Afterwards.nullable().describe("null for fewer than 20 coins"),
    afterwards_note: z.string().describe("what the figures rest on, or why not"),
    on_coin: Later.nullable().describe(
      "the same for all such runs on the coin alone, which share one history; null for fewer than 20 runs",
    ),
  }),
  examples: {
    "a Sharpe ratio of 1 over 700 days": { sharpe: "1", length_days: "700" },
    "on a coin": { sharpe: "0.5", length_days: "900", coin: "btc" },
  },
  resolve: (snapshot, { sharpe, length_days: lengthDays, coin: ticker }) => ({
    sharpe,
    length_days: lengthDays,
    coin: ticker === undefined ? undefined : coinOf(snapshot, ticker).ticker,
  }),
  answer(snapshot, { sharpe, length_days: days, coin: ticker }) {
    const found = ticker === undefined ? undefined : coinOf(snapshot, ticker);
    const shown = { sharpe, days };
    const afterwards = afterwardsOf(runsOf(snapshot), shown);
    const own = ticker && afterwardsOnCoin(runsOf(snapshot), ticker, shown);
    const { coins = 0, ...later } = afterwards ?? {};
    return {
      attribution: attributionOf(snapshot, found),
      sharpe,
      length_days: days,
      coin: ticker ?? null,
      afterwards: afterwards ? { ...(inAnswer(later) as z.output<typeof Later>), coins } : null,
      afterwards_note: afterwardsNote(afterwards),
      on_coin: inAnswer(own ?? null) as z.output<typeof Later> | null,
    };
  },
});
