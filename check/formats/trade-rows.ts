import { timeColumn } from "./time-column.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { withAsset } from "../columns/asset-column.ts";
import { isSided, sideReader, type Side } from "../columns/sides.ts";
import {
  columnsOf,
  isNumeric,
  placeOf,
  type TradeRole,
  type TradeTable,
} from "../columns/trade-columns.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import type { Deal } from "./deal.ts";
import type { ReadOptions } from "./export.ts";
import { feeKind } from "./fee-unit.ts";
import { variantName } from "./generic.ts";
import { amountOf, decimalMarkOf, notANumber, numberOf, shortened } from "../../files/numbers.ts";
import { columnOf, rowsWhere } from "./table-format.ts";
import { isDate } from "../../files/times.ts";

/** The status of an order or a trade that isn't done. */
const NOT_DONE =
  /^(open|active|running|pending|new|submitted|accepted|cancell?ed|rejected|expired|invalid|failed|offen|abiert[oa]|aberto|apert[oa])\b/i;

const NO_TIME = /^\s*(|-|0|nat|nan|none|null|n\/a|open)\s*$/i;

/** The rows of a list of trades or fills that are done, in the order of time. */
interface TradeRows {
  readonly rows: readonly Deal[];
  readonly variants: readonly string[];
  readonly left: number;
  /** The columns, with the one of what was traded. */
  readonly found: TradeTable;
  /** What a column says the account began with. */
  readonly capital: number | undefined;
  /** Why the rows are of several assets that no column tells apart. */
  readonly mixed: string | undefined;
}

/** Reads the rows of a table of trades or fills that are done. */
export function tradeRows(
  all: TradeTable,
  options: ReadOptions & { readonly variants?: readonly string[] | undefined },
  warnings: CheckWarning[],
): TradeRows {
  const best = (role: TradeRole) => exitPlace(all, role);
  const [exitTime, entryTime] = [best("time"), placeOf(all, "time", "entry")];
  const done = { ...all, table: doneRows(all, exitTime) };
  const { table } = done;
  const times = (index: number) => timeColumn(table, index, options, [exitTime, entryTime]);
  const [exits, entries] = [exitTime, entryTime < 0 ? exitTime : entryTime].map(times);
  const read = numbersReader(done);
  const variants = options.variants?.map((name) => columnOf(table, name)) ?? [];
  const exitPrices = read(best("price"));
  const { found, mixed } = withOneAsset(done, exits!, exitPrices, { warnings, variants });
  const numbers = (role: TradeRole) => read(placeOf(found, role));
  const entryPrices = read(placeOf(found, "price", "entry"));
  const size = sizePlace(found, read, exitPrices);
  const sizes = read(size.index);
  const fees = feesOf(found, read, size, warnings);
  const columns = ["profit", "percent", "value", "multiplier"] as const;
  const [profits, percents, values, multipliers] = columns.map(numbers);
  const { capital, balances } = accountOf(found, read);
  const [symbols, reasons] = [texts(found, "symbol"), texts(found, "reason")];
  const [lots, sides] = [lotsOf(found), sidesOf(found)];
  const isSigned = sizes.some((each) => each < 0);
  const rows = table.rows.map((row, at): Deal => {
    const [side, signed] = [sides[at]!, sizes[at]!];
    return {
      variant: variants.map((index) => variantName(row[index]!)).join(", ") || "trades",
      line: table.lines[at]!,
      entry: entries![at]!,
      exit: exits![at]!,
      symbol: symbols[at],
      lot: lots?.[at],
      side: isSigned && !isSided(side) && signed !== 0 ? { ...side, buys: signed > 0 } : side,
      size: Math.abs(signed) * (multipliers![at]! || 1),
      entryPrice: entryPrices[at]!,
      exitPrice: exitPrices[at]!,
      profit: profits![at]!,
      percent: percents![at]!,
      value: Math.abs(values![at]!),
      fee: fees.money[at]!,
      funding: fees.funding[at]!,
      reason: reasons[at] || undefined,
      coinFee: fees.coins[at]!,
      balances: balances.map((column) => column[at]!),
      isHeld: entryTime >= 0,
    };
  });
  return {
    rows: inOrder(rows),
    variants: [...new Set(rows.map((row) => row.variant))],
    found,
    capital,
    left: all.table.rows.length - rows.length,
    mixed,
  };
}

