import { median } from "../../quant/sample-statistics.ts";
import { readName } from "../columns/name-role.ts";
import { nameWords } from "../columns/names.ts";
import {
  columnsOf,
  isAmount,
  placeOf,
  tradeTable,
  type TradeRole,
  type TradeTable,
} from "../columns/trade-columns.ts";
import type { TableFormat } from "./table-format.ts";
import { isMidnight, writtenTime } from "../../files/times.ts";
import { GENERIC, readTradeList } from "./trade-list.ts";

/** A list of trades that no known tool wrote: an exit, and a profit or the prices that give one. */
export const ownTrades: TableFormat = {
  name: "trades",
  tool: GENERIC,
  isOfTrades: true,
  matches: (table) => isTradeList(tradeTable(table)),
  read: (table, options) => readTradeList(table, { format: "trades", tool: GENERIC }, options),
};

/** Single purchases and sales, as in histories of exchanges and logs of bots. */
export const ownFills: TableFormat = {
  name: "fills",
  tool: GENERIC,
  matches: (table) => isFillList(tradeTable(table)),
  read: (table, options) =>
    readTradeList(table, { format: "fills", tool: GENERIC, isOfFills: true }, options),
};

/** Rows are bars where this share of the steps in time, and this many, lie near the median. Months have 28 to 31 days. */
const [STEP_SPREAD, BARS_SHARE, BARS_MIN] = [0.15, 0.6, 5];
/** Where each row is a whole trade, this share of the rows has a profit. */
const WHOLE_SHARE = 0.9;

/** Whether the rows are bars or days, one after the other. */
function areBars(found: TradeTable): boolean {
  const time = placeOf(found, "time");
  const times = found.table.rows.map((row) => writtenTime(row[time]!)?.seconds ?? NaN);
  const steps = times.slice(1).map((each, at) => Math.abs(each - times[at]!));
  const usual = median(steps.filter(Number.isFinite));
  const near = steps.filter((step) => Math.abs(step / usual - 1) <= STEP_SPREAD);
  return steps.length >= BARS_MIN && near.length >= BARS_SHARE * steps.length && !steps.includes(0);
}

const has = (found: TradeTable, ...roles: readonly TradeRole[]) =>
  roles.some((role) => placeOf(found, role) >= 0);

/** Whether a column speaks of a strategy or of the market, as those of a frame of bars do. */
const isOfFrame = (name: string) => {
  const { role, isOfStrategy } = readName(name);
  return isOfStrategy || role === "growth" || role === "market" || role === "bar";
};

/** Whether each row closes a trade, and so has a number other than 0 in the column of profits. */
function areWhole({ table }: TradeTable, profit: number): boolean {
  const filled = table.rows.filter((row) => isAmount(row[profit]!) && /[1-9]/.test(row[profit]!));
  return filled.length >= WHOLE_SHARE * table.rows.length;
}

/** Words that only a list of trades has: how long each was held, why it ended, its number. */
const OF_TRADES =
  /^(held|duration|reason|haltedauer|grund|duree|raison|duracion|duracao|durata|motivo|motif|持仓天数|持有天数|平仓原因|保有日数)$/;

const RESULT = /^(return|ret|pnl|profit|result|pct|reason|duration)$/;

/** Whether a column says that the rows are trades and no bars, even if there is one a day. */
function speaksOfTrades(found: TradeTable): boolean {
  const { header, rows } = found.table;
  const words = header.map(nameWords);
  const symbol = placeOf(found, "symbol");
  const symbols = new Set(rows.map((row) => row[symbol]));
  const days = new Set(rows.map((row) => row[placeOf(found, "time")]));
  return (
    words.some((each) => each.some((word) => OF_TRADES.test(word))) ||
    words.some((each) => each.includes("trade") && each.some((word) => RESULT.test(word))) ||
    (symbol >= 0 && words.flat().some((word) => /^reali[sz]ed$/.test(word))) ||
    (symbol >= 0 && has(found, "side") && !has(found, "balance")) ||
    (placeOf(found, "time", "exit") >= 0 && !has(found, "balance")) ||
    (symbols.size > 1 && days.size > 0.9 * rows.length)
  );
}

function isTradeList(found: TradeTable): boolean {
  const hasBoth = (role: TradeRole, isBare: boolean) =>
    (["entry", "exit"] as const).every((phase) =>
      columnsOf(found, role, phase).some((column) => isBare || !column.isBare),
    );
  const hasProfit = has(found, "profit", "percent");
  // Prices that are called open and close, and nothing more, may be those of bars.
  const [hasPrices, hasNamedPrices] = [hasBoth("price", true), hasBoth("price", false)];
  if (!has(found, "time") || !(hasProfit || hasPrices)) return false;
  if (hasBoth("time", true)) return true;
  if (areBars(found) && found.table.header.some(isOfFrame)) return false;
  const profit = columnsOf(found, "profit")[0] ?? columnsOf(found, "percent")[0];
  const isWhole = profit !== undefined && areWhole(found, profit.index);
  if (isWhole && speaksOfTrades(found)) return true;
  if (areBars(found) || profit === undefined)
    return hasNamedPrices && !has(found, "balance") && has(found, "symbol", "side", "size");
  if (hasPrices) return isWhole || !has(found, "side");
  const isTimed = found.table.rows.some((row) => !isMidnight(row[placeOf(found, "time")]!));
  const isDetailed = isTimed || has(found, "symbol", "size", "price", "fee");
  return isWhole && (has(found, "side") || (has(found, "profit") && isDetailed));
}

function isFillList(found: TradeTable): boolean {
  if (!has(found, "time")) return false;
  const isDaily = has(found, "balance", "percent") || !has(found, "side") || !has(found, "size");
  if (isDaily && areBars(found)) return false;
  const size = placeOf(found, "size");
  const isSigned = found.table.rows.some((row) => row[size]?.trim().startsWith("-") === true);
  const hasPrice = columnsOf(found, "price").some(({ isBare }) => !isBare);
  const isLog = has(found, "profit") && has(found, "size", "symbol", "price");
  return (hasPrice && isSigned) || (has(found, "side") && (hasPrice || isLog));
}
