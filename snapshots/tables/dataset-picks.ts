import type { PickRecord, TrialScope } from "../../quant/dataset/pick.ts";
import type { HoldRecord } from "../../quant/dataset/record.ts";
import { findTemplate } from "../../quant/strategies/catalogue.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import { segmentColumns } from "./segment-columns.ts";
import type { Table, TableBlock } from "./table.ts";

type PickColumn = ComputedColumn<PickRecord>;

/** The result of holding the coin over the same days. */
function holdColumns(
  prefix: string,
  words: string,
  hold: (pick: PickRecord) => HoldRecord,
): PickColumn[] {
  const of = (value: (hold: HoldRecord) => number) => (pick: PickRecord) => value(hold(pick));
  const about = `of holding the coin over the ${words} days, without costs`;
  return [
    computed(
      [`${prefix}_sharpe`, "double", "ratio"],
      `Sharpe ratio a year ${about}`,
      of(({ sharpe }) => sharpe),
    ),
    computed(
      [`${prefix}_return_pct`, "double", "percent"],
      `return ${about}`,
      of(({ totalReturn }) => totalReturn * 100),
    ),
    computed(
      [`${prefix}_max_drawdown_pct`, "double", "percent"],
      `deepest fall ${about}`,
      of(({ maxDrawdown }) => maxDrawdown * 100),
    ),
  ];
}

const DEFLATIONS: readonly (readonly [name: string, scope: TrialScope, of: string])[] = [
  ["n_13", "cell", "its 13 variants"],
  ["n_286", "coin", "all 286 runs on the coin"],
  ["n_11440", "dataset", "all runs of the dataset, 11,440 unless coins are missing"],
];

const CHOICE_COLUMNS: readonly PickColumn[] = [
  computed(
    ["haircut_pct", "double", "percent"],
    "in-sample Sharpe lost out-of-sample; NULL when there was none above 0",
    ({ haircutPct }) => haircutPct,
  ),
  computed(
    ["out_of_sample_rank", "double", "rank"],
    "rank among the variants by out-of-sample Sharpe, 1 best, ties averaged",
    ({ outOfSampleRank }) => outOfSampleRank,
  ),
  computed(
    ["ranked_runs", "integer"],
    "variants that moved out-of-sample, the pick included",
    ({ rankedRuns }) => rankedRuns,
  ),
  computed(
    ["variants_mean_in_sample_sharpe", "double", "ratio"],
    "mean in-sample Sharpe of the variants that moved in-sample: the pick's own less this is its lead",
    ({ variantsMean }) => variantsMean.inSample,
  ),
  computed(
    ["variants_mean_out_of_sample_sharpe", "double", "ratio"],
    "mean out-of-sample Sharpe of those of them that moved there, too",
    ({ variantsMean }) => variantsMean.outOfSample,
  ),
  computed(
    ["default_in_sample_sharpe", "double", "ratio"],
    "in-sample Sharpe of variant 1, the default",
    ({ cell }) => cell.runs[0]?.segments.inSample.sharpe ?? NaN,
  ),
  computed(
    ["default_out_of_sample_sharpe", "double", "ratio"],
    "out-of-sample Sharpe of variant 1, the default",
    ({ cell }) => cell.runs[0]?.segments.outOfSample.sharpe ?? NaN,
  ),
  computed(
    ["best_out_of_sample_variant", "integer"],
    "the variant that was best out-of-sample, known only afterwards",
    ({ cell }) => cell.runs[cell.bestOutOfSample]?.variant ?? null,
  ),
  computed(
    ["best_out_of_sample_sharpe", "double", "ratio"],
    "its out-of-sample Sharpe",
    ({ cell }) => cell.runs[cell.bestOutOfSample]?.segments.outOfSample.sharpe ?? NaN,
  ),
  ...holdColumns("buy_hold_in_sample", "in-sample", ({ coin }) => coin.hold.inSample),
  ...holdColumns("buy_hold_out_of_sample", "out-of-sample", ({ coin }) => coin.hold.outOfSample),
];

