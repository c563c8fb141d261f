import type { PickRecord, TrialScope } from "../../quant/dataset/pick.ts";
import type { HoldRecord } from "../../quant/dataset/record.ts";
import { findTemplate } from "../../quant/strategies/catalogue.ts";
import { columnsOf, date, double, flag, fraction, integer } from "./columns.ts";
import { json, listed, percent, ratio, rowsOf, text, within } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { segmentColumns } from "./segment-columns.ts";
import type { Table, TableBlock } from "./table.ts";

/** The result of holding the coin over the same days. */
function holdColumns(prefix: string, words: string): Columns<HoldRecord> {
  const about = `of holding the coin over the ${words} days, without costs`;
  return columnsOf<HoldRecord>()({
    [`${prefix}_sharpe`]: ratio(`Sharpe ratio a year ${about}`, "sharpe"),
    [`${prefix}_return_pct`]: percent(`return ${about}`, "totalReturn"),
    [`${prefix}_max_drawdown_pct`]: percent(`deepest fall ${about}`, "maxDrawdown"),
  });
}

/** A deflated Sharpe ratio for having chosen among each number of runs. */
function deflatedColumns(
  prefix: string,
  description: (scope: string) => string,
): Columns<Readonly<Record<TrialScope, number>>> {
  return columnsOf<Readonly<Record<TrialScope, number>>>()({
    [`${prefix}_n_13`]: fraction(description("its 13 variants"), "cell"),
    [`${prefix}_n_286`]: fraction(description("all 286 runs on the coin"), "coin"),
    [`${prefix}_n_11440`]: fraction(
      description("all runs of the dataset, 11,440 unless coins are missing"),
      "dataset",
    ),
  });
}

const CHOICE_COLUMNS = columnsOf<PickRecord>()({
  haircut_pct: double("percent")(
    "in-sample Sharpe lost out-of-sample; NULL when there was none above 0",
    "haircutPct",
  ),
  out_of_sample_rank: double("rank")(
    "rank among the variants by out-of-sample Sharpe, 1 best, ties averaged",
  ),
  ranked_runs: integer("variants that moved out-of-sample, the pick included"),
  variants_mean_in_sample_sharpe: ratio(
    "mean in-sample Sharpe of the variants that moved in-sample: the pick's own less this is its lead",
    ({ variantsMean }) => variantsMean.inSample,
  ),
  variants_mean_out_of_sample_sharpe: ratio(
    "mean out-of-sample Sharpe of those of them that moved there, too",
    ({ variantsMean }) => variantsMean.outOfSample,
  ),
  default_in_sample_sharpe: ratio(
    "in-sample Sharpe of variant 1, the default",
    ({ cell }) => cell.runs[0]?.segments.inSample.sharpe ?? NaN,
  ),
  default_out_of_sample_sharpe: ratio(
    "out-of-sample Sharpe of variant 1, the default",
    ({ cell }) => cell.runs[0]?.segments.outOfSample.sharpe ?? NaN,
  ),
  best_out_of_sample_variant: integer(
    "the variant that was best out-of-sample, known only afterwards",
    ({ cell }) => cell.runs[cell.bestOutOfSample]?.variant ?? null,
  ),
  best_out_of_sample_sharpe: ratio(
    "its out-of-sample Sharpe",
    ({ cell }) => cell.runs[cell.bestOutOfSample]?.segments.outOfSample.sharpe ?? NaN,
  ),
  ...within(
    ({ coin }: PickRecord) => coin.hold.inSample,
    holdColumns("buy_hold_in_sample", "in-sample"),
  ),
  ...within(
    ({ coin }: PickRecord) => coin.hold.outOfSample,
    holdColumns("buy_hold_out_of_sample", "out-of-sample"),
  ),
});

const LUCK_COLUMNS = columnsOf<PickRecord>()({
  pbo: fraction(
    "probability of backtest overfitting among the variants: CSCV over the whole run, 16 blocks, ties half",
    ({ cell }) => cell.pbo,
  ),
  rank_correlation: ratio(
    "Spearman's correlation of the variants' in-sample and out-of-sample Sharpe",
    ({ cell }) => cell.rankCorrelation,
  ),
  ...within(
    ({ deflated }: PickRecord) => deflated,
    deflatedColumns("deflated_sharpe_ratio", (scope) => {
      return `deflated Sharpe ratio of the in-sample days for having chosen among ${scope}, V = 1/(T - 1)`;
    }),
  ),
  ...within(
    ({ deflatedByVariance }: PickRecord) => deflatedByVariance,
    deflatedColumns("deflated_sharpe_ratio_trials_variance", (scope) => {
      return `the same with V the variance (n - 1) of the in-sample Sharpe ratios a day of ${scope}`;
    }),
  ),
  survives: flag("deflated_sharpe_ratio_n_286 is at least 0.95"),
  out_of_sample_psr: fraction("PSR of the out-of-sample days alone: 1 less the p-value of no edge"),
  trials: integer("variants that moved in-sample", ({ cell }) => cell.trials.trials),
  mean_correlation: ratio(
    "mean correlation of their in-sample returns",
    ({ cell }) => cell.trials.meanCorrelation,
  ),
  implied_trials: double("count")(
    "independent trials they are worth: rho + (1 - rho) N",
    ({ cell }: PickRecord) => cell.trials.impliedTrials,
  ),
  effective_rank: ratio(
    "effective rank of their correlations",
    ({ cell }) => cell.trials.effectiveRank,
  ),
});

const COLUMNS = columnsOf<PickRecord>()({
  coin: text("lower-case ticker", ({ coin }) => coin.coin),
  template: text("name of the template", ({ cell }) => cell.template),
  family: text("family of the template", ({ cell }) => cell.family),
  variant: integer("the variant picked, 1 to 13", ({ run }) => run.variant),
  params: json("its parameters by name", ({ cell, run }) =>
    JSON.stringify(findTemplate(cell.template)?.variants[run.variant - 1] ?? {}),
  ),
  in_sample_start: date("first in-sample day", ({ coin }) => coin.firstDay),
  in_sample_end: date("last in-sample day", ({ coin }) => coin.splitDay - 1),
  out_of_sample_start: date("first out-of-sample day", ({ coin }) => coin.splitDay),
  out_of_sample_end: date("last out-of-sample day", ({ coin }) => coin.lastDay),
  ...within(
    ({ run }: PickRecord) => run.segments.inSample,
    segmentColumns("in_sample", "in-sample"),
  ),
  ...within(
    ({ run }: PickRecord) => run.segments.outOfSample,
    segmentColumns("out_of_sample", "out-of-sample"),
  ),
  ...CHOICE_COLUMNS,
  ...LUCK_COLUMNS,
});

export const DATASET_PICKS: Table = {
  name: "dataset_picks",
  description:
    "Of the 13 runs of each template on each coin the one with the best in-sample Sharpe, and what became of it.",
  key: ["coin", "template"],
  arrow: true,
  columns: listed(COLUMNS),
};

export function datasetPicksBlock(picks: readonly PickRecord[]): TableBlock {
  return rowsOf(COLUMNS, picks);
}
