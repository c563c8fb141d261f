import { z } from "zod";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { numberOrNull } from "./answer-values.ts";
import { membersOf } from "./row-members.ts";

const Segment = z
  .strictObject({
    start: z.iso.date().describe("first day"),
    end: z.iso.date().describe("last day"),
    days: z.int(),
    sharpe: numberOrNull("annual Sharpe ratio; null when nothing moved"),
    return_pct: numberOrNull("net return"),
    max_drawdown_pct: numberOrNull("deepest fall of equity below its highest since start"),
    trades: z.int().describe("purchases filled in these days"),
    exposure_pct: numberOrNull("share of closes with a position"),
    skew: numberOrNull("skew of the daily returns"),
    kurtosis: numberOrNull("kurtosis of the daily returns; 3 is normal"),
  })
  .meta({ id: "DatasetSegment", description: "Some days of a run." });

const Deflated = z
  .strictObject({
    n_13: numberOrNull("for having chosen among the 13 variants"),
    n_286: numberOrNull("for having chosen among all runs on the coin"),
    n_11440: numberOrNull("for having chosen among all runs of the dataset, however many it has"),
  })
  .meta({
    id: "DatasetDeflatedSharpe",
    description: "Deflated Sharpe ratio of the in-sample days.",
  });

const DefaultVariant = z.strictObject({
  in_sample_sharpe: numberOrNull("of variant 1"),
  out_of_sample_sharpe: numberOrNull("of variant 1"),
});

const BuyHold = z
  .strictObject({
    in_sample_return_pct: numberOrNull("return"),
    in_sample_sharpe: numberOrNull("annual Sharpe ratio"),
    in_sample_max_drawdown_pct: numberOrNull("deepest fall"),
    out_of_sample_return_pct: numberOrNull("return"),
    out_of_sample_sharpe: numberOrNull("annual Sharpe ratio"),
    out_of_sample_max_drawdown_pct: numberOrNull("deepest fall"),
  })
  .describe("holding the coin over the same days, without costs");

export const Pick = z
  .strictObject({
    template: z.string().describe("name of the template"),
    family: z.string().describe("its family"),
    coin: z.string().describe("ticker"),
    variant: z.int().describe("the variant with the best in-sample Sharpe"),
    params: z.record(z.string(), z.number()).describe("its parameters"),
    in_sample: Segment,
    out_of_sample: Segment,
    haircut_pct: numberOrNull("in-sample Sharpe lost out-of-sample; null if not above 0"),
    out_of_sample_rank: numberOrNull("by Sharpe among the variants: 1 best, ties averaged"),
    ranked_runs: z.int().describe("variants that moved out-of-sample, at most 13"),
    default_variant: DefaultVariant,
    best_out_of_sample: z.strictObject({
      variant: z.int().nullable().describe("known only afterwards"),
      sharpe: numberOrNull("its out-of-sample Sharpe"),
    }),
    buy_hold: BuyHold,
    pbo: numberOrNull("probability of backtest overfitting: CSCV, S = 16, ties half"),
    rank_correlation: numberOrNull("Spearman's, of the variants' Sharpe in both segments"),
    deflated_sharpe_ratio: Deflated.describe("V = 1/(T - 1), as POST /overfitting"),
    deflated_sharpe_ratio_trials_variance: Deflated.describe(
      "V = variance (n - 1) of those runs' in-sample Sharpe ratios",
    ),
    survives: z.boolean().describe("deflated_sharpe_ratio.n_286 is at least 0.95"),
    out_of_sample_psr: numberOrNull("probability of a Sharpe above 0, by these days alone"),
  })
  .meta({
    id: "DatasetPick",
    description: "The best in-sample run of a template on a coin, and what became of it.",
  });

/** A pick as JSON. */
export function pickOf(row: Row): z.output<typeof Pick> {
  return membersOf(row, Pick, {
    given: {
      params: JSON.parse(String(row["params"])) as Record<string, number>,
      default_variant: membersOf(row, DefaultVariant, { prefix: "default_" }),
    },
  });
}
