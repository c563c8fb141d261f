import { trialsSharpeVariance } from "../overfitting/trials-variance.ts";
import { familyBlocks } from "./block-length.ts";
import { cautionsOf } from "./cautions.ts";
import { coveredBy } from "./coin-residuals.ts";
import type { CheckOptions } from "./check-options.ts";
import { cscvFigures } from "./cscv-figures.ts";
import { byContent } from "./distinct-columns.ts";
import { errorRatesAt } from "./error-rates.ts";
import { eventName } from "./event-name.ts";
import { familyFigures, familyOf } from "./family-figures.ts";
import { holdingFigures } from "./holding-figures.ts";
import { inputFigures } from "./input-figures.ts";
import { judge } from "./judge.ts";
import { luckQuantiles } from "./luck-quantiles.ts";
import { PanelRefused, type Panel } from "./panel.ts";
import { peersFigures } from "./peers.ts";
import type { CheckReport, VerdictFigures } from "./report.ts";
import { selectedPlace, sharpeOf } from "./selected-variant.ts";
import { seriesFigures } from "./series-figures.ts";
import { inferSharpe } from "./sharpe-inference.ts";
import { trialsFigures } from "./trials-figures.ts";
import {
  judgedWords,
  verdictNotes,
  verdictSentence,
  type SentenceInput,
} from "./verdict-sentence.ts";
import type { Verdict } from "./verdict.ts";

const COIN_UNKNOWN = "not comparable: the coin that was traded isn't known";
/** Up to this many traded coins are named; beyond it, only counted. */
const NAMED_MAX = 4;

/** How much of a backtest may be luck: every figure of the check, from a panel of returns. */
export function checkPanel(panel: Panel, options: CheckOptions): CheckReport {
  if (panel.columns.length === 0)
    throw new PanelRefused("no variant moves: every return is the same, as without any trade");
  const rate = (options.riskFree ?? 0) / panel.periodsPerYear;
  const columns = lessRate(panel.columns, rate);
  const place = selectedPlace(panel, columns, options.selected);
  const inference = inferSharpe(panel.columns[place]!, rate);
  const trials = {
    count: Math.max(columns.length, options.nTrials ?? 1),
    variance: trialsSharpeVariance(byContent(columns).map(sharpeOf)),
  };
  const blocks = familyBlocks(columns, place);
  options.onProgress?.({ step: "splits", done: 0, total: columns.length });
  const { cscv, reason } = cscvFigures(columns, blocks.length);
  const excess = { ...options, coin: options.coin && coinLessRate(options.coin, rate) };
  const family = familyOf(columns, blocks, { ...excess, place });
  const record = panel.columns[place]!;
  const evidence = { options: excess, inference, family: family.result, place, columns, record };
  const { verdict, basis } = judge(evidence);
  const worlds = Number.isNaN(verdict.pValue) ? undefined : luckQuantiles(evidence);
  return {
    input: inputFigures(panel, options, { name: panel.names[place]!, trials: trials.count }),
    series: seriesFigures({
      instants: panel.instants,
      returns: record,
      periodsPerYear: panel.periodsPerYear,
      inference,
      trials,
    }),
    trials: trialsFigures({ ...trials, columns, periodsPerYear: panel.periodsPerYear, inference }),
    cscv,
    cscvReason: reason,
    family:
      family.result === undefined
        ? null
        : familyFigures({ panel, options, blocks, place, result: family.result }),
    familyReason: family.reason,
    ...peersOf(panel, options, place),
    holding: holdingFigures(panel, options, place),
    luckQuantiles: worlds?.map((sharpe) => sharpe * Math.sqrt(panel.periodsPerYear)) ?? null,
    verdict: {
      ...verdictFigures(verdict, basis),
      ...verdictWords({
        verdict,
        trials: trials.count,
        isMatrix: columns.length > 1,
        pbo: cscv?.pbo ?? NaN,
        judged: judgedWords(panel.names[place]!, options.source.columns ?? []),
        ...saidOf(options),
      }),
      errorRates: errorRatesAt(basis, { trials: trials.count, bars: panel.instants.length }),
      errorRatesReason: null,
      cautions: cautionsOf(panel.instants.length),
    },
    live: null,
  };
}

function peersOf(
  panel: Panel,
  options: CheckOptions,
  place: number,
): Pick<CheckReport, "peers" | "peersReason"> {
  if (options.peers === undefined || options.coin === undefined) {
    return { peers: null, peersReason: withoutCoin(options) };
  }
  const input = {
    instants: coveredBy(panel.instants, options.coin),
    barSeconds: panel.barSeconds,
    returns: coveredBy(panel.columns[place]!, options.coin),
    coin: options.coin.returns,
  };
  const { onProgress } = options;
  const { peers, reason } = peersFigures(input, { ...options.peers, onProgress });
  return { peers, peersReason: reason };
}

function isOfSeveral({ traded = [] }: CheckOptions): boolean {
  return traded.length > 1;
}

function withoutCoin(options: CheckOptions): string {
  if (options.coinMissing !== undefined) return options.coinMissing;
  const { traded = [] } = options;
  if (!isOfSeveral(options)) return COIN_UNKNOWN;
  const names = traded.length > NAMED_MAX ? `${traded.length} coins` : traded.join(", ");
  return `not comparable: it traded ${names}, and peers are runs on one coin`;
}

function lessRate(columns: readonly Float64Array[], rate: number): readonly Float64Array[] {
  return rate === 0 ? columns : columns.map((column) => column.map((value) => value - rate));
}

function coinLessRate(coin: NonNullable<CheckOptions["coin"]>, rate: number): typeof coin {
  return { ...coin, returns: lessRate([coin.returns], rate)[0]! };
}

/** The options that the sentence mentions. */
function saidOf(options: CheckOptions) {
  return {
    declared: options.nTrials !== undefined,
    coin: options.coin?.name,
    isCoinMissing: options.coinMissing !== undefined,
    isOfSeveral: isOfSeveral(options),
  };
}

function verdictWords(told: SentenceInput) {
  const { value, withheldReason } = told.verdict;
  return {
    event: eventName(value, withheldReason !== null),
    sentence: verdictSentence(told),
    notes: verdictNotes(told),
  };
}

/** The verdict's figures; its words and its error rates are added to them. */
function verdictFigures(verdict: Verdict, basis: VerdictFigures["basis"]) {
  return {
    value: verdict.value,
    basis,
    pValue: verdict.pValue,
    breakEvenTrials: verdict.breakEvenTrials,
    withheldReason: verdict.withheldReason,
  };
}
