import { FileRefused } from "../../files/refused.ts";
import { DAY_SECONDS, dayOf } from "../../quant/check/ordered-rows.ts";
import type { Observations } from "../../quant/check/panel.ts";
import {
  symbolsOf,
  type LedgerTrade,
  type Trade,
  type TradeList,
} from "../../quant/check/trade.ts";
import { question, type ReadExport, type ReadOptions } from "./export.ts";
import {
  isObject,
  listMember,
  member,
  numberMember,
  textMember,
  type Json,
} from "../../files/json.ts";
import { shortened } from "../../files/numbers.ts";
import { ledgerWithin, listExport, REALISED_WARNING } from "./table-format.ts";
import { timeOf } from "../../files/times.ts";

const TOOL = "freqtrade";
const STATED_REASON =
  "freqtrade divides the mean profit of a day by the deviation of the trades' profits";

type Run = ReturnType<typeof runOf>;

/** The daily value of a strategy's account, where the file has it. */
type WalletOf = (strategy: string) => Observations | undefined;

/** The result of `backtesting --export trades`: one or more strategies, each a variant. */
export function readFreqtradeResult(
  json: Json,
  options: ReadOptions,
  walletOf?: WalletOf,
): ReadExport | undefined {
  const strategies = member(json, "strategy");
  // pandas' to_json of a frame with a column "Strategy" has numbers there.
  if (!isObject(strategies) || !Object.values(strategies).every(isRun)) return undefined;
  const runs = Object.entries(strategies).map(([name, result]) =>
    runOf(name, result ?? null, options),
  );
  const [run] = runs;
  if (run === undefined) throw new FileRefused("the freqtrade result has no strategy");
  const ledger = ledgerWithin({
    capital: run.capital,
    trades: runs.flatMap((each) => each.closed),
  });
  const source = { format: "freqtrade", tool: TOOL, ledger, ...statedOf(runs) };
  const rows = walletsOf(runs, walletOf);
  if (rows !== undefined) {
    const symbols = symbolsOf(runs.flatMap(({ closed }) => closed));
    return { ...source, kind: "equity", rows, symbols, warnings: [] };
  }
  const isWarned = walletOf === undefined || runs.length > 1 || !run.futures;
  const warnings = isWarned ? [REALISED_WARNING] : [];
  return { ...source, ...listExport({ ...source, warnings }, tradesOfRuns(runs)) };
}

function isRun(result: Json | undefined): boolean {
  return ["trades", "backtest_start"].some((name) => member(result, name) !== undefined);
}

/** The lines of a hyperopt's `.fthypt`: an epoch each, which is a variant. */
export function readHyperopt(
  epochs: readonly Json[],
  options: ReadOptions,
): ReadExport | undefined {
  if (!epochs.every((epoch) => isObject(member(epoch, "results_metrics")))) return undefined;
  const numbers = epochs.map((epoch) => numberMember(epoch, "current_epoch"));
  // Several hyperopts joined in one file count their epochs anew. Then the line is the name.
  const areNames = new Set(numbers).size === numbers.length;
  const runs = epochs.map((epoch, index) => {
    const name = String((areNames ? numbers[index] : undefined) ?? index + 1);
    return runOf(name, member(epoch, "results_metrics")!, options);
  });
  const source = { format: "freqtrade-hyperopt", tool: TOOL, warnings: [] };
  const stated = statedOf(runs, bestEpoch(runs, epochs));
  return { ...listExport(source, tradesOfRuns(runs)), ...stated };
}

/** The Sharpe ratio that each run states. */
function statedOf(runs: readonly Run[], more = ""): Pick<ReadExport, "statedOf" | "statedReason"> {
  const known = runs.filter(({ sharpe }) => sharpe !== undefined);
  if (known.length === 0) return {};
  const sharpes = new Map(known.map(({ name, sharpe }) => [name, { sharpe: sharpe! }])); // filtered
  return { statedOf: sharpes, statedReason: STATED_REASON + more };
}

/** The epoch that a hyperopt calls best need not be the one with the highest Sharpe ratio, which is judged. */
function bestEpoch(runs: readonly Run[], epochs: readonly Json[]): string {
  const losses = epochs.map((epoch) => numberMember(epoch, "loss") ?? Infinity);
  const least = losses.reduce((best, loss) => Math.min(best, loss), Infinity);
  if (least === Infinity) return "";
  return `. By the loss that it minimised, its best epoch is ${runs[losses.indexOf(least)]!.name}`;
}

