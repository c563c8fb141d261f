import { z } from "zod";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { readEndpoint } from "./endpoint.ts";
import { NO_PARAMETERS } from "./parameters.ts";
import { membersOf, numberOf } from "./row-members.ts";

const METHODOLOGY =
  "On every coin, 22 strategy templates with 13 variants each are ranked by their Sharpe ratio over two years and again over the " +
  "year after. 0 means that the ranking fully persists, 50 that picking the best backtest is a coin flip, above 50 that it misleads. " +
  "The index is the mean of two layers: tuning (choosing among the 13 variants of one template) and shopping (choosing among all 286). " +
  "Each weighs the probability of backtest overfitting, what is left of the best strategy's lead over the median one, and the rank " +
  "correlation of the two periods. The band is what the index is when the days of the same market are put in random order. " +
  "It says nothing about profit. Today's board of coins favours those that survived.";
const METHODOLOGY_PATH = "/docs/methods#the-crypto-overfitting-index";

const Components = z
  .strictObject({
    tuning: numberOrNull("score of choosing among the 13 variants of a template; not clipped"),
    shopping: numberOrNull("score of choosing among all 286 runs on a coin; not clipped"),
    pbo: numberOrNull("probability of backtest overfitting: mean of both layers; coin flip 0.5"),
    premium_kept: numberOrNull(
      "share of the best strategy's in-sample lead over the median one that was left out-of-sample: mean of both layers; a coin flip is 0",
    ),
    rank_correlation: numberOrNull(
      "Spearman's correlation of both periods' Sharpe ratios: mean of both layers; a coin flip is 0",
    ),
    tuning_pbo: numberOrNull("pbo of the tuning layer alone"),
    tuning_premium_kept: numberOrNull("premium_kept of the tuning layer alone"),
    tuning_rank_correlation: numberOrNull("rank_correlation of the tuning layer alone"),
    shopping_pbo: numberOrNull("pbo of the shopping layer alone"),
    shopping_premium_kept: numberOrNull("premium_kept of the shopping layer alone"),
    shopping_rank_correlation: numberOrNull("rank_correlation of the shopping layer alone"),
  })
  .meta({ id: "IndexComponents" });

const Companions = z
  .strictObject({
    share_negative_out_of_sample: numberOrNull("share of default variants with a negative Sharpe"),
    share_winners_not_significant: numberOrNull("best of 13 whose deflated Sharpe is below 0.95"),
    median_sharpe_in_sample: numberOrNull("median annual Sharpe of all runs, in-sample"),
    median_sharpe_out_of_sample: numberOrNull("the same, out-of-sample"),
    median_winner_sharpe_in_sample: numberOrNull("that of the in-sample best of 13"),
    median_winner_sharpe_out_of_sample: numberOrNull("that of the same runs, out-of-sample"),
  })
  .meta({ id: "IndexCompanions" });

const NullBand = z
  .strictObject({
    low: numberOrNull("5 % of the permutations have a lower index"),
    high: numberOrNull("95 % of them have a lower one"),
    mean: numberOrNull("their mean"),
    standard_deviation: numberOrNull("their sample standard deviation"),
    draws: z.int().describe("how many there are"),
    month: z.string().describe("the month whose days were permuted, YYYY-MM"),
  })
  .meta({
    id: "IndexNullBand",
    description: "the index of the same market with its days in random order",
  });

const IndexMonth = z
  .strictObject({
    month: z.string().describe("YYYY-MM: what was known at the close of its last day"),
    value: numberOrNull("0 to 100: 0 the ranking persists, 50 a coin flip, above it misleads"),
    low: numberOrNull("5 % bound: value less 1.645 standard deviations of the null"),
    high: numberOrNull("95 % bound"),
    significant: z.boolean().nullable().describe("value outside null_band; null without either"),
    luck_share: numberOrNull("share of the permutations whose index is as low or lower"),
    components: Components,
    companions: Companions,
    coins: z.int().describe("coins with both periods behind 200 days of warm-up"),
    runs: z.int().describe("286 for each coin"),
    flat_runs: z.int().describe("runs left out: nothing moved in one of the periods"),
    version: z.int().describe("version of the method"),
    backfilled: z.boolean().describe("computed after a later month: not a record of prediction"),
    null_band: NullBand.nullable(),
    input_hash: z.string().describe("SHA-256 of all prices the value was computed from"),
  })
  .meta({ id: "OverfittingIndexMonth", description: "The index of one month." });

/** GET /overfitting-index */
export const overfittingIndex = readEndpoint({
  path: "/overfitting-index",
  operationId: "getOverfittingIndex",
  tag: "Overfitting",
  summary: "How far the best backtest can be trusted, month by month",
  description:
    "The Crypto Overfitting Index: 0 when the ranking of strategies in one period persists in the next, 50 when picking the best backtest is a " +
    "coin flip, above 50 when it misleads. Neighbouring months share 35 of their 36 months of data: compare months at least a year apart.",
  query: NO_PARAMETERS,
  data: z.strictObject({
    attribution: Attribution,
    current: IndexMonth.nullable().describe(
      "the last complete month (while a coin's last prices of it are awaited, for up to two nights, the month before); null when that has fewer than 10 coins",
    ),
    history: z.array(IndexMonth).describe("every month with a value, oldest first"),
    methodology: z.strictObject({
      text: z.string().describe("what the index is, in words"),
      link: z.string().describe("where the full description is"),
    }),
  }),
  examples: { "all months": {} },
  resolve: () => ({}),
  answer(snapshot) {
    const history = snapshot.overfittingIndex.map(monthOf);
    const newest = snapshot.dataset.about.version; // the dataset always belongs to the newest month
    return {
      attribution: attributionOf(snapshot),
      current: history.find(({ month }) => month === newest) ?? null,
      history,
      methodology: { text: METHODOLOGY, link: (snapshot.publicUrl ?? "") + METHODOLOGY_PATH },
    };
  },
});

function monthOf(row: Row): z.output<typeof IndexMonth> {
  return membersOf(row, IndexMonth, {
    given: {
      components: membersOf(row, Components),
      companions: membersOf(row, Companions),
      null_band: row["null_band_draws"] === 0 ? null : bandOf(row),
    },
  });
}

function bandOf(row: Row): z.output<typeof NullBand> {
  return membersOf(row, NullBand, {
    prefix: "null_band_",
    given: { standard_deviation: numberOf(row, "null_band_deviation") },
  });
}
