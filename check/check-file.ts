import { FileRefused, TooLarge } from "../files/refused.ts";
import { buildPanel } from "../quant/check/build-panel.ts";
import type { CheckOptions } from "../quant/check/check-options.ts";
import type { checkPanel } from "../quant/check/check-panel.ts";
import type { CheckProgress } from "../quant/check/check-progress.ts";
import { closesMissing, coinReturns } from "../quant/check/coin-returns.ts";
import { uncorrelated } from "../quant/check/coin-residuals.ts";
import type { CheckWarning, Panel, SaidOptions } from "../quant/check/panel.ts";
import { notTakenOutWords } from "../quant/check/verdict-sentence.ts";
import type { CheckReport } from "../quant/check/report.ts";
import type { MatchedRow } from "../quant/live/reconcile.ts";
import { delayWords } from "../quant/check/timing-words.ts";
import { snakeCase } from "../quant/letter-case.ts";
import { fileAtMarket, type FileAtMarket } from "./file-at-market.ts";
import { READ_NAMES, type ReadExport, type ReadOptions } from "./formats/export.ts";
import { readExport } from "./formats/read-export.ts";
import { coinsNamed, coinsOf, tradedIn, tradesAtMarket, type Market } from "./market.ts";

/** What the sender may say about a file, wherever the check runs. */
export interface CheckFileOptions extends ReadOptions {
  /** Ticker of the coin that was traded, or of several with commas between them. By default it is the one that the file names, if its prices fit. */
  readonly coin?: string | undefined;
  /** The name of the file. TradingView's holds the pair that was traded, which counts if its prices fit. */
  readonly fileName?: string | undefined;
  readonly nTrials?: number | undefined;
  /** First days that were tried with each setting. */
  readonly starts?: number | undefined;
  readonly selected?: string | undefined;
  readonly periodsPerYear?: number | undefined;
  readonly riskFree?: number | undefined;
  /** That each fill came after its signal, although within the bar. */
  readonly fills?: "intraday" | undefined;
  /** The series of the live file, where it has several. */
  readonly liveSelected?: string | undefined;
  /** ISO date on which the strategy went live. In a single file, the days before it are the backtest. */
  readonly liveSince?: string | undefined;
  /** What the sender says about the live file. */
  readonly live?: LiveFileOptions | undefined;
}

export interface LiveFileOptions extends ReadOptions {
  readonly fileName?: string | undefined;
}

/** The options that the report repeats. */
const SAID: ReadonlySet<string> = new Set<keyof CheckFileOptions>([
  ...READ_NAMES,
  "coin",
  "nTrials",
  "starts",
  "selected",
  "periodsPerYear",
  "riskFree",
  "fills",
  "liveSelected",
  "liveSince",
]);

/** The series that was judged, for the pictures of the report. */
export interface JudgedSeries {
  readonly instants: Float64Array;
  readonly returns: Float64Array;
  readonly periodsPerYear: number;
  /** The market that it was compared with, from the bar `from` on. */
  readonly held?:
    | { readonly name: string; readonly returns: Float64Array; readonly from: number }
    | undefined;
  /** The same over the bars of the market with each position later, where it knew prices too early. */
  readonly later?: { readonly name: string; readonly returns: Float64Array } | undefined;
}

/** A check. A table of statistics has no series. */
export interface Checked {
  readonly report: CheckReport;
  readonly series?: JudgedSeries;
  /** The live days that were compared with it. */
  readonly live?: JudgedSeries | undefined;
  /** The trades of both files, matched. */
  readonly matched?: readonly MatchedRow[];
  /** Whether prices of a made-up market were used. */
  readonly isSynthetic: boolean;
}

/** What is at hand where the check runs. */
interface CheckSurroundings {
  /** The live record beside the backtest. */
  readonly live?: ReadExport | undefined;
  /** Gives the market, which has to have the coin that is named. Undefined where there are no prices. */
  readonly marketFor?: (read: ReadExport) => Promise<Market | undefined>;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Whether questions that may be left open are asked, too. */
  readonly asksDoubts?: boolean;
  /** The most variants times bars. There is no limit by default. */
  readonly cellsMax?: number | undefined;
}

/**
 * Checks a file as its tool wrote it, in the same way on the command line, over HTTP and in a browser. Throws
 * `FileRefused`, `MoreNeeded`, `PanelRefused` or `TooLarge` with a message for the person who has the file.
 */
export async function checkFile(
  bytes: Uint8Array,
  options: CheckFileOptions,
  surroundings?: CheckSurroundings,
): Promise<Checked> {
  return checkRead(await readExport(bytes, options), options, surroundings);
}

