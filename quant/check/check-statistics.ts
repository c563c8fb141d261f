import { sampleVariance } from "simple-statistics";
import type { PanelSource } from "./check-options.ts";
import { figure, type CheckReport } from "./report.ts";

const NO_SERIES = "the file has one statistic for each trial and no returns";

/**
 * What a table of one statistic a trial says: how many trials there were and how far apart their Sharpe ratios lie.
 * No test of luck can be made from it, since it says nothing of how the returns came about.
 */
export function checkStatistics(
  values: Float64Array,
  source: PanelSource,
  nTrials = 0,
): CheckReport {
  const variants = values.length;
  const count = Math.max(variants, nTrials);
  const known = Array.from(values.filter(Number.isFinite));
  const reason =
    `${NO_SERIES}: it shows that ${variants} variants were tried. Send the daily equity curve of the one you chose, ` +
    `with ${count} as the number of trials`;
  return {
    input: inputOf(variants, count, source),
    series: null,
    trials: {
      n: count,
      implied: null,
      effective_rank: null,
      sharpe_std: known.length > 1 ? figure(Math.sqrt(sampleVariance(known))) : null,
      dsr: null,
    },
    cscv: null,
    cscv_reason: NO_SERIES,
    family: null,
    family_reason: NO_SERIES,
    peers: null,
    peers_reason: NO_SERIES,
    verdict: {
      value: "inconclusive",
      basis: "statistics_only",
      p_value: null,
      break_even_trials: null,
      withheld_reason: reason,
      sentence: `Inconclusive: ${reason}.`,
      cautions: [],
      error_rates: null,
      error_rates_reason: NO_SERIES,
    },
  };
}

function inputOf(variants: number, trials: number, source: PanelSource): CheckReport["input"] {
  return {
    format: source.format,
    tool: source.tool,
    kind: "statistics",
    sha256: null,
    bars: 0,
    variants,
    dropped_variants: 0,
    duplicate_variants: 0,
    first: null,
    last: null,
    bar_seconds: null,
    periods_per_year: null,
    periods_per_year_reason: null,
    filled_bars: 0,
    selected: null,
    n_trials: { value: trials, source: trials > variants ? "declared" : "measured" },
    marked_to_market: false,
    stated: source.stated ?? null,
    stated_reason: source.statedReason ?? null,
    warnings: source.warnings ?? [],
    columns: [],
    benchmark: null,
    options: source.options ?? {},
  };
}
