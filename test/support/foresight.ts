import { readFileSync } from "node:fs";
import { emptyBars, type Bars } from "../../quant/bars.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import type { TradeAtMarket } from "../../quant/check/fill-timing.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";

/**
 * Vectors of the three probes, computed by other programs: returns beside their market (a), and lists of trades beside
 * their bars (b and c, whose bars are drawn).
 */
const FOLDER = new URL("../quant/check/foresight/", import.meta.url);

const textOf = (name: string) => readFileSync(new URL(name, FOLDER), "utf8");

export interface LaterAnswers {
  readonly probe: "later";
  readonly status: "found" | "passed" | "not_tested";
  readonly reason?: string;
  readonly size: number;
  readonly told: number;
  readonly asked: number;
  readonly cash: number;
  readonly changes_1: number;
  readonly changes_2: number;
  readonly s_1: number;
  readonly s_2: number;
  readonly sharpe: number;
  readonly sharpe_1: number;
  readonly sharpe_2: number;
  readonly total: number;
  readonly total_1: number;
  readonly total_2: number;
}

interface FillAnswers {
  readonly n: number;
  readonly near: number;
  readonly other: number;
  readonly p: number;
  readonly status: string;
}

export interface TradeAnswers {
  readonly probe: "trades";
  readonly trades: number;
  readonly fills: { readonly entry: FillAnswers; readonly exit: FillAnswers };
  readonly levels: {
    readonly status: string;
    readonly reason?: string;
    readonly n?: number;
    readonly first_profit?: number;
    readonly take?: number;
    readonly stop?: number;
    readonly p?: number;
  };
}

const ANSWERS = JSON.parse(textOf("expected.json")) as Readonly<
  Record<string, LaterAnswers | TradeAnswers>
>;

export const LATER_CASES = Object.entries(ANSWERS).flatMap(([name, answers]) =>
  answers.probe === "later" ? [{ name, answers }] : [],
);

export const TRADE_CASES = Object.entries(ANSWERS).flatMap(([name, answers]) =>
  answers.probe === "trades" ? [{ name, answers }] : [],
);

/** The cells of a CSV file by its header. */
function cellsOf(file: string) {
  const [header, ...lines] = textOf(file).trim().split("\n");
  const rows = lines.map((line) => line.split(","));
  return (name: string) => rows.map((cells) => cells[header!.split(",").indexOf(name)]!);
}

export function returnsOfCase(name: string) {
  const cells = cellsOf(`${name}.csv`);
  const numbers = (column: string) => Float64Array.from(cells(column), Number);
  return {
    dates: cells("date"),
    returns: numbers("strategy_returns"),
    market: numbers("market_returns"),
  };
}

export function tradesOfCase(name: string): readonly TradeAtMarket[] {
  const bars = barsOf(`${name[0]!}.bars.csv`);
  const cells = cellsOf(`${name}.trades.csv`);
  const times = (column: string) => cells(column).map((date) => dayOfDate(date)! * DAY_SECONDS);
  const [entries, exits] = [times("entry_day"), times("exit_day")];
  const [entryPrices, exitPrices] = [cells("entry_price"), cells("exit_price")];
  return cells("side").map((side, row) => {
    const [entryPrice, exitPrice] = [Number(entryPrices[row]), Number(exitPrices[row])];
    const position = { long: side === "long", size: 1, entryPrice, exitPrice };
    const profit = (exitPrice - entryPrice) * (position.long ? 1 : -1);
    return { variant: "all", entry: entries[row]!, exit: exits[row]!, profit, position, bars };
  });
}

function barsOf(file: string): Bars {
  const cells = cellsOf(file);
  const days = cells("date").map((date) => dayOfDate(date)!);
  const bars = emptyBars(days.length);
  bars.day.set(days);
  for (const name of ["open", "high", "low", "close"] as const)
    bars[name].set(cells(name).map(Number));
  return bars;
}

/** A CSV of the returns that act on the close they are made of, beside the market's. */
export function earlyCsv(): string {
  const { dates, returns, market } = returnsOfCase("a02_same_bar_average");
  const rows = dates.map((date, row) => `${date},${returns[row]},${market[row]}\n`);
  return `date,strategy_returns,market_returns\n${rows.join("")}`;
}
