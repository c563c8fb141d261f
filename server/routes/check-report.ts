/** The answer to a check, as the document describes it: `quant/check/report.ts` in schemas. */
import { z } from "zod";
import { number, numberOrNull } from "./answer-values.ts";
import { Afterwards } from "./base-rates.ts";

const reason = (description: string) => z.string().nullable().describe(description);

const Input = z
  .strictObject({
    format: z.string().describe("name of the format, as the parameter takes it"),
    tool: z.string().describe("what wrote the file"),
    kind: z.enum(["returns", "equity", "trades", "statistics"]),
    sha256: reason("of the returns that were judged; nothing that was sent is kept"),
    bars: z.int(),
    variants: z.int().describe("distinct ones that move"),
    dropped_variants: z.int().describe("that never move"),
    duplicate_variants: z.int().describe("that repeat another one"),
    first: reason("first bar"),
    last: reason("last bar"),
    bar_seconds: numberOrNull("between the bars of the file"),
    periods_per_year: numberOrNull("bars a year, for annualising"),
    periods_per_year_reason: reason("why that many"),
    filled_bars: z.int().describe("that were missing"),
    selected: reason("the variant that was judged"),
    n_trials: z.strictObject({ value: z.int(), source: z.enum(["measured", "declared"]) }),
    marked_to_market: z.boolean().describe("whether trades were valued at our daily closes"),
    stated: z
      .record(z.string(), z.number())
      .nullable()
      .describe("figures of the file's own header; shown and never used"),
    stated_reason: reason("why they differ from ours"),
    warnings: z
      .array(z.strictObject({ code: z.string(), message: z.string() }).meta({ id: "CheckWarning" }))
      .describe("what was done to the data, or makes them doubtful"),
    columns: z
      .array(
        z
          .strictObject({
            name: z.string(),
            role: z.string().describe("what it was taken for, in words"),
            use: z.enum(["dates", "judged", "variant", "market", "flows", "left_out"]),
          })
          .meta({ id: "CheckColumn" }),
      )
      .describe("every column of a table of your own; none of a known tool's layout"),
    benchmark: z
      .strictObject({ name: z.string(), source: z.enum(["coin", "column"]) })
      .nullable()
      .describe("what holding it is compared with"),
    options: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .describe("what was said beside the file"),
  })
  .meta({ id: "CheckInput", description: "What the file was, and what was done to it." });

const Claims = z
  .strictObject({
    standard_error: numberOrNull("of the Sharpe ratio, a year"),
    psr: numberOrNull("probability that the true Sharpe ratio is above 0"),
    dsr: numberOrNull("the same against the best of the trials by luck"),
    dsr_measured: numberOrNull("with the spread of the trials as measured"),
    min_track_record_days: numberOrNull("needed for 95 % confidence"),
    haircut_sharpe: numberOrNull("left after the correction for many trials"),
  })
  .meta({ id: "CheckClaims" });

const Series = z
  .strictObject({
    sharpe: numberOrNull("a year"),
    mean: numberOrNull("of a bar"),
    std: numberOrNull("standard deviation of a bar"),
    skew: numberOrNull("of the bars"),
    kurtosis: numberOrNull("of the bars; a normal distribution has 3"),
    autocorrelation: numberOrNull("from one bar to the next"),
    total_return_pct: numberOrNull("of the whole record"),
    max_drawdown_pct: numberOrNull("0 or negative"),
    under_water_days: numberOrNull("longest time below an earlier high"),
    worst_month_pct: numberOrNull("of a calendar month"),
    best_bars_share: numberOrNull("share of the profit from the best 1 % of bars"),
    active_bars: z.int().describe("with a return other than 0"),
    losing_bars: z.int(),
    dependence_ratio: numberOrNull("factor by which the record is shorter than it looks"),
    published: Claims.describe("for independent returns, as most packages have it"),
    adjusted: Claims.describe("with dependence and few active bars allowed for"),
  })
  .meta({ id: "CheckSeries", description: "The variant that was judged, by itself." });

const Trials = z
  .strictObject({
    n: z.int(),
    implied: numberOrNull("independent trials by mean correlation"),
    effective_rank: numberOrNull("of the trials' correlations"),
    clusters: numberOrNull("of trials (ONC)"),
    clusters_reason: reason("why not counted"),
    sharpe_std: numberOrNull("standard deviation of the trials' Sharpe ratios, a year"),
    dsr: z
      .strictObject({
        n: numberOrNull("at n"),
        implied: numberOrNull("at implied"),
        effective_rank: numberOrNull("at effective_rank"),
        clusters: numberOrNull("at clusters"),
      })
      .nullable()
      .describe("the deflated Sharpe ratio at each of these numbers"),
  })
  .meta({ id: "CheckTrials" });

