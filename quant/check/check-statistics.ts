import { sampleVariance } from "simple-statistics";
import type { PanelSource } from "./check-options.ts";
import type { CheckReport } from "./report.ts";

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
      implied: NaN,
      effectiveRank: NaN,
      sharpeStd: known.length > 1 ? Math.sqrt(sampleVariance(known)) : NaN,
      dsr: null,
    },
    cscv: null,
    cscvReason: NO_SERIES,
    family: null,
    familyReason: NO_SERIES,
    peers: null,
    peersReason: NO_SERIES,
    verdict: {
      value: "inconclusive",
      basis: "statistics_only",
      pValue: NaN,
      breakEvenTrials: NaN,
      withheldReason: reason,
      sentence: `Inconclusive: ${reason}.`,
      cautions: [],
      errorRates: null,
      errorRatesReason: NO_SERIES,
    },
    live: null,
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
    droppedVariants: 0,
    duplicateVariants: 0,
    first: null,
    last: null,
    barSeconds: NaN,
    periodsPerYear: NaN,
    periodsPerYearReason: null,
    filledBars: 0,
    selected: null,
    nTrials: { value: trials, source: trials > variants ? "declared" : "measured" },
    markedToMarket: false,
    stated: source.stated ?? null,
    statedReason: source.statedReason ?? null,
    warnings: source.warnings ?? [],
    columns: [],
    benchmark: null,
    options: source.options ?? {},
  };
}