/** The same for a file that was read before, as in a process of its own. */
export async function checkRead(
  sent: ReadExport,
  options: CheckFileOptions,
  surroundings: CheckSurroundings = {},
): Promise<Checked> {
  const { live, cellsMax = Infinity, onProgress, ...rest } = surroundings;
  const file = await fileAtMarket(sent, { ...options, ...rest });
  const { read, marked } = file;
  if (read.rows === undefined) {
    if (live !== undefined || options.liveSince !== undefined)
      throw new FileRefused(
        "the backtest has one statistic for each trial and no days: to hold live days to it, send daily values",
      );
    const { checkStatistics } = await import("../quant/check/check-statistics.ts");
    const values = read.statistics?.values ?? new Float64Array();
    const report = checkStatistics(values, sourceOf(read, options), options.nTrials);
    return { report, isSynthetic: false };
  }
  const { periodsPerYear, liveSince } = options;
  const panel = buildPanel(marked?.rows ?? read.rows, { periodsPerYear });
  checkSize(panel, cellsMax);
  const { checkPanel: check } = await import("../quant/check/check-panel.ts"); // once a file is read
  const judge = (bars: Panel) => judgedAtMarket(bars, file, { ...options, check, onProgress });
  if (live === undefined && liveSince === undefined) return judge(panel);
  const { withLive } = await import("./live-record.ts");
  const side = live && {
    read: live,
    surroundings: { ...options.live, coin: options.coin, ...rest },
  };
  return withLive({ panel, file, live: side, judge, options, onProgress });
}

/** The check of a panel beside the market of its file. */
function judgedAtMarket(
  panel: Panel,
  { read, market, marked }: FileAtMarket,
  options: CheckFileOptions & Pick<CheckSurroundings, "onProgress"> & { check: typeof checkPanel },
): Checked {
  const { nTrials, starts, selected, riskFree, fills, coin: named, onProgress } = options;
  const traded = tradedIn(read, market?.coins ?? new Set());
  // A share may be called like a coin, and a demo market has made-up prices of real coins. So the coin that the file names
  // counts only if the trades were at its prices, or if the tool trades nothing but coins and the prices are real.
  const isItsCoin = marked?.rows !== undefined || (read.symbols && market?.isSynthetic === false);
  const coins =
    (named === undefined ? undefined : coinsNamed(named)) ??
    (market && isItsCoin ? coinsOf(read, market) : []);
  const held: Held =
    market && coins.length > 0 ? heldToAll(panel, { market, coins, traded }) : { warnings: [] };
  const isMissing = held.coin === undefined && named !== undefined;
  const isSaid = held.coin !== undefined || isMissing; // the coin that a file names may have no prices here
  const source = { ...sourceOf(read, options), ...marked?.source };
  const checked = judged(panel, options.check, {
    source: { ...source, warnings: [...source.warnings, ...(isSaid ? held.warnings : [])] },
    traded: traded.length > 1 ? traded : coins,
    nTrials,
    starts,
    notTakenOut: isSaid ? held.notTakenOut : undefined,
    selected,
    riskFree,
    onProgress,
    coin: held.coin ?? columnOf(panel, read),
    peers: held.peers,
    timing: { trades: tradesAtMarket(read, market, named), said: fills },
    coinMissing: isMissing ? held.warnings[0]?.message : undefined,
  });
  const usesPrices = marked?.rows !== undefined || held.coin !== undefined;
  return { ...checked, isSynthetic: usesPrices && market?.isSynthetic === true };
}

type Held = Pick<CheckOptions, "coin" | "peers" | "notTakenOut"> & {
  readonly warnings: readonly CheckWarning[];
};