/** The place of an exit's column, or else of one for both, or of an entry's. */
function exitPlace(all: TradeTable, role: TradeRole): number {
  const places = (["exit", undefined, "entry"] as const).map((phase) => placeOf(all, role, phase));
  return places.find((index) => index >= 0) ?? -1;
}

function doneRows(all: TradeTable, exitTime: number): Table {
  const status = placeOf(all, "status");
  return rowsWhere(
    all.table,
    (row) =>
      !NO_TIME.test(row[exitTime] ?? "") &&
      !NOT_DONE.test(row[status]?.trim() ?? "") &&
      (row !== all.table.rows.at(-1) || isDate(row[exitTime]!)), // the last line may be of totals
  );
}

/** The column of what was traded, or why there is none though the rows are of several assets. */
function withOneAsset(
  done: TradeTable,
  times: Float64Array,
  prices: Float64Array,
  { warnings, variants }: { warnings: CheckWarning[]; variants: readonly number[] },
) {
  const sides = sidesOf(done);
  const hasSides = sides.some(isSided);
  const ofTrades = prices.map((price, row) => (hasSides && !isSided(sides[row]!) ? NaN : price)); // no payments
  const { found, jump, byValue } = withAsset(done, times, ofTrades, variants);
  if (byValue !== undefined) {
    const message = `"${shortened(byValue)}" was read as what was traded: by it, prices go together`;
    warnings.push({ code: "asset_by_value", message });
  }
  const ends = jump?.rows.map((row) => `${prices[row]!} (line ${done.table.lines[row]!})`);
  const mixed =
    ends &&
    `the price goes from ${ends.join(" to ")}, ${jump!.isTenfold ? "tenfold within a day" : "too far for one asset"}, and no ` +
      'column tells the assets apart: add a column "symbol" with the name of what each row traded';
  return { found, mixed };
}

/** By time. In files whose newest row comes first, so does the newest of one instant. */
function inOrder(rows: readonly Deal[]): readonly Deal[] {
  const steps = rows.map(({ exit }, at) => Math.sign(exit - (rows[at - 1]?.exit ?? exit)));
  const isNewestFirst = steps.reduce((sum, step) => sum + step, 0) < 0;
  return (isNewestFirst ? rows.toReversed() : rows).toSorted((a, b) => a.exit - b.exit);
}

/** Reads the numbers of a column. NaN for empty cells, and for a place below 0. */
type NumbersReader = (index: number) => Float64Array;

/** One decimal mark holds for all columns of a file. */
function numbersReader({ table, columns }: TradeTable): NumbersReader {
  const cells = columns.filter(isNumeric).map(({ index }) => cellsOf(table, index));
  const mark = decimalMarkOf(cells, table);
  return (index) =>
    Float64Array.from(table.rows, (row, at) => {
      if (index < 0) return NaN;
      const value = numberOf(row[index]!, mark) ?? amountOf(row[index]!, mark)?.value;
      if (value !== undefined) return value;
      throw notANumber(table, at, index);
    });
}

function texts(found: TradeTable, role: TradeRole): readonly (string | undefined)[] {
  const index = placeOf(found, role);
  return found.table.rows.map((row) => row[index]?.trim());
}

/** The account by each column that may say so, and what one says that it began with: the same in every row. */
function accountOf(found: TradeTable, read: NumbersReader) {
  const balances = columnsOf(found, "balance").map(({ index }) => read(index));
  const initial = read(placeOf(found, "capital"));
  const [capital = NaN] = initial;
  if (capital > 0 && initial.every((value) => value === capital)) return { capital, balances };
  return { capital: undefined, balances: [...balances, initial] }; // before each trade
}

/** The lot of each row, if most are bought and sold in two rows or more. */
function lotsOf(found: TradeTable): readonly (string | undefined)[] | undefined {
  const lots = texts(found, "lot");
  return new Set(lots).size <= 0.6 * lots.length ? lots : undefined;
}

/** The side of each row. Of several columns, the first that says something counts. */
function sidesOf(found: TradeTable): readonly Side[] {
  const { rows, header } = found.table;
  const readers = columnsOf(found, "side").map(({ index, phase }) => {
    const read = sideReader(rows.map((row) => row[index]!));
    return (row: readonly string[]) => {
      const side = read(row[index]!);
      // The direction of closing is the opposite one.
      return phase === "exit" && side?.buys !== undefined ? { ...side, buys: !side.buys } : side;
    };
  });
  const flags = columnsOf(found, "flag").map(({ index }) => (row: readonly string[]): Side => {
    return { long: /^\s*(true|yes|1)\s*$/i.test(row[index]!) === /long/i.test(header[index]!) };
  });
  const all = [...flags.toReversed(), ...readers.toReversed()];
  return rows.map((row): Side => Object.assign({}, ...all.map((read) => read(row))));
}

