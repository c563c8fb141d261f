import { monthText } from "../../quant/month.ts";
import type { IndexStanding, NullBand } from "../../quant/overfitting/index-band.ts";
import type { Layer } from "../../quant/overfitting/index-layer.ts";
import type { IndexValue } from "../../quant/overfitting/index-value.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { blockOfOne, computed, definitionsOf } from "./computed-column.ts";
import type { Table, TableBlock } from "./table.ts";

/** What the draws say about a month. */
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

type IndexColumn = ComputedColumn<IndexMonth>;
type CertaintyColumn = ComputedColumn<IndexCertainty>;

function layerColumns(name: "tuning" | "shopping", sets: string): IndexColumn[] {
  const of = (value: (layer: Layer) => number) => (month: IndexMonth) => value(month.index[name]);
  return [
    computed(
      [name, "double", "points"],
      `score of the layer of ${sets}; not clipped`,
      of(({ score }) => score),
    ),
    computed(
      [`${name}_pbo`, "double", "fraction"],
      "mean probability of overfitting of its sets",
      of(({ pbo }) => pbo),
    ),
    computed(
      [`${name}_premium_kept`, "double", "fraction"],
      "share of the in-sample premium of the best over the median that was left out-of-sample",
      of(({ premiumKept }) => premiumKept),
    ),
    computed(
      [`${name}_rank_correlation`, "double", "ratio"],
      "mean Spearman correlation of in-sample and out-of-sample Sharpe",
      of(({ rankCorrelation }) => rankCorrelation),
    ),
    computed(
      [`${name}_sets`, "integer"],
      "sets of at least 5 strategies that moved",
      of(({ sets }) => sets),
    ),
  ];
}

function bandColumns(name: "value" | "tuning" | "shopping", prefix: string): CertaintyColumn[] {
  const of = (pick: (range: NullBand["value"]) => number) => (month: IndexCertainty) =>
    month.band === undefined ? NaN : pick(month.band[name]);
  return [
    computed(
      [`${prefix}low`, "double", "points"],
      `5 % of the draws have a lower ${name}`,
      of(({ low }) => low),
    ),
    computed(
      [`${prefix}high`, "double", "points"],
      `95 % of the draws have a lower ${name}`,
      of(({ high }) => high),
    ),
    computed(
      [`${prefix}mean`, "double", "points"],
      `mean ${name} of the draws`,
      of(({ mean }) => mean),
    ),
    computed(
      [`${prefix}deviation`, "double", "points"],
      `sample standard deviation of the ${name} of the draws`,
      of(({ deviation }) => deviation),
    ),
  ];
}

const both = (pick: (layer: Layer) => number) => (month: IndexMonth) =>
  (pick(month.index.tuning) + pick(month.index.shopping)) / 2;

const STANDING_COLUMNS: readonly CertaintyColumn[] = [
  computed(
    ["low", "double", "points"],
    "value less 1.645 standard deviations of the null",
    (of) => of.standing.low,
  ),
  computed(
    ["high", "double", "points"],
    "value plus 1.645 standard deviations of the null",
    (of) => of.standing.high,
  ),
  computed(
    ["significant", "boolean"],
    "the value is outside the 5 to 95 % of the draws; NULL without a value or without draws",
    (of) => of.standing.significant,
  ),
  computed(
    ["luck_share", "double", "fraction"],
    "share of the draws with a value as low; NULL likewise",
    (of) => of.luckShare,
  ),
];

const BAND_COLUMNS: readonly CertaintyColumn[] = [
  computed(["null_band_month", "text"], "whose days were permuted; empty without draws", (of) =>
    of.band === undefined ? "" : monthText(of.band.month),
  ),
  computed(["null_band_draws", "integer"], "permutations", (of) => of.band?.draws ?? 0),
  ...bandColumns("value", "null_band_"),
  ...bandColumns("tuning", "null_band_tuning_"),
  ...bandColumns("shopping", "null_band_shopping_"),
];