/** The accounts of all runs, if each has one over the same days. An account of futures shows cash only. */
function walletsOf(runs: readonly Run[], walletOf?: WalletOf): Observations | undefined {
  const wallets = runs.flatMap((run) => (run.futures ? [] : (walletOf?.(run.name) ?? [])));
  const [first] = wallets;
  if (first === undefined || wallets.length < runs.length) return undefined;
  const days = first.instants.join();
  if (!wallets.every(({ instants }) => instants.join() === days)) return undefined;
  return {
    ...first,
    names: runs.map(({ name }) => name),
    columns: wallets.flatMap(({ columns }) => columns),
  };
}

/** The trades of runs over the same days with the same capital. The first day is the base if no trade closes on it. */
function tradesOfRuns(runs: readonly Run[]): TradeList {
  const [run] = runs as [Run, ...Run[]];
  const other = runs.find(
    ({ first, last, capital }) =>
      first !== run.first || last !== run.last || capital !== run.capital,
  );
  if (other !== undefined) {
    throw new FileRefused(
      `"${shortened(run.name)}" and "${shortened(other.name)}" were tested over other days or with other capital`,
    );
  }
  const trades = runs.flatMap((each) => each.closed);
  const isEarly = trades.some(({ exit }) => exit < (run.first + 1) * DAY_SECONDS);
  return {
    trades,
    capital: run.capital,
    first: isEarly ? run.first : run.first + 1,
    last: run.last,
    variants: runs.map(({ name }) => name),
  };
}

/** What one run states: its days, its money and its trades. */
function runOf(name: string, result: Json, { startingCapital }: ReadOptions) {
  const [first, last] = [textMember(result, "backtest_start"), textMember(result, "backtest_end")];
  const trades = listMember(result, "trades");
  if (first === undefined || last === undefined || trades === undefined) {
    throw new FileRefused(
      `"${shortened(name)}" lacks trades, backtest_start or backtest_end: export it with --export trades`,
    );
  }
  // Before 2021, results had no starting_balance.
  const capital = numberMember(result, "starting_balance") ?? startingCapital;
  if (capital === undefined) {
    throw question(
      "startingCapital",
      `"${shortened(name)}" doesn't name the capital that the account began with: how much was it?`,
    );
  }
  return {
    name,
    capital,
    first: dayOf(secondsOf(first)),
    last: dayOf(secondsOf(last)),
    futures: textMember(result, "trading_mode") === "futures",
    sharpe: numberMember(result, "sharpe"),
    closed: trades.map((trade, index): LedgerTrade & Pick<Trade, "position" | "unmarked"> => {
      const profit = numberMember(trade, "profit_abs");
      const [entry, exit] = [textMember(trade, "open_date"), textMember(trade, "close_date")];
      if (profit === undefined || entry === undefined || exit === undefined) {
        throw new FileRefused(
          `trade ${index + 1} of "${shortened(name)}" lacks profit_abs, open_date or close_date`,
        );
      }
      const figure = (member: string) => numberMember(trade, member) ?? NaN;
      const [size, entryPrice, exitPrice] = [
        figure("amount"),
        figure("open_rate"),
        figure("close_rate"),
      ];
      const fees = entryPrice * figure("fee_open") + exitPrice * figure("fee_close");
      return {
        variant: name,
        line: index + 1,
        entry: secondsOf(entry),
        exit: secondsOf(exit),
        symbol: textMember(trade, "pair"),
        long: member(trade, "is_short") !== true,
        size,
        entryPrice,
        exitPrice,
        fee: size * fees || 0,
        funding: 0 - (figure("funding_fees") || 0), // above 0 where they were gained
        profit,
        reason: textMember(trade, "exit_reason") ?? textMember(trade, "sell_reason"),
        ...positionOf(trade),
      };
    }),
  };
}

/**
 * A trade with leverage isn't a position of the account's own money. Of one that was entered or closed in parts, the price is
 * an average and the size is not what was held all the time.
 */
function positionOf(trade: Json): Pick<Trade, "position" | "unmarked"> {
  const [size, entryPrice] = [numberMember(trade, "amount"), numberMember(trade, "open_rate")];
  if (size === undefined || entryPrice === undefined) return {};
  if ((numberMember(trade, "leverage") ?? 1) !== 1)
    return { unmarked: "some trades have leverage" };
  const sides = (listMember(trade, "orders") ?? []).map((order) => member(order, "ft_is_entry"));
  if ([true, false].some((side) => sides.filter((found) => found === side).length > 1))
    return { unmarked: "some trades were made in several parts" };
  const long = member(trade, "is_short") !== true;
  const exitPrice = numberMember(trade, "close_rate");
  const symbol = textMember(trade, "pair");
  return { position: { symbol, size, entryPrice, exitPrice, long } };
}

function secondsOf(text: string): number {
  const time = timeOf(text);
  if (time === undefined) throw new FileRefused(`"${shortened(text)}" is not a date`);
  return time.seconds - (time.offsetSeconds ?? 0);
}