/** The basket of all coins whose closes cover the panel, or the one coin with its peers. The others are said. */
function heldToAll(
  panel: Panel,
  sent: {
    readonly market: Market;
    readonly coins: readonly string[];
    readonly traded: readonly string[];
  },
): Held {
  const { market, coins, traded } = sent;
  const each = coins.map((coin) => heldTo(panel, { market, coin, traded }));
  const found = each.flatMap(({ coin }) => (coin === undefined ? [] : [coin]));
  const missing = coins.filter((_, index) => each[index]!.coin === undefined);
  const warnings = each.flatMap((one) => one.warnings);
  const open = { code: "not_taken_out", message: notTakenOutWords(missing.map(upper)) };
  const more = missing.length > 0 ? [...warnings, open] : warnings;
  const notTakenOut = missing.map(upper);
  if (found.length < 2 || coins.length < 2) {
    const only = found.length === 1 ? each.find(({ coin }) => coin !== undefined) : undefined;
    return { ...only, warnings: more, notTakenOut, ...(coins.length > 1 && { peers: undefined }) };
  }
  const from = Math.max(...found.map((coin) => coin.from));
  const end = Math.min(...found.map((coin) => coin.from + coin.returns.length));
  const all = found.map((coin) => coin.returns.subarray(from - coin.from, end - coin.from));
  const { alike } = uncorrelated(all);
  const names = found.map(({ name }) => name);
  const left = alike.map((index) => names[index]!);
  const same = {
    code: "coins_alike",
    message: `${left.join(", ")} moved as the other coins did and was left out of the basket`,
  };
  const basket = all.filter((_, index) => !alike.includes(index));
  const kept = names.filter((_, index) => !alike.includes(index));
  const returns = all[0]!.map(
    (_, row) => basket.reduce((sum, coin) => sum + coin[row]!, 0) / basket.length,
  );
  return {
    coin: { name: kept.join(" + "), returns, from, source: "coin", basket },
    warnings: alike.length > 0 ? [...more, same] : more,
    notTakenOut,
  };
}

const upper = (name: string) => name.toUpperCase();

/** The coin and what its peers are made from, or a warning why it isn't compared. */
function heldTo(
  panel: Panel,
  asked: { readonly market: Market; readonly coin: string; readonly traded: readonly string[] },
): {
  coin?: NonNullable<CheckOptions["coin"]> & { from: number };
  peers?: CheckOptions["peers"];
  warnings: readonly CheckWarning[];
} {
  const { market, coin, traded } = asked;
  const bars = market.barsOf(coin);
  if (bars === undefined) return { warnings: [] };
  const aligned = coinReturns(panel, coin, bars);
  if (aligned === undefined) return { warnings: [closesMissing(panel, coin, bars)] };
  const { returns, from, shift, warnings } = aligned;
  const others = traded.filter((name) => name !== coin);
  return {
    coin: { name: coin, returns, from, source: "coin" },
    peers: { coin, bars, known: market.known(), shift, others },
    warnings,
  };
}

/** The market in a column beside the strategy. */
function columnOf(panel: Panel, read: ReadExport): CheckOptions["coin"] {
  if (panel.market === undefined || read.market === undefined) return undefined;
  return { name: read.market, returns: panel.market, source: "column" };
}

function sourceOf(read: ReadExport, options: CheckFileOptions) {
  return {
    ...read,
    warnings: [...read.warnings, ...suspicion(read)],
    realisedOnly: read.realisedOnly ?? false,
    hasSuspectedFlows: read.doubt !== undefined,
    options: saidOptions(options),
  };
}

/** What the sender said about the files, by the names of the parameters. */
function saidOptions(options: CheckFileOptions): SaidOptions {
  const saidIn = (some: object, prefix: string) =>
    Object.entries(some as SaidOptions)
      .filter(([name, value]) => SAID.has(name) && value !== undefined && value !== false)
      .map(([name, value]) => [prefix + snakeCase(name), value] as const);
  return Object.fromEntries([...saidIn(options, ""), ...saidIn(options.live ?? {}, "live_")]);
}

function suspicion({ doubt }: ReadExport): readonly CheckWarning[] {
  if (doubt === undefined) return [];
  const message = `${doubt.questions[0]!.text} Until it is said with the option flows, there is no skill`;
  return [{ code: "suspected_deposits", message }];
}

function checkSize({ columns, instants }: Panel, cellsMax: number): void {
  const cells = columns.length * instants.length;
  if (cells <= cellsMax) return;
  const words = `${columns.length} variants of ${instants.length} bars are ${cells} returns, more than ${cellsMax}`;
  throw new TooLarge(words);
}

function judged(
  panel: Panel,
  check: typeof checkPanel,
  options: CheckOptions,
): Omit<Checked, "isSynthetic"> {
  const report = check(panel, options);
  const returns = panel.columns[panel.names.indexOf(report.input.selected!)]!; // a panel always has one
  const { instants, periodsPerYear } = panel;
  const { coin } = options;
  const held = coin && { name: coin.name, returns: coin.returns, from: coin.from ?? 0 };
  const { timing } = report;
  const { status, returns: late } = timing?.later ?? {};
  const later = status === "found" ? { name: delayWords(timing!), returns: late! } : undefined;
  return { report, series: { instants, returns, periodsPerYear, held, later } };
}