const COLUMNS: readonly IndexColumn[] = [
  computed(
    ["month", "text"],
    "YYYY-MM; the index of what was known at the close of its last day",
    (of) => monthText(of.index.month),
  ),
  computed(["version", "integer"], "version of the method", (of) => of.index.version),
  computed(
    ["value", "double", "points"],
    "0: the in-sample ranking persists, 50: a coin flip, above: it misleads",
    (of) => of.index.value,
  ),
  ...STANDING_COLUMNS,
  computed(
    ["pbo", "double", "fraction"],
    "mean of both layers' pbo",
    both(({ pbo }) => pbo),
  ),
  computed(
    ["premium_kept", "double", "fraction"],
    "mean of both layers'",
    both(({ premiumKept }) => premiumKept),
  ),
  computed(
    ["rank_correlation", "double", "ratio"],
    "mean of both layers'",
    both(({ rankCorrelation }) => rankCorrelation),
  ),
  ...layerColumns("tuning", "the 13 variants of each template on each coin"),
  ...layerColumns("shopping", "all 286 runs on each coin"),
  computed(
    ["share_negative_out_of_sample", "double", "fraction"],
    "share of the default variants with a negative out-of-sample Sharpe",
    (of) => of.index.companions.shareNegativeOutOfSample,
  ),
  computed(
    ["share_winners_not_significant", "double", "fraction"],
    "share of the in-sample best of 13 with a deflated Sharpe ratio below 0.95",
    (of) => of.index.companions.shareWinnersNotSignificant,
  ),
  computed(
    ["median_sharpe_in_sample", "double", "ratio"],
    "median annual Sharpe of all runs that moved, in-sample",
    (of) => of.index.companions.medianSharpeInSample,
  ),
  computed(
    ["median_sharpe_out_of_sample", "double", "ratio"],
    "the same out-of-sample",
    (of) => of.index.companions.medianSharpeOutOfSample,
  ),
  computed(
    ["median_winner_sharpe_in_sample", "double", "ratio"],
    "median in-sample Sharpe of the in-sample best of 13",
    (of) => of.index.companions.medianWinnerSharpeInSample,
  ),
  computed(
    ["median_winner_sharpe_out_of_sample", "double", "ratio"],
    "what those had out-of-sample",
    (of) => of.index.companions.medianWinnerSharpeOutOfSample,
  ),
  computed(
    ["coins", "integer"],
    "coins with both periods after the warm-up",
    (of) => of.index.coins,
  ),
  computed(["runs", "integer"], "286 for each of them", (of) => of.index.runs),
  computed(
    ["flat_runs", "integer"],
    "runs left out: nothing moved in-sample or out-of-sample",
    (of) => of.index.flatRuns,
  ),
  computed(
    ["backfilled", "boolean"],
    "computed in a run whose last complete month was a later one: not a record of prediction",
    (of) => of.backfilled,
  ),
  computed(
    ["input_hash", "text"],
    "SHA-256 of all that the value was computed from",
    (of) => of.inputHash,
  ),
  ...BAND_COLUMNS,
];

export const OVERFITTING_INDEX: Table = {
  name: "overfitting_index",
  description:
    "The Crypto Overfitting Index, oldest month first. A published month never changes under the same version.",
  key: ["month"],
  arrow: true,
  columns: definitionsOf(COLUMNS),
};

/** One month as a block of one row. */
export function indexBlock(month: IndexMonth): TableBlock {
  return blockOfOne(COLUMNS, month);
}

/**
 * A published month that had no draws, completed with what draws say about it. Everything else stays as
 * published.
 */
export function withCertainty(block: TableBlock, certainty: IndexCertainty): TableBlock {
  const { columns } = blockOfOne([...STANDING_COLUMNS, ...BAND_COLUMNS], certainty);
  return { rows: 1, columns: { ...block.columns, ...columns } };
}