interface SizePlace {
  readonly index: number;
  /** The column that is price times size, even if it is called a cost. */
  readonly money: number | undefined;
}

/** Of several columns of sizes, the quantity is the one that makes another column when multiplied by the price. */
function sizePlace(found: TradeTable, numbers: NumbersReader, prices: Float64Array): SizePlace {
  const indexesOf = (role: TradeRole) => columnsOf(found, role).map(({ index }) => index);
  const sizes = indexesOf("size");
  for (const index of sizes) {
    const products = numbers(index).map((each, row) => Math.abs(each * prices[row]!));
    const money = [...indexesOf("cost"), ...indexesOf("value"), ...sizes].find((other) => {
      const known = numbers(other).map(Math.abs);
      const near = known.filter((each, row) => Math.abs(each - products[row]!) <= 0.01 * each);
      return other !== index && near.length >= 0.8 * known.length;
    });
    if (money !== undefined) return { index, money };
  }
  return { index: sizes[0] ?? -1, money: undefined };
}

/**
 * What each row paid in fees, in money and in coins. Fees count as paid whatever their sign, swaps as MetaTrader writes
 * them, where negative ones were paid. Of three columns or more, one that is the sum of the others counts alone.
 */
function feesOf(
  found: TradeTable,
  numbers: NumbersReader,
  size: SizePlace,
  warnings: CheckWarning[],
): { money: Float64Array; coins: Float64Array; funding: Float64Array } {
  const read = (role: TradeRole) =>
    columnsOf(found, role)
      .filter(({ index }) => index !== size.money)
      .map(({ index }) => numbers(index).map((value) => value || 0));
  const fees = read("fee");
  const total = fees.find((fee) => fees.length > 2 && isSumOf(fee, fees));
  const paidOf = (fee: Float64Array) => {
    const signs = fee.reduce((sum, value) => sum + Math.sign(value), 0);
    return signs < 0 ? fee.map((value) => -value) : fee;
  };
  const swaps = read("swap").map((swap) => swap.map((value) => -value));
  const held = [...read("funding").map(paidOf), ...swaps];
  const costs = [...(total === undefined ? fees : [total]), ...read("cost")].map(paidOf);
  const sumOf = (columns: readonly Float64Array[]) =>
    Float64Array.from(found.table.rows, (_, row) =>
      columns.reduce((all, fee) => all + fee[row]!, 0),
    );
  const paid = [...sumOf([...costs, ...held])];
  const kinds = feeKinds(found, size, paid, warnings);
  const rowsOf = (kind: string) =>
    Float64Array.from(paid, (fee, row) => (kinds[row] === kind ? fee : 0));
  return { money: rowsOf("money"), coins: rowsOf("coin"), funding: sumOf(held) };
}

/** What each row's fee is in. A fee in a third asset is left out, since the file has no price of it. */
function feeKinds(
  found: TradeTable,
  size: SizePlace,
  paid: readonly number[],
  warnings: CheckWarning[],
) {
  const [named, symbols] = [texts(found, "feeUnit"), texts(found, "symbol")];
  const fee = placeOf(found, "fee");
  const unitAt = (row: readonly string[], index: number) => amountOf(row[index] ?? "", ".")?.unit;
  const others = new Set<string>();
  const kinds = found.table.rows.map((cells, row) => {
    const unit = named[row] || unitAt(cells, fee) || "";
    const kind = feeKind(unit, symbols[row], unitAt(cells, size.index) ?? "");
    if (kind === "other" && paid[row] !== 0) others.add(unit);
    return kind;
  });
  if (others.size > 0) {
    const message = `fees in ${shortened([...others].join(", "))} were left out: the file has no price of it`;
    warnings.push({ code: "fees_left_out", message });
  }
  return kinds;
}

/** Whether a column is the sum of the others in each row to the cent, and in all rows together to a hundredth. */
export function isSumOf(total: Float64Array, columns: readonly Float64Array[]): boolean {
  const off = total.map(
    (value, row) => columns.reduce((all, column) => all + column[row]!, 0) - 2 * value,
  );
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  return (
    off.every((each, row) => Math.abs(each) <= 1e-6 * Math.abs(total[row]!) + 0.005) &&
    Math.abs(sumOf(off)) <= 0.01 * Math.abs(sumOf(total))
  );
}
