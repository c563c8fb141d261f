import { z } from "zod";
import { BaseRates } from "../../api/base-rates.ts";
import { afterwardsNote, afterwardsOf, afterwardsOnCoin } from "../../quant/check/afterwards.ts";
import { knownRunsOf } from "../../snapshots/tables/dataset-runs.ts";
import { coinOf } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject, type SnapshotData, originOf } from "./snapshot-data.ts";
import { coin, decimal } from "./parameters.ts";

const SHARPE_MAX = 100;
const LENGTH_DAYS_MAX = 100_000;

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
  data: BaseRates,
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
    const own =
      ticker === undefined ? undefined : afterwardsOnCoin(runsOf(snapshot), ticker, shown);
    return {
      origin: originOf(snapshot, found),
      sharpe,
      lengthDays: days,
      coin: ticker,
      afterwards,
      note: afterwardsNote(afterwards),
      onCoin: own,
    };
  },
});
