import { textIn, under, type Cells } from "./cells.ts";
import { date, flag, int, number, numbersByName, object, text } from "./members.ts";
import { rowRecord, type Json } from "./record.ts";

// A pick is made from a row of its table, whose columns of percentages are percentages already.

const Segment = rowRecord({ id: "DatasetSegment", description: "Some days of a run." })({
  start: date("first day"),
  end: date("last day"),
  days: int("days from start to end"),
  sharpe: number.orNull("annual Sharpe ratio; null when nothing moved"),
  return_pct: number.orNull("net return"),
  max_drawdown_pct: number.orNull("deepest fall of equity below its highest since start"),
  trades: int("purchases filled in these days"),
  exposure_pct: number.orNull("share of closes with a position"),
  skew: number.orNull("skew of the daily returns"),
  kurtosis: number.orNull("kurtosis of the daily returns; 3 is normal"),
});

const Deflated = rowRecord({
  id: "DatasetDeflatedSharpe",
  description: "Deflated Sharpe ratio of the in-sample days.",
})({
  n_13: number.orNull("for having chosen among the 13 variants"),
  n_286: number.orNull("for having chosen among all runs on the coin"),
  n_11440: number.orNull("for having chosen among all runs of the dataset, however many it has"),
});

const Variants = rowRecord()({
  mean_in_sample_sharpe: number.orNull("of those that moved in-sample"),
  mean_out_of_sample_sharpe: number.orNull("of those of them that moved there, too"),
});

const DefaultVariant = rowRecord()({
  in_sample_sharpe: number.orNull("of variant 1"),
  out_of_sample_sharpe: number.orNull("of variant 1"),
});

const BestOutOfSample = rowRecord()({
  variant: int.orNull("known only afterwards"),
  sharpe: number.orNull("its out-of-sample Sharpe"),
});

const BuyHold = rowRecord()({
  in_sample_return_pct: number.orNull("return"),
  in_sample_sharpe: number.orNull("annual Sharpe ratio"),
  in_sample_max_drawdown_pct: number.orNull("deepest fall"),
  out_of_sample_return_pct: number.orNull("return"),
  out_of_sample_sharpe: number.orNull("annual Sharpe ratio"),
  out_of_sample_max_drawdown_pct: number.orNull("deepest fall"),
});

export const DatasetPick = rowRecord({
  id: "DatasetPick",
  description: "The best in-sample run of a template on a coin, and what became of it.",
})({
  template: text("name of the template"),
  family: text("its family"),
  coin: text("ticker"),
  variant: int("the variant with the best in-sample Sharpe"),
  params: numbersByName("its parameters", paramsOf),
  in_sample: object(Segment)("", under("in_sample_")),
  out_of_sample: object(Segment)("", under("out_of_sample_")),
  haircut_pct: number.orNull("in-sample Sharpe lost out-of-sample; null if not above 0"),
  out_of_sample_rank: number.orNull("by Sharpe among the variants: 1 best, ties averaged"),
  ranked_runs: int("variants that moved out-of-sample, at most 13"),
  variants: object(Variants)(
    "all that it was chosen among: its Sharpe less theirs is its lead",
    under("variants_"),
  ),
  default_variant: object(DefaultVariant)("", under("default_")),
  best_out_of_sample: object(BestOutOfSample)("", under("best_out_of_sample_")),
  buy_hold: object(BuyHold)(
    "holding the coin over the same days, without costs",
    under("buy_hold_"),
  ),
  pbo: number.orNull("probability of backtest overfitting: CSCV, S = 16, ties half"),
  rank_correlation: number.orNull("Spearman's, of the variants' Sharpe in both segments"),
  deflated_sharpe_ratio: object(Deflated)(
    "V = 1/(T - 1), as POST /overfitting",
    under("deflated_sharpe_ratio_"),
  ),
  deflated_sharpe_ratio_trials_variance: object(Deflated)(
    "V = variance (n - 1) of those runs' in-sample Sharpe ratios",
    under("deflated_sharpe_ratio_trials_variance_"),
  ),
  survives: flag("deflated_sharpe_ratio.n_286 is at least 0.95"),
  out_of_sample_psr: number.orNull("probability of a Sharpe above 0, by these days alone"),
});

function paramsOf(pick: Cells): Readonly<Record<string, number>> {
  return JSON.parse(textIn(pick, "params")) as Readonly<Record<string, number>>;
}

export type DatasetPick = Json<typeof DatasetPick>;
