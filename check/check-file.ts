import { buildPanel } from "../quant/check/build-panel.ts";
import type { CheckOptions } from "../quant/check/check-options.ts";
import { checkPanel } from "../quant/check/check-panel.ts";
import type { CheckProgress } from "../quant/check/check-progress.ts";
import { checkStatistics } from "../quant/check/check-statistics.ts";
import { closesMissing, coinReturns } from "../quant/check/coin-returns.ts";
import type { Panel } from "../quant/check/panel.ts";
import type { CheckReport } from "../quant/check/report.ts";
import { asNamed } from "./coin-of-name.ts";
import type { ReadExport, ReadOptions } from "./formats/export.ts";
import { readExport } from "./formats/read-export.ts";
import { markedToMarket, onlyCoinOf, tradedIn, type Market } from "./market.ts";

/** What a sender may say beside the file, wherever the check runs. */
export interface CheckFileOptions extends ReadOptions {
  /** Ticker of the coin that was traded; by default the one that the file names, if its prices fit. */
  readonly coin?: string | undefined;
  /** Of the file: TradingView's has the pair that was traded, which counts where its prices fit. */
  readonly fileName?: string | undefined;
  readonly nTrials?: number | undefined;
  readonly selected?: string | undefined;
  readonly periodsPerYear?: number | undefined;
  readonly riskFree?: number | undefined;
}

/** The series that was judged, behind the report's pictures. */
export interface JudgedSeries {
  readonly instants: Float64Array;
  readonly returns: Float64Array;
  readonly periodsPerYear: number;
}

/** The answer; a table of statistics has no series. */
export interface Checked {
  readonly report: CheckReport;
  readonly series?: JudgedSeries;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic: boolean;
}

/** Where the check runs: what is known of the market there, and who watches. */
export interface CheckSurroundings {
  /** Has to know the coin that is named. Undefined where there are no prices. */
  readonly marketFor?: (read: ReadExport) => Promise<Market | undefined>;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Variants times bars; no limit by default. */
  readonly cellsMax?: number | undefined;
}

/** A file that can be checked elsewhere, where there is no limit. */
export class PanelTooLarge extends RangeError {
  override readonly name = "PanelTooLarge";
}

/**
 * Checks a file as its tool wrote it: the same way on the command line, over HTTP and in a browser. Throws
 * `FileRefused`, `MoreNeeded`, `PanelRefused` or `PanelTooLarge` with a message for the person who has the file.
 */
export async function checkFile(
  bytes: Uint8Array,
  options: CheckFileOptions,
  { marketFor, onProgress, cellsMax = Infinity }: CheckSurroundings = {},
): Promise<Checked> {
  const { read, market, marked } = await atMarket(
    await readExport(bytes, options),
    options,
    marketFor,
  );
  const { format, tool, kind, stated, statedOf, statedReason, warnings } = read;
  const realisedOnly = read.realisedOnly ?? false;
  const source = { format, tool, kind, stated, statedOf, statedReason, warnings, realisedOnly };
  if (read.rows === undefined) {
    const values = read.statistics?.values ?? new Float64Array();
    return { report: checkStatistics(values, source, options.nTrials), isSynthetic: false };
  }
  const { nTrials, selected, riskFree, coin: named, periodsPerYear } = options;
  const panel = buildPanel(marked?.rows ?? read.rows, { periodsPerYear });
  checkSize(panel, cellsMax);
  const traded = tradedIn(read, market);
  const own = {
    source: { ...source, ...marked?.source },
    traded,
    nTrials,
    selected,
    riskFree,
    onProgress,
  };
  // A share may be called like a coin, and a demo market has made-up prices of real coins: the file's own word counts
  // where its trades were at the coin's prices, or where its tool trades coins only and the prices are real.
  const isItsCoin = marked?.rows !== undefined || (read.symbols && market?.isSynthetic === false);
  const coin = named ?? (market && isItsCoin ? onlyCoinOf(read, market) : undefined);
  const bars = coin === undefined ? undefined : market?.barsOf(coin);
  const aligned = bars && coinReturns(panel, coin!, bars); // bars are of a coin
  if (named !== undefined && bars !== undefined && aligned === undefined)
    throw closesMissing(panel, named, bars);
  const usesPrices = marked?.rows !== undefined || aligned !== undefined;
  const isSynthetic = usesPrices && market?.isSynthetic === true;
  if (coin === undefined || market === undefined || bars === undefined || aligned === undefined)
    return { ...judged(panel, own), isSynthetic };
  const checked = judged(panel, {
    ...own,
    source: { ...own.source, warnings: [...own.source.warnings, ...aligned.warnings] },
    coin: { name: coin, returns: aligned.returns },
    peers: {
      coin,
      bars,
      known: market.known(),
      shift: aligned.shift,
      others: traded.filter((name) => name !== coin),
    },
  });
  return { ...checked, isSynthetic };
}

/** The file with the coin of its name if that fits, the market of its coins, and what it is worth there. */
async function atMarket(
  read: ReadExport,
  { coin, fileName }: CheckFileOptions,
  marketFor: CheckSurroundings["marketFor"],
) {
  if (read.rows === undefined) return { read };
  const named = coin === undefined ? asNamed(read, fileName) : undefined;
  const market = await marketFor?.(named ?? read);
  if (market === undefined) return { read };
  const marked = named && markedToMarket(named, market, coin);
  if (named !== undefined && marked?.rows !== undefined) return { read: named, market, marked };
  return { read, market, marked: markedToMarket(read, market, coin) };
}

function checkSize({ columns, instants }: Panel, cellsMax: number): void {
  const cells = columns.length * instants.length;
  if (cells <= cellsMax) return;
  const words = `${columns.length} variants of ${instants.length} bars are ${cells} returns, more than ${cellsMax}`;
  throw new PanelTooLarge(words);
}

function judged(panel: Panel, options: CheckOptions): Omit<Checked, "isSynthetic"> {
  const report = checkPanel(panel, options);
  const returns = panel.columns[panel.names.indexOf(report.input.selected!)]!; // a panel always has one
  const { instants, periodsPerYear } = panel;
  return { report, series: { instants, returns, periodsPerYear } };
}
