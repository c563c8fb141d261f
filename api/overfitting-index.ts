import type { IndexLuck } from "../quant/overfitting/index-luck.ts";
import type { Row } from "../snapshots/dataset-tables.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { cellsOf, numberIn, under, type Cells } from "./cells.ts";
import { flag, int, list, number, object, text } from "./members.ts";
import { record, rowRecord, type Json } from "./record.ts";

const Components = rowRecord({ id: "IndexComponents" })({
  tuning: number.orNull("score of choosing among the 13 variants of a template; not clipped"),
  shopping: number.orNull("score of choosing among all 286 runs on a coin; not clipped"),
  pbo: number.orNull("probability of backtest overfitting: mean of both layers; coin flip 0.5"),
  premium_kept: number.orNull(
    "share of the best strategy's in-sample lead over the median one that was left out-of-sample: mean of both layers; a coin flip is 0",
  ),
  rank_correlation: number.orNull(
    "Spearman's correlation of both periods' Sharpe ratios: mean of both layers; a coin flip is 0",
  ),
  tuning_pbo: number.orNull("pbo of the tuning layer alone"),
  tuning_premium_kept: number.orNull("premium_kept of the tuning layer alone"),
  tuning_rank_correlation: number.orNull("rank_correlation of the tuning layer alone"),
  shopping_pbo: number.orNull("pbo of the shopping layer alone"),
  shopping_premium_kept: number.orNull("premium_kept of the shopping layer alone"),
  shopping_rank_correlation: number.orNull("rank_correlation of the shopping layer alone"),
});

const Companions = rowRecord({ id: "IndexCompanions" })({
  share_negative_out_of_sample: number.orNull("share of default variants with a negative Sharpe"),
  share_winners_not_significant: number.orNull("best of 13 whose deflated Sharpe is below 0.95"),
  median_sharpe_in_sample: number.orNull("median annual Sharpe of all runs, in-sample"),
  median_sharpe_out_of_sample: number.orNull("the same, out-of-sample"),
  median_winner_sharpe_in_sample: number.orNull("that of the in-sample best of 13"),
  median_winner_sharpe_out_of_sample: number.orNull("that of the same runs, out-of-sample"),
});

const NullBand = rowRecord({
  id: "IndexNullBand",
  description:
    "the index of the same coins with their days in random order; null until the month's draws are made",
})({
  low: number.orNull("5 % of the permutations have a lower index"),
  high: number.orNull("95 % of them have a lower one"),
  mean: number.orNull("their mean"),
  standard_deviation: number.orNull("their sample standard deviation", (band: Cells) =>
    numberIn(band, "deviation"),
  ),
  draws: int("how many there are"),
  tuning_low: number.orNull("5 % bound of the tuning layer"),
  tuning_high: number.orNull("its 95 % bound"),
  shopping_low: number.orNull("5 % bound of the shopping layer"),
  shopping_high: number.orNull("its 95 % bound"),
  month: text("the month whose days were permuted, YYYY-MM: its own"),
});

/** The index of a month, made from its row of the table. */
export const IndexMonth = rowRecord({
  id: "OverfittingIndexMonth",
  description: "The index of one month.",
})({
  month: text("YYYY-MM: what was known at the close of its last day"),
  value: number.orNull("0 to 100: 0 the ranking persists, 50 a coin flip, above it misleads"),
  low: number.orNull("5 % bound: value less 1.645 standard deviations of the null"),
  high: number.orNull("95 % bound"),
  significant: flag.orNull("value outside null_band; null without either"),
  luck_share: number.orNull("share of the permutations whose index is as low or lower"),
  deviations: number.orNull("value less the mean of the permutations, in their deviations"),
  stands_out: flag.orNull("whether that is beyond `luck.bar`, which holds for all months together"),
  components: object(Components)("", (month: Cells) => month),
  companions: object(Companions)("", (month: Cells) => month),
  coins: int("coins with both periods after 200 days of warm-up"),
  runs: int("286 for each coin"),
  flat_runs: int("runs left out: nothing moved in one of the periods"),
  version: int("version of the method"),
  backfilled: flag("computed after a later month: not a record of prediction"),
  null_band: object(NullBand).orNull("", (month: Cells) =>
    numberIn(month, "null_band_draws") === 0 ? null : under("null_band_")(month),
  ),
  input_hash: text("SHA-256 of all prices the value was computed from"),
});

/** How far from their bands luck alone puts that many months. */
const Luck = record<IndexLuck>({ id: "IndexLuck" })({
  low: number.orNull("5 % of the draws of all months together are lower"),
  high: number.orNull("95 % of them are lower"),
  draws: int("how many they are"),
  months: int("months with a value and a band"),
  outside: int("how many are outside their band"),
  outside_by_luck: number("how many luck alone puts there: 10 %"),
  bar: number.orNull(
    "deviations from which on a month stands out: 95 % of the draws have a lower maximum over all months; months share data and draws don't, so it is rather too high",
  ),
  standing_out: int("how many stand out", standingOut),
});

function standingOut({ deviations, bar }: IndexLuck): number {
  return deviations.filter((distance) => Math.abs(distance) > bar).length;
}

const METHODOLOGY =
  "On every coin, 22 strategy templates with 13 variants each are ranked by their Sharpe ratio over two years and again over the " +
  "year after. 0 means that the ranking fully persists, 50 that picking the best backtest is a coin flip, above 50 that it misleads. " +
  "The index is the mean of two layers: tuning (choosing among the 13 variants of one template) and shopping (choosing among all 286). " +
  "Each weighs the probability of backtest overfitting, what is left of the best strategy's lead over the median one, and the rank " +
  "correlation of the two periods. The band is what the index is when the days of the same market are put in random order. " +
  "Each month's band is of its own coins; a month stands out only if it is beyond the largest deviations of all months' draws. " +
  "It says nothing about profit. Today's board of coins favours those that survived.";
const METHODOLOGY_PATH = "/docs/methods#the-crypto-overfitting-index";

interface Months extends Attributed {
  readonly current: Row | undefined;
  readonly months: readonly Row[];
  readonly luck: IndexLuck;
  /** The server's public address; "" where links stay within the server. */
  readonly publicUrl: string;
}

const Methodology = record<Months>()({
  text: text("what the index is, in words", () => METHODOLOGY),
  link: text("where the full description is", ({ publicUrl }) => publicUrl + METHODOLOGY_PATH),
});

/** `GET /overfitting-index` */
export const OverfittingIndex = record<Months>()({
  attribution,
  current: object(IndexMonth).orNull(
    "the last complete month (while a coin's last prices of it are awaited, for up to two nights, the month before); null when that has fewer than 10 coins",
    ({ current }) => current && cellsOf(current),
  ),
  history: list(IndexMonth)("every month with a value, oldest first", ({ months }) =>
    months.map(cellsOf),
  ),
  luck: object(Luck)(),
  methodology: object(Methodology)("", (months) => months),
});

export type IndexMonth = Json<typeof IndexMonth>;
export type OverfittingIndex = Json<typeof OverfittingIndex>;
