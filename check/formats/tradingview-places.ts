import { timeColumn } from "./time-column.ts";
import type { Table } from "../../files/csv.ts";
import { numberOf } from "../../files/numbers.ts";
import { columnOf, numbersOf } from "./table-format.ts";
import { isDate } from "../../files/times.ts";

const PERCENT_NAME = /[%\uFF05]\s*$/;
/** The signal of a trade that is still open, in the languages of the site. */
const OPEN =
  /^(open|offen|ouvert|abiert[oa]|abert[oa]|apert[oa]|открыт\p{L}*|açık|otwart\p{L}*|オープン|未決済|미청산|미결제|未平仓|未平倉)$/iu;

/** Whether a table looks like TradingView's list of trades in any language: numbered pairs of rows, columns of percents. */
export function isTranslated({ header, rows }: Table): boolean {
  const type = columnOf({ header }, "type");
  const isNumbered = rows
    .slice(0, 4)
    .every((row, index) => /^\d+$/.test(row[0]!) && row[0] === rows[index & 2]![0]);
  const isEnglish = rows.some((row) => /^(entry|exit)/i.test(row[type] ?? ""));
  const percents = header.filter((name) => PERCENT_NAME.test(name)).length;
  return percents >= 3 && rows.length >= 4 && isNumbered && !isEnglish;
}

/**
 * The list as TradingView writes it in English, told by the places of its columns: the number that two rows share, the
 * row's type, time, price and size, then pairs of money and percent. The first pair is the profit, and another one its
 * running sum. The later row of two is the exit, and a type is long if its trades win where prices rise.
 */
export function inEnglish(table: Table): Table | undefined {
  const { header, rows } = table;
  const places = [...header.keys()].slice(1);
  const isAll = (index: number, test: (cell: string) => boolean) =>
    rows.slice(0, 20).every((row) => test(row[index]!));
  const isText = (index: number) => isAll(index, (cell) => numberOf(cell, ".") === undefined);
  const money = places.filter((index) => {
    return PERCENT_NAME.test(header[index + 1] ?? "") && !PERCENT_NAME.test(header[index]!);
  });
  const [time, profit] = [places.find((index) => isAll(index, isDate)), money[0]];
  if (time === undefined || profit === undefined) return undefined;
  const [type, signal] = places.filter(
    (index) => index !== time && index < profit && isText(index),
  );
  const [price, size] = places.filter((index) => index > time && index < profit && !isText(index));
  const cumulative = money.slice(1).find((index) => isRunningSum(table, profit, index));
  if (type === undefined || price === undefined || cumulative === undefined) return undefined;
  const typeOf = typesOf(table, { type, time, price, profit });
  const names = new Map([
    [0, "Trade #"],
    [type, "Type"],
    [signal, "Signal"],
    [time, "Date/Time"],
    [price, "Price"],
    [size, "Contracts"],
    [profit, "Profit"],
    [cumulative, "Cum. Profit"],
    [cumulative + 1, "Cum. Profit %"],
  ]);
  const cellOf = (cell: string, index: number) => {
    if (index === type) return typeOf(cell);
    return index === signal && OPEN.test(cell.trim()) ? "Open" : cell;
  };
  return {
    ...table,
    header: header.map((_, index) => names.get(index) ?? `#${index + 1}`),
    rows: rows.map((row) => row.map(cellOf)),
  };
}

function isRunningSum(table: Table, profit: number, sum: number): boolean {
  const [profits, sums] = [numbersOf(table, profit), numbersOf(table, sum)];
  const last = new Map(table.rows.map((row, at) => [Number(row[0]), at]));
  const trades = [...last].toSorted(([a], [b]) => a - b).map(([, at]) => at);
  const steps = trades.slice(1).filter((at, index) => {
    return (
      Math.abs(sums[at]! - sums[trades[index]!]! - profits[at]!) <=
      0.02 + 1e-6 * Math.abs(sums[at]!)
    );
  });
  return steps.length >= 0.9 * (trades.length - 1);
}

/** The type of a row in English, by the votes of all pairs. */
function typesOf(
  table: Table,
  { type, time, price, profit }: Record<"type" | "time" | "price" | "profit", number>,
): (type: string) => string {
  const [exits, longs] = [new Map<string, number>(), new Map<string, number>()];
  const times = timeColumn(table, time, { dates: "day-first" });
  const [prices, profits] = [numbersOf(table, price), numbersOf(table, profit)];
  for (let at = 1; at < table.rows.length; at++) {
    const [before, row] = [table.rows[at - 1]!, table.rows[at]!];
    if (before[0] !== row[0]) continue;
    const later = Math.sign(times[at]! - times[at - 1]!);
    const rise = Math.sign(
      later * (prices[at]! - prices[at - 1]!) * (profits[at]! || profits[at - 1]!),
    );
    for (const [cell, exit] of [
      [row[type]!, later],
      [before[type]!, -later],
    ] as const) {
      exits.set(cell, (exits.get(cell) ?? 0) + exit);
      longs.set(cell, (longs.get(cell) ?? 0) + rise);
    }
  }
  return (cell) =>
    `${exits.get(cell)! > 0 ? "Exit" : "Entry"} ${longs.get(cell)! > 0 ? "long" : "short"}`;
}
