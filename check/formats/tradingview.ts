import { FileRefused } from "../../files/refused.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import type { Table } from "../../files/csv.ts";
import { question } from "./export.ts";
import { shortened } from "../../files/numbers.ts";
import { columnOf, numbersOf, rowsWhere, type TableFormat } from "./table-format.ts";
import { readTradeList } from "./trade-list.ts";
import { inEnglish, isTranslated } from "./tradingview-places.ts";

const TOOL = "TradingView";

/** Names of the columns in the headers from 2023 to 2026. */
const NUMBER = ["trade #", "trade number", "trade no."];
const TIME = ["date/time", "date and time"];
const PROFIT = ["profit", "net p&l", "net pnl", "p&l"];
const SIZE = ["contracts", "quantity", "qty", "position size (qty)", "size (qty)"];
const CUMULATIVE = ["cum. profit", "cumulative profit", "cumulative p&l", "cumulative pnl"];

const isType = (cell = "") => /^(entry|exit)/i.test(cell.trim());
const isExit = (cell = "") => /^exit/i.test(cell.trim());

/**
 * The list of trades of the strategy tester: an entry row and an exit row for each trade, in either order, both with the
 * profit. A trade without an exit, or whose exit has the signal `Open`, is still open.
 */
export const tradingView: TableFormat = {
  name: "tradingview",
  isOfTrades: true,
  tool: TOOL,
  columns: ["type"],
  matches: (table) =>
    [NUMBER, TIME, PROFIT].every((names) => columnOf(table, ...names) >= 0) &&
    table.rows.some((row) => isType(row[columnOf(table, "type")])),
  read: (table, options) => {
    const [type, signal] = [columnOf(table, "type"), columnOf(table, "signal")];
    const number = columnOf(table, ...NUMBER);
    const wrong = table.rows.findIndex((row) => !isType(row[type]));
    if (wrong >= 0) {
      const found = shortened(table.rows[wrong]![type]!);
      const line = table.lines[wrong]!;
      throw new FileRefused(`line ${line}: "${found}" is neither an entry nor an exit`);
    }
    const isDone = (row: readonly string[]) =>
      isExit(row[type]) && !/^open$/i.test(row[signal]?.trim() ?? "");
    const done = new Set(table.rows.filter(isDone).map((row) => row[number]));
    const closed = rowsWhere(table, (row) => done.has(row[number]));
    const open = new Set(table.rows.map((row) => row[number])).size - done.size;
    const warnings: CheckWarning[] = [];
    if (open > 0)
      warnings.push({ code: "open_trades", message: `trades still open: ${open}, left out` });
    const startingCapital = options.startingCapital ?? capitalOf(closed, warnings);
    const source = { format: "tradingview", tool: TOOL, profitIs: "net", areCoins: true } as const;
    const read = readTradeList(joined(closed), source, { ...options, startingCapital });
    return { ...read, warnings: [...warnings, ...read.warnings] };
  },
};

export const tradingViewTranslated: TableFormat = {
  name: "tradingview-translated",
  isOfTrades: true,
  tool: TOOL,
  matches: isTranslated,
  read: (table, options) => {
    const english = inEnglish(table);
    if (english !== undefined) return tradingView.read(english, options);
    throw new FileRefused(
      "this looks like TradingView's list of trades in another language, and its columns are not where they used to be: " +
        "set the site to English and export it again",
    );
  },
};

/** The list with one row for each trade. */
function joined(table: Table): Table {
  const [number, type] = [columnOf(table, ...NUMBER), columnOf(table, "type")];
  const isEnd = (row: readonly string[]) => isExit(row[type]);
  const exits = rowsWhere(table, isEnd);
  const entries = new Map(table.rows.filter((row) => !isEnd(row)).map((row) => [row[number], row]));
  const [time, price, size] = [TIME, ["price"], SIZE].map((names) => columnOf(table, ...names));
  const profit = columnOf(table, ...PROFIT);
  const rows = exits.rows.map((row, index) => {
    const entry = entries.get(row[number]);
    if (entry === undefined)
      throw new FileRefused(`line ${exits.lines[index]!}: the exit has no entry`);
    return [entry[time!], row[time!], entry[type], entry[price!], entry[size!], row[profit]];
  });
  return {
    ...exits,
    header: ["entry time", "exit time", "side", "entry price", "size", "profit"],
    rows: rows.map((row) => row.map((cell) => cell ?? "")),
  };
}

/** A percent of exactly half a unit puts the capital at the end of its interval, where the last digit is noise. */
const ROUNDING = 1e-9;

/**
 * The capital of which the cumulative profits are the percents beside them. Percents have two decimals, so each row gives
 * an interval. Of the numbers that lie in all of them, the roundest is taken.
 */
function capitalOf(table: Table, warnings: CheckWarning[]): number {
  const money = columnOf(table, ...CUMULATIVE);
  const percent = columnOf(table, ...CUMULATIVE.map((name) => `${name} %`));
  if (money < 0 || percent < 0 || money === percent) throw capitalNeeded();
  const profits = numbersOf(table, money);
  const percents = percentsOf(table, percent);
  let [low, high] = [0, Infinity];
  for (let row = 0; row < profits.length; row++) {
    const size = Math.abs(percents[row]!);
    if (!(size >= 0.01)) continue;
    low = Math.max(low, (100 * Math.abs(profits[row]!)) / (size + 0.005));
    high = Math.min(high, (100 * Math.abs(profits[row]!)) / (size - 0.005));
  }
  [low, high] = [low * (1 - ROUNDING), high * (1 + ROUNDING)];
  if (!(low > 0 && low <= high && high < Infinity)) throw capitalNeeded();
  const capital = roundest(low, high);
  const message =
    `the file doesn't name the capital; its cumulative profits and percents give ${capital}. The days run from the ` +
    "first entry to the last exit";
  warnings.push({ code: "capital_inferred", message });
  return capital;
}

/** Percents in percent, whether they have the sign or not. */
function percentsOf(table: Table, column: number): Float64Array {
  const signed = table.rows.some((row) => row[column]!.includes("%"));
  return numbersOf(table, column).map((value) => (signed ? 100 * value : value));
}

const capitalNeeded = () =>
  question(
    "startingCapital",
    "the cumulative profits and percents don't give the starting capital: how much was it?",
  );

/** The number with the fewest digits from `low` to `high`. */
function roundest(low: number, high: number): number {
  for (let unit = 10 ** Math.floor(Math.log10(high)); unit > 1e-8; unit /= 10) {
    const candidate = Math.ceil(low / unit - 1e-12) * unit;
    if (candidate <= high) return Number(candidate.toPrecision(12));
  }
  return (low + high) / 2;
}
