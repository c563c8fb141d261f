import { FileRefused } from "../../files/refused.ts";
import type { ReadColumn } from "../../quant/check/panel.ts";
import { nameWords } from "../columns/names.ts";
import { isAmount } from "../columns/trade-columns.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import { feeKind } from "./fee-unit.ts";
import { shortened } from "../../files/numbers.ts";
import { rowsWhere, type TableFormat } from "./table-format.ts";
import { isDate } from "../../files/times.ts";
import { readTradeList } from "./trade-list.ts";

const AMOUNT = /^(amount|income|change|cashflow|pnl|realizedpnl|value|betrag|金额|变动)$/;
const UNIT = /^(asset|coin|currency|ccy|unit|币种)$/;
const SYMBOL = /^(symbol|pair|market|instrument|contract|交易对|合约)$/;
/** The kinds of rows, in the words of Binance, Bybit, OKX and others. */
const PROFIT = /reali[sz]ed.?(pnl|profit|gain)|^pnl$|已实现盈亏|平仓盈亏/i;
const COST = /commission|\bfee|funding|手续费|资金费/i;
const PAID = /transfer|deposit|withdraw|划转|充值|提现/i;

/** The column of kinds, and those beside it. Undefined where the rows aren't income and costs of one account. */
function placesOf({ header, rows }: Table) {
  const cells = (index: number) => rows.map((row) => row[index]!.trim());
  const kind = header.findIndex((_, index) => {
    const found = [...new Set(cells(index))];
    const isAny = (pattern: RegExp) =>
      found.some((cell) => pattern.test(cell.replaceAll("_", " ")));
    return found.length < 40 && isAny(PROFIT) && isAny(COST);
  });
  const named = (pattern: RegExp, is: (cell: string) => boolean = () => true) =>
    header.findIndex(
      (name, index) =>
        index !== kind && pattern.test(nameWords(name).join("")) && cells(index).every(is),
    );
  const time = header.findIndex((_, index) => rows.length > 0 && cells(index).every(isDate));
  const amount = named(AMOUNT, isAmount);
  if (kind < 0 || time < 0 || amount < 0) return undefined;
  return { kind, time, amount, unit: named(UNIT), symbol: named(SYMBOL) };
}

/**
 * The income of an account on futures: a row for each realised profit, commission, funding fee and transfer, as Binance's
 * transaction history. All amounts are what the account gained, but transfers, which are paid in or out.
 */
export const income: TableFormat = {
  name: "income",
  tool: "generic",
  matches: (table) => placesOf(table) !== undefined,
  read: (table, options) => {
    const { kind, time, amount, unit, symbol } = placesOf(table)!; // it matches
    const isMoney = (row: readonly string[]) => feeKind(row[unit] ?? "", undefined, "") === "money";
    const others = rowsWhere(table, (row) => !isMoney(row));
    const profit = others.rows.find((row) => PROFIT.test(row[kind]!.replaceAll("_", " ")));
    if (profit !== undefined)
      throw new FileRefused(
        `some profits are in ${shortened(profit[unit]!)}, and the file has no price of it: send the rows of one currency`,
      );
    const kept = rowsWhere(table, isMoney);
    const isPaid = (row: readonly string[]) => PAID.test(row[kind]!);
    const rows = kept.rows.map((row) => [
      row[time]!,
      row[symbol] ?? "",
      isPaid(row) ? "deposit" : "",
      row[amount]!,
    ]);
    const plain = { ...kept, header: [table.header[time]!, "symbol", "side", "profit"], rows };
    const columns = table.header.map((name, index): ReadColumn => {
      const use = index === amount ? "judged" : index === time ? "dates" : "trade";
      return { name, role: use === "judged" ? "profit" : "of each row", use };
    });
    const list = readTradeList(plain, { format: "income", tool: "generic" }, options);
    const read = { ...list, columns };
    if (others.rows.length === 0) return read;
    const units = [...new Set(cellsOf(others, unit))].slice(0, 5).join(", ");
    const message = `fees in ${shortened(units)} were left out: the file has no price of it`;
    return { ...read, warnings: [...read.warnings, { code: "fees_left_out", message }] };
  },
};
