import type { Observations } from "../../quant/check/panel.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { readArrow } from "./arrow.ts";
import { FileRefused, type ReadExport } from "./export.ts";
import {
  isObject,
  listMember,
  member,
  numberMember,
  parseJson,
  textMember,
  type Json,
} from "./json.ts";
import { realisedRows } from "../../quant/check/realised-rows.ts";
import {
  symbolsOf,
  type Trade,
  type TradeList,
  type TradePosition,
} from "../../quant/check/trade.ts";
import { columnOf, hasColumns, numbersOf, REALISED_WARNING } from "./table-format.ts";
import { textOf } from "./text.ts";
import { timeColumn, timeOf } from "./times.ts";

const TOOL = "freqtrade";

const STATED_REASON =
  "freqtrade divides the mean profit of a day by the deviation of the trades' profits";

/** What one run states: its days, its money and its trades. */
interface Run {
  readonly name: string;
  readonly capital: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly futures: boolean;
  readonly trades: readonly Trade[];
  readonly sharpe: number | undefined;
}

/** The result of `backtesting --export trades`: one or more strategies, each a variant. */
export function readFreqtradeResult(json: Json, wallets?: Wallets): ReadExport | undefined {
  const strategies = member(json, "strategy");
  if (!isObject(strategies)) return undefined;
  const runs = Object.entries(strategies).map(([name, result]) => runOf(name, result ?? null));
  const [run] = runs;
  if (run === undefined) throw new FileRefused("the freqtrade result has no strategy");
  const stated =
    run.sharpe === undefined ? {} : { stated: { sharpe: run.sharpe }, statedReason: STATED_REASON };
  const wallet = runs.length === 1 && !run.futures ? wallets?.get(run.name) : undefined;
  if (wallet !== undefined) {
    const rows = walletRows(wallet, run.name);
    const symbols = symbolsOf(run.trades);
    return {
      format: "freqtrade",
      tool: TOOL,
      kind: "equity",
      rows,
      symbols,
      ...stated,
      warnings: [],
    };
  }
  const list = tradesOfRuns(runs);
  return {
    format: "freqtrade",
    tool: TOOL,
    kind: "trades",
    rows: realisedRows(list),
    trades: list,
    realisedOnly: true,
    ...stated,
    warnings: wallets === undefined ? [REALISED_WARNING] : [],
  };
}

type Wallets = ReadonlyMap<string, Uint8Array>;

/** The files of a `backtest-result-*.zip`: the result and the wallets of its strategies. */
export function readFreqtradeZip(files: ReadonlyMap<string, Uint8Array>): ReadExport | undefined {
  const result = [...files].find(
    ([name]) => name.endsWith(".json") && !/_config\.json$|\.meta\.json$/.test(name),
  );
  if (result === undefined) return undefined;
  const wallets = new Map<string, Uint8Array>();
  for (const [name, bytes] of files) {
    const strategy = /_([^_/]+)_wallet\.feather$/.exec(name)?.[1];
    if (strategy !== undefined) wallets.set(strategy, bytes);
  }
  return readFreqtradeResult(parseJson(textOf(result[1]), `"${result[0]}"`), wallets);
}

/** What the account was worth at each close: the sum over its currencies. */
function walletRows(bytes: Uint8Array, name: string): Observations {
  const table = readArrow(bytes);
  if (!hasColumns(table, "date", "total_quote"))
    throw new FileRefused("the freqtrade wallet has no total_quote");
  const times = timeColumn(table, columnOf(table, "date"));
  const values = numbersOf(table, columnOf(table, "total_quote"));
  const totals = new Map<number, number>();
  for (const [row, time] of times.entries())
    totals.set(time, (totals.get(time) ?? 0) + values[row]!);
  const instants = [...totals.keys()].sort((a, b) => a - b);
  return {
    kind: "equity",
    instants: Float64Array.from(instants),
    lines: new Int32Array(instants.length),
    names: [name],
    columns: [Float64Array.from(instants, (time) => totals.get(time)!)],
  };
}

