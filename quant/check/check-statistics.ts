import type { PanelSource } from "./check-options.ts";
import { inputFigures } from "./input-figures.ts";
import { NOT_LIVE, type CheckReport } from "./report.ts";
import { variance } from "../sample-statistics.ts";
import { eventName } from "./verdict-sentence.ts";

const NO_SERIES = "the file has one statistic for each trial and no returns";

/**
 * The report on a table of one statistic per trial: how many trials there were, and how far apart their Sharpe ratios
 * lie. Such a table allows no test of luck, since it does not say how the returns came about.
 */
export function checkStatistics(
  values: Float64Array,
  source: PanelSource,
  nTrials = 0,
): CheckReport {
  const variants = values.length;
  const count = Math.max(variants, nTrials);
  const event = eventName("inconclusive", true);
  const reason =
    `${NO_SERIES}: it shows that ${variants} variants were tried. Send the daily equity curve of the one you chose, ` +
    `with ${count} as the number of trials`;
  return {
    input: inputFigures({ source }, { value: count, isDeclared: count > variants, variants }),
    series: null,
    trials: {
      n: count,
      implied: NaN,
      effectiveRank: NaN,
      sharpeStd: Math.sqrt(variance(values.filter(Number.isFinite))),
      dsr: null,
      expectedSharpe: NaN,
    },
    falls: null,
    cscv: null,
    cscvReason: NO_SERIES,
    family: null,
    familyReason: NO_SERIES,
    peers: null,
    peersReason: NO_SERIES,
    holding: null,
    luckQuantiles: null,
    verdict: {
      value: "inconclusive",
      basis: "statistics_only",
      pValue: NaN,
      breakEvenTrials: NaN,
      luckTrials: NaN,
      isLoss: false,
      withheldReason: reason,
      withheldCode: null,
      event,
      sentence: `${event}: ${reason}.`,
      notes: [],
      cautions: [],
      errorRates: null,
      errorRatesReason: NO_SERIES,
    },
    timing: null,
    ...NOT_LIVE,
  };
}
