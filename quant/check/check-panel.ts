import { trialsSharpeVariance } from "../overfitting/trials-variance.ts";
import { familyBlocks } from "./block-length.ts";
import type { CheckOptions } from "./check-options.ts";
import { coveredBy } from "./coin-residuals.ts";
import { cscvFigures } from "./cscv-figures.ts";
import { byContent } from "./distinct-columns.ts";
import { errorRatesAt } from "./error-rates.ts";
import { fallsOf } from "../live/falls.ts";
import { familyFigures, familyOf } from "./family-figures.ts";
import { holdingFigures } from "./holding-figures.ts";
import { inputFigures } from "./input-figures.ts";
import { judge } from "./judge.ts";
import { luckQuantiles } from "./luck-quantiles.ts";
import { PanelRefused, type Panel } from "./panel.ts";
import { phaseFigures, startFigures } from "./other-days.ts";
import { peersFigures } from "./peers.ts";
import { NOT_LIVE, type CheckReport } from "./report.ts";
import { selectedPlace, sharpeOf } from "./selected-variant.ts";
import { seriesFigures } from "./series-figures.ts";
import { inferSharpe } from "./sharpe-inference.ts";
import { foreknown, lookAheadCaution } from "./timing-words.ts";
import { timingFigures, type TimingFigures } from "./timing.ts";
import { trialsFigures } from "./trials-figures.ts";
import { judgedWords, verdictWords } from "./verdict-sentence.ts";
import { areHandful } from "./verdict.ts";

const COIN_UNKNOWN = "not comparable: the coin that was traded isn't known";
/** Up to this many traded coins are named; beyond it, only counted. */
const NAMED_MAX = 4;

/** How much of a backtest may be luck: every figure of the check, from a panel of returns. */
export function checkPanel(panel: Panel, said: CheckOptions): CheckReport {
  const options = withStarts(said, panel.columns.length);
  if (panel.columns.length === 0)
    throw new PanelRefused("no variant moves: every return is the same, as without any trade");
  const { instants, periodsPerYear } = panel;
  const rate = (options.riskFree ?? 0) / periodsPerYear;
  const columns = lessRate(panel.columns, rate);
  const index = selectedPlace(panel, columns, options.selected);
  const selected = panel.names[index]!;
  const record = panel.columns[index]!;
  const inference = inferSharpe(record, rate);
  const count = Math.max(columns.length, options.nTrials ?? 1);
  const trials = { count, variance: trialsSharpeVariance(byContent(columns).map(sharpeOf)) };
  const blocks = familyBlocks(columns, index);
  options.onProgress?.({ step: "splits", done: 0, total: columns.length });
  const { cscv, reason: cscvReason } = cscvFigures(columns, blocks.length);
  const excess = { ...options, coin: options.coin && coinLessRate(options.coin, rate) };
  const { result, reason: familyReason } = familyOf(columns, blocks, { ...excess, index });
  const timing = timingFigures(panel, options, { index, trials: count });
  const [early] = foreknown(timing);
  const isHandful = areHandful(panel.names);
  const judgedPlace = { family: result, index, columns, record };
  const evidence = { ...judgedPlace, options: excess, inference, early, isHandful };
  const { verdict, basis, judged } = judge(evidence);
  const isMatrix = columns.length > 1;
  const luck = isMatrix ? result?.luck : judged;
  const worlds = Number.isNaN(verdict.pValue)
    ? null
    : luckQuantiles(inference, luck, triesEach(options, columns));
  const phases = isMatrix ? null : phaseFigures(columns[index]!, count);
  const pbo = cscv?.pbo ?? NaN;
  const judgedOf = judgedWords(selected, options.source.columns ?? []);
  const words = { trials: count, isHandful, pbo, judged: judgedOf, phases, timing };
  return {
    input: inputOf(panel, options, selected),
    series: {
      ...seriesFigures({ instants, returns: record, periodsPerYear, inference, trials }),
      starts: startFigures({ instants, returns: record, periodsPerYear, rate }),
      phases,
    },
    trials: trialsFigures({ ...trials, columns, periodsPerYear, inference }),
    falls: fallsOf({ columns, index, inference, trials: count, periodsPerYear }),
    cscv,
    cscvReason,
    family: result ? familyFigures({ panel, options, blocks, index, result }) : null,
    familyReason,
    ...peersOf(panel, options, index),
    holding: holdingFigures(panel, options, index),
    luckQuantiles: worlds?.map((sharpe) => sharpe * Math.sqrt(periodsPerYear)) ?? null,
    verdict: {
      ...verdict,
      basis,
      ...verdictWords({ verdict, options, ...words }),
      ...errorRatesAt(basis, { trials: count, bars: inference.activeBars }),
      cautions: cautionsOf(instants.length, timing),
    },
    timing,
    ...NOT_LIVE,
  };
}

function inputOf(panel: Panel, options: CheckOptions, selected: string): CheckReport["input"] {
  const { nTrials = 0 } = options;
  const variants = panel.columns.length;
  const value = Math.max(variants, nTrials);
  return inputFigures(
    options,
    { value, isDeclared: nTrials >= value, variants },
    { panel, selected },
  );
}

/** Tries to each variant that was sent. */
function triesEach({ nTrials = 1 }: CheckOptions, { length }: readonly Float64Array[]): number {
  return Math.max(1, nTrials / length);
}

/** Tries of one series include each first day. */
function withStarts(options: CheckOptions, variants: number): CheckOptions {
  const { nTrials, starts = 1 } = options;
  return variants > 1 || nTrials === undefined
    ? options
    : { ...options, nTrials: nTrials * starts };
}

function lessRate(columns: readonly Float64Array[], rate: number): readonly Float64Array[] {
  return rate === 0 ? columns : columns.map((column) => column.map((value) => value - rate));
}

function coinLessRate(coin: NonNullable<CheckOptions["coin"]>, rate: number): typeof coin {
  const { returns, basket } = coin;
  return {
    ...coin,
    returns: lessRate([returns], rate)[0]!,
    ...(basket && { basket: lessRate(basket, rate) }),
  };
}

function peersOf(
  panel: Panel,
  options: CheckOptions,
  index: number,
): Pick<CheckReport, "peers" | "peersReason"> {
  const { peers: data, coin, onProgress } = options;
  if (data === undefined || coin === undefined) {
    return { peers: null, peersReason: withoutCoin(options) };
  }
  const input = {
    instants: coveredBy(panel.instants, coin),
    barSeconds: panel.barSeconds,
    returns: coveredBy(panel.columns[index]!, coin),
    coin: coin.returns,
  };
  const { peers, reason } = peersFigures(input, { ...data, onProgress });
  return { peers, peersReason: reason };
}

function withoutCoin({ coinMissing, traded = [] }: CheckOptions): string {
  if (coinMissing !== undefined) return coinMissing;
  if (traded.length < 2) return COIN_UNKNOWN;
  const names = traded.length > NAMED_MAX ? `${traded.length} coins` : traded.join(", ");
  return `not comparable: it traded ${names}, and peers are runs on one coin`;
}

/** What no test of a record can see; said with every verdict on one. */
function cautionsOf(bars: number, timing: TimingFigures | null): readonly string[] {
  const share = Number(((100 * 5) / bars).toPrecision(2));
  return [
    `Losses that come less often than on ${share} % of the bars can't be seen in a record of ${bars} bars.`,
    "Removing losing variants before sending, choosing the coin or the dates afterwards, or sending edited " +
      "files until one passes makes every p-value too small.",
    lookAheadCaution(timing),
  ];
}