const Cscv = z
  .strictObject({
    blocks: z.int(),
    rows_used: z.int(),
    pbo: numberOrNull("how often the best of one half ranks below the middle in the other"),
    probability_of_loss: numberOrNull("of the best variant in the other half"),
    degradation: z.strictObject({
      slope: numberOrNull("of the line through the halves' Sharpe ratios"),
      intercept: numberOrNull("of that line"),
      r_squared: numberOrNull("of that line"),
    }),
    first_order_dominance: z.boolean(),
    second_order_dominance: z.boolean(),
    logits: z
      .strictObject({ edges: z.array(z.number()), counts: z.array(z.int()) })
      .describe("histogram of the ranks in the other half"),
  })
  .meta({ id: "CheckCscv", description: "Combinatorially symmetric cross-validation." });

const Family = z
  .strictObject({
    benchmarks: z.array(z.enum(["cash", "coin"])),
    block_length: z.int().describe("bars"),
    block_length_set_by: z
      .enum(["selected", "median"])
      .describe("what needed that length: the variant that was judged, or the median of all"),
    resamples: z.int(),
    p_cash: number("of the variant that was judged, against cash"),
    p_coin: numberOrNull("against holding the coin"),
    p_value: numberOrNull("the larger of the two"),
    survivors: z.array(z.string()).describe("variants that pass at 5 %"),
    survivor_count: z.int(),
    untested: z
      .array(z.string())
      .describe("variants without a p-value, which count in the luck of the others"),
    untested_reason: reason("why they have none"),
    white_p_value: number("reality check on means"),
    hansen_p_value: number("superior predictive ability on means"),
  })
  .meta({ id: "CheckFamily", description: "Tests over all variants, by step-down." });

const LuckBar = z
  .strictObject({ median: number("a year"), p95: number("a year") })
  .meta({ id: "CheckLuckBar" });

const Peers = z
  .strictObject({
    coin: z.string(),
    same_days: z.strictObject({
      runs: z.int(),
      rank: z.int().describe("1 is the best"),
      hold: z.strictObject({
        sharpe: numberOrNull("a year"),
        return_pct: number("over the same days"),
        max_drawdown_pct: number("0 or negative"),
      }),
      luck_bar: z
        .strictObject({ n_1: LuckBar, n_13: LuckBar, n_286: LuckBar })
        .describe("what the best of so many runs reaches where nothing can be learnt"),
    }),
    afterwards: Afterwards.nullable(),
    afterwards_note: z.string(),
  })
  .meta({ id: "CheckPeers", description: "Our own runs on the same coin and days." });

const ErrorRates = z
  .strictObject({
    variants: z.int().describe("variants they were measured at"),
    bars: z.int().describe("bars they were measured at"),
    false_skill: number("worst share of `skill` where there is no edge"),
    power_1: number("share of `skill` at a true Sharpe ratio of 1"),
    power_2: number("at a true Sharpe ratio of 2"),
    false_luck_1: number("share of `luck` at a true Sharpe ratio of 1"),
    false_luck_2: number("at a true Sharpe ratio of 2"),
  })
  .meta({ id: "CheckErrorRates" });

/** Also part of a backtest's result. */
export const CheckVerdict = z
  .strictObject({
    value: z.enum(["skill", "inconclusive", "luck"]),
    basis: z
      .enum(["family_step_down", "one_series", "statistics_only"])
      .describe("the test behind it"),
    p_value: numberOrNull("with the declared trials"),
    break_even_trials: numberOrNull("the most trials at which it would be skill"),
    withheld_reason: reason("why it is not what the p-value would give"),
    sentence: z.string().describe("to be repeated to somebody else"),
    cautions: z.array(z.string()).describe("what no test of a record can see"),
    error_rates: ErrorRates.nullable(),
    error_rates_reason: reason("why there are none"),
  })
  .meta({ id: "CheckVerdict" });

/** What `data` has besides its attribution. */
export const CHECK_REPORT = {
  input: Input,
  series: Series.nullable().describe("null for a table of statistics"),
  trials: Trials,
  cscv: Cscv.nullable(),
  cscv_reason: reason("why there is none"),
  family: Family.nullable(),
  family_reason: reason("why there is none"),
  peers: Peers.nullable(),
  peers_reason: reason("why there are none"),
  verdict: CheckVerdict,
};
