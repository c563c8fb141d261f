import { monthText } from "../../quant/month.ts";
import type { IndexStanding, NullBand } from "../../quant/overfitting/index-band.ts";
import type { Layer } from "../../quant/overfitting/index-layer.ts";
import type { IndexValue } from "../../quant/overfitting/index-value.ts";
import { blockOfOne, columnsOf, flag, fraction, integer } from "./columns.ts";
import { listed, points, ratio, text, within } from "./columns.ts";
import type { Columns } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

/** The certainty of a month, from its draws. */
export interface IndexCertainty {
  /** NaN and null without draws. */
  readonly standing: IndexStanding;
  /** Share of the draws at or below the value; NaN without draws. */
  readonly luckShare: number;
  readonly band: NullBand | undefined;
}

/** One published month of the index. */
export interface IndexMonth extends IndexCertainty {
  readonly index: IndexValue;
  /** Whether the run that computed it had a later last complete month. */
  readonly backfilled: boolean;
  /** SHA-256 of the version, the catalogue and every bar of the coins up to the month's last day. */
  readonly inputHash: string;
}

function layerColumns(name: string, sets: string): Columns<Layer> {
  return columnsOf<Layer>()({
    [name]: points(`score of the layer of ${sets}; not clipped`, "score"),
    [`${name}_pbo`]: fraction("mean probability of overfitting of its sets", "pbo"),
    [`${name}_premium_kept`]: fraction(
      "share of the in-sample premium of the best over the median that was left out-of-sample",
      "premiumKept",
    ),
    [`${name}_rank_correlation`]: ratio(
      "mean Spearman correlation of in-sample and out-of-sample Sharpe",
      "rankCorrelation",
    ),
    [`${name}_sets`]: integer("sets of at least 5 strategies that moved", "sets"),
  });
}

const NO_RANGE: NullBand["value"] = { low: NaN, high: NaN, mean: NaN, deviation: NaN };

function bandColumns(
  figure: "value" | "tuning" | "shopping",
  prefix: string,
): Columns<IndexCertainty> {
  const columns = columnsOf<NullBand["value"]>()({
    [`${prefix}low`]: points(`5 % of the draws have a lower ${figure}`, "low"),
    [`${prefix}high`]: points(`95 % of the draws have a lower ${figure}`, "high"),
    [`${prefix}mean`]: points(`mean ${figure} of the draws`, "mean"),
    [`${prefix}deviation`]: points(
      `sample standard deviation of the ${figure} of the draws`,
      "deviation",
    ),
  });
  return within(({ band }) => band?.[figure] ?? NO_RANGE, columns);
}

const STANDING_COLUMNS = columnsOf<IndexCertainty>()({
  low: points("value less 1.645 standard deviations of the null", ({ standing }) => standing.low),
  high: points("value plus 1.645 standard deviations of the null", ({ standing }) => standing.high),
  significant: flag(
    "the value is outside the 5 to 95 % of the draws; NULL without a value or without draws",
    ({ standing }) => standing.significant,
  ),
  luck_share: fraction("share of the draws with a value as low; NULL likewise"),
});

const BAND_COLUMNS = columnsOf<IndexCertainty>()({
  null_band_month: text("whose days were permuted; empty without draws", ({ band }) =>
    band === undefined ? "" : monthText(band.month),
  ),
  null_band_draws: integer("permutations", ({ band }) => band?.draws ?? 0),
  ...bandColumns("value", "null_band_"),
  ...bandColumns("tuning", "null_band_tuning_"),
  ...bandColumns("shopping", "null_band_shopping_"),
});

function meanOf(figure: "pbo" | "premiumKept" | "rankCorrelation") {
  return ({ tuning, shopping }: IndexValue) => (tuning[figure] + shopping[figure]) / 2;
}

const VALUE_COLUMNS = columnsOf<IndexValue>()({
  pbo: fraction("mean of both layers' pbo", meanOf("pbo")),
  premium_kept: fraction("mean of both layers'", meanOf("premiumKept")),
  rank_correlation: ratio("mean of both layers'", meanOf("rankCorrelation")),
  ...within(
    ({ tuning }: IndexValue) => tuning,
    layerColumns("tuning", "the 13 variants of each template on each coin"),
  ),
  ...within(
    ({ shopping }: IndexValue) => shopping,
    layerColumns("shopping", "all 286 runs on each coin"),
  ),
  ...within(
    ({ companions }: IndexValue) => companions,
    columnsOf<IndexValue["companions"]>()({
      share_negative_out_of_sample: fraction(
        "share of the default variants with a negative out-of-sample Sharpe",
      ),
      share_winners_not_significant: fraction(
        "share of the in-sample best of 13 with a deflated Sharpe ratio below 0.95",
      ),
      median_sharpe_in_sample: ratio("median annual Sharpe of all runs that moved, in-sample"),
      median_sharpe_out_of_sample: ratio("the same out-of-sample"),
      median_winner_sharpe_in_sample: ratio("median in-sample Sharpe of the in-sample best of 13"),
      median_winner_sharpe_out_of_sample: ratio("what those had out-of-sample"),
    }),
  ),
  coins: integer("coins with both periods after the warm-up"),
  runs: integer("286 for each of them"),
  flat_runs: integer("runs left out: nothing moved in-sample or out-of-sample"),
});

const COLUMNS = columnsOf<IndexMonth>()({
  month: text("YYYY-MM; the index of what was known at the close of its last day", ({ index }) =>
    monthText(index.month),
  ),
  version: integer("version of the method", ({ index }) => index.version),
  value: points(
    "0: the in-sample ranking persists, 50: a coin flip, above: it misleads",
    ({ index }) => index.value,
  ),
  ...STANDING_COLUMNS,
  ...within(({ index }: IndexMonth) => index, VALUE_COLUMNS),
  backfilled: flag(
    "computed in a run whose last complete month was a later one: not a record of prediction",
  ),
  input_hash: text("SHA-256 of all that the value was computed from"),
  ...BAND_COLUMNS,
});

export const OVERFITTING_INDEX: Table = {
  name: "overfitting_index",
  description:
    "The Crypto Overfitting Index, oldest month first. A published month never changes under the same version.",
  key: ["month"],
  arrow: true,
  columns: listed(COLUMNS),
};

/** One month as a block of one row. */
export function indexBlock(month: IndexMonth): TableBlock {
  return blockOfOne(COLUMNS, month);
}

/**
 * A published month that had no draws, completed with what draws say about it. Everything else stays as published.
 */
export function withCertainty(block: TableBlock, certainty: IndexCertainty): TableBlock {
  const { columns } = blockOfOne({ ...STANDING_COLUMNS, ...BAND_COLUMNS }, certainty);
  return { rows: 1, columns: { ...block.columns, ...columns } };
}