const LUCK_COLUMNS: readonly PickColumn[] = [
  computed(
    ["pbo", "double", "fraction"],
    "probability of backtest overfitting among the variants: CSCV over the whole run, 16 blocks, ties half",
    ({ cell }) => cell.pbo,
  ),
  computed(
    ["rank_correlation", "double", "ratio"],
    "Spearman's correlation of the variants' in-sample and out-of-sample Sharpe",
    ({ cell }) => cell.rankCorrelation,
  ),
  ...DEFLATIONS.map(([name, scope, of]) =>
    computed<PickRecord>(
      [`deflated_sharpe_ratio_${name}`, "double", "fraction"],
      `deflated Sharpe ratio of the in-sample days for having chosen among ${of}, V = 1/(T - 1)`,
      ({ deflated }) => deflated[scope],
    ),
  ),
  ...DEFLATIONS.map(([name, scope, of]) =>
    computed<PickRecord>(
      [`deflated_sharpe_ratio_trials_variance_${name}`, "double", "fraction"],
      `the same with V the variance (n - 1) of the in-sample Sharpe ratios a day of ${of}`,
      ({ deflatedByVariance }) => deflatedByVariance[scope],
    ),
  ),
  computed(
    ["survives", "boolean"],
    "deflated_sharpe_ratio_n_286 is at least 0.95",
    ({ survives }) => survives,
  ),
  computed(
    ["out_of_sample_psr", "double", "fraction"],
    "probability, by the out-of-sample days alone, that the true Sharpe is above 0",
    ({ outOfSamplePsr }) => outOfSamplePsr,
  ),
  computed(
    ["trials", "integer"],
    "variants that moved in-sample",
    ({ cell }) => cell.trials.trials,
  ),
  computed(
    ["mean_correlation", "double", "ratio"],
    "mean correlation of their in-sample returns",
    ({ cell }) => cell.trials.meanCorrelation,
  ),
  computed(
    ["implied_trials", "double", "count"],
    "independent trials they are worth: rho + (1 - rho) N",
    ({ cell }) => cell.trials.impliedTrials,
  ),
  computed(
    ["effective_rank", "double", "ratio"],
    "effective rank of their correlations",
    ({ cell }) => cell.trials.effectiveRank,
  ),
];

const COLUMNS: readonly PickColumn[] = [
  computed(["coin", "text"], "lower-case ticker", ({ coin }) => coin.coin),
  computed(["template", "text"], "name of the template", ({ cell }) => cell.template),
  computed(["family", "text"], "family of the template", ({ cell }) => cell.family),
  computed(["variant", "integer"], "the variant picked, 1 to 13", ({ run }) => run.variant),
  computed(["params", "text", "json"], "its parameters by name", ({ cell, run }) =>
    JSON.stringify(findTemplate(cell.template)?.variants[run.variant - 1] ?? {}),
  ),
  computed(["in_sample_start", "date"], "first in-sample day", ({ coin }) => coin.firstDay),
  computed(["in_sample_end", "date"], "last in-sample day", ({ coin }) => coin.splitDay - 1),
  computed(["out_of_sample_start", "date"], "first out-of-sample day", ({ coin }) => coin.splitDay),
  computed(["out_of_sample_end", "date"], "last out-of-sample day", ({ coin }) => coin.lastDay),
  ...segmentColumns(
    { prefix: "in_sample", words: "in-sample" },
    ({ run }: PickRecord) => run.segments.inSample,
  ),
  ...segmentColumns(
    { prefix: "out_of_sample", words: "out-of-sample" },
    ({ run }: PickRecord) => run.segments.outOfSample,
  ),
  ...CHOICE_COLUMNS,
  ...LUCK_COLUMNS,
];

export const DATASET_PICKS: Table = {
  name: "dataset_picks",
  description:
    "Of the 13 runs of each template on each coin the one with the best in-sample Sharpe, and what became of it.",
  key: ["coin", "template"],
  arrow: true,
  columns: definitionsOf(COLUMNS),
};

export function datasetPicksBlock(picks: readonly PickRecord[]): TableBlock {
  return { rows: picks.length, columns: rowsOf(COLUMNS, picks) };
}