/** Lines of a hyperopt's `.fthypt`: one epoch each, which is one variant. */
export function readHyperopt(epochs: readonly Json[]): ReadExport | undefined {
  if (!epochs.every((epoch) => isObject(member(epoch, "results_metrics")))) return undefined;
  const runs = epochs.map((epoch, place) =>
    runOf(
      String(numberMember(epoch, "current_epoch") ?? place + 1),
      member(epoch, "results_metrics")!,
    ),
  );
  const list = tradesOfRuns(runs);
  return {
    format: "freqtrade-hyperopt",
    tool: TOOL,
    kind: "trades",
    rows: realisedRows(list),
    trades: list,
    realisedOnly: true,
    warnings: [],
  };
}

/**
 * Daily realised profit of runs over the same days with the same capital. The first day is the base, unless a trade
 * was already closed on it.
 */
function tradesOfRuns(runs: readonly Run[]): TradeList {
  const [run] = runs as [Run, ...Run[]];
  const other = runs.find(({ firstDay, lastDay, capital }) => {
    return firstDay !== run.firstDay || lastDay !== run.lastDay || capital !== run.capital;
  });
  if (other !== undefined) {
    throw new FileRefused(
      `"${run.name}" and "${other.name}" were tested over other days or with other capital`,
    );
  }
  const trades = runs.flatMap((each) =>
    each.trades.map((trade) => ({ ...trade, variant: each.name })),
  );
  const early = trades.some(({ exit }) => exit < (run.firstDay + 1) * DAY_SECONDS);
  return {
    trades,
    capital: run.capital,
    first: early ? run.firstDay : run.firstDay + 1,
    last: run.lastDay,
    variants: runs.map(({ name }) => name),
  };
}

function runOf(name: string, result: Json): Run {
  const capital = numberMember(result, "starting_balance");
  const [first, last] = [textMember(result, "backtest_start"), textMember(result, "backtest_end")];
  const trades = listMember(result, "trades");
  if (capital === undefined || first === undefined || last === undefined || trades === undefined) {
    throw new FileRefused(
      `"${name}" lacks trades, starting_balance, backtest_start or backtest_end: export it with --export trades`,
    );
  }
  return {
    name,
    capital,
    firstDay: Math.floor(secondsOf(first) / DAY_SECONDS),
    lastDay: Math.floor(secondsOf(last) / DAY_SECONDS),
    futures: textMember(result, "trading_mode") === "futures",
    sharpe: numberMember(result, "sharpe"),
    trades: trades.map((trade, place) => {
      const profit = numberMember(trade, "profit_abs");
      const [entry, exit] = [textMember(trade, "open_date"), textMember(trade, "close_date")];
      if (profit === undefined || entry === undefined || exit === undefined) {
        throw new FileRefused(
          `trade ${place + 1} of "${name}" lacks profit_abs, open_date or close_date`,
        );
      }
      const position = positionOf(trade);
      return { variant: name, entry: secondsOf(entry), exit: secondsOf(exit), profit, position };
    }),
  };
}

/** Undefined for a trade with leverage, which is no position of the account's own money. */
function positionOf(trade: Json): TradePosition | undefined {
  const [size, entryPrice] = [numberMember(trade, "amount"), numberMember(trade, "open_rate")];
  if (size === undefined || entryPrice === undefined) return undefined;
  if ((numberMember(trade, "leverage") ?? 1) !== 1) return undefined;
  const long = member(trade, "is_short") !== true;
  return { symbol: textMember(trade, "pair"), size, entryPrice, long };
}

function secondsOf(text: string): number {
  const time = timeOf(text);
  if (time === undefined) throw new FileRefused(`"${text}" is not a date`);
  return time.seconds - (time.offsetSeconds ?? 0);
}
