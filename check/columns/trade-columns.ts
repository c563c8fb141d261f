import type { Table } from "../../files/csv.ts";
import { amountOf } from "../../files/numbers.ts";
import { isDate, isMidnight } from "../../files/times.ts";
import { nameKey, partReader, TRADE_WORDS, type TradeWord } from "./names.ts";
import { sideReader } from "./sides.ts";

const CLOCK = /^\s*\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*([AP]M)?\s*$/i;

export const isAmount = (cell: string) =>
  amountOf(cell, ".") !== undefined || amountOf(cell, ",") !== undefined;
/** A number of nine digits is an amount sooner than the Unix seconds of a day before September 2001. */
const isTime = (cell: string) => (isDate(cell) && !/^\s*\d{9}\s*$/.test(cell)) || CLOCK.test(cell);
const isWord = (cell: string) => /\p{L}/u.test(cell);
const isFlag = (cell: string) => /^\s*(true|false|yes|no|[01])\s*$/i.test(cell);

/** The roles of columns in lists of trades and of fills, and what their cells have to be. */
const CELLS = {
  time: isTime,
  price: isAmount,
  size: isAmount,
  value: isAmount,
  cost: isAmount,
  profit: isAmount,
  percent: isAmount,
  balance: isAmount,
  capital: isAmount,
  fee: isAmount,
  swap: isAmount,
  funding: isAmount,
  multiplier: isAmount,
  side: isWord, // `sideReader` decides
  flag: isFlag,
  feeUnit: isWord,
  status: isWord,
  reason: isWord,
  lot: () => true,
  symbol: () => true, // in China, shares have numbers for names
};
export type TradeRole = keyof typeof CELLS;

/** Undefined for a column that belongs to neither. */
type Phase = "entry" | "exit" | undefined;

/** A column whose name and values agree on a role. */
interface TradeColumn {
  readonly index: number;
  readonly role: TradeRole;
  readonly phase: Phase;
  /** What its name says of the fees in a profit. */
  readonly profitIs: "net" | "gross" | undefined;
  /** Whether its name is a phase and nothing more, such as `open` or `close`. */
  readonly isBare: boolean;
  /** Whether its name says bought or sold. For a short position, these are the exit and the entry. */
  readonly isTurned: boolean;
  /** Of several columns with one role, the one with the highest rank counts. */
  readonly rank: number;
}

/** A table with the roles of its columns. A day and a time of day in columns of their own have been joined. */
export interface TradeTable {
  readonly table: Table;
  readonly columns: readonly TradeColumn[];
}

const readName = partReader(TRADE_WORDS);
export const PERCENT = /[%\uFE6A\uFF05]|pct|percent|prozent|pourcent|por ?ci?ento|百分比|比例/i;
/** The end of a name whose size is in money, and so no quantity. */
const MONEY = /(usd[tc]?|busd|eur|gbp|dollars?|\p{Sc})\W*$/iu;

/** The number of what was bought, which its sales repeat. */
const LOT = /^(lot|position|trade)[ _]?(id|no|nr|num|number)$/i;

type Has = (...words: readonly TradeWord[]) => boolean;

/** The roles that a name may have, each of whose words is known. The first that the values confirm counts. */
function rolesOf(has: Has, name: string): readonly TradeRole[] {
  const isPercent = PERCENT.test(name);
  if (has("reason")) return has("exit", "sold") ? ["reason"] : [];
  const phases = [has("entry", "bought"), has("exit", "sold")].filter(Boolean).length;
  if (phases === 2 || (has("long") && has("short"))) return ["side"];
  if (LOT.test(name)) return ["lot"];
  if (has("id")) return has("symbol") ? ["symbol"] : has("size") ? ["size"] : [];
  if (has("initial")) return has("balance") ? ["capital"] : [];
  if (has("fee") && has("profit")) return ["profit"]; // before or after fees
  if (has("moment") && !has("balance")) return []; // what is held after a fill is not its size
  if (has("status")) return ["status"];
  if (has("fee") && has("unit", "symbol")) return ["feeUnit"];
  if (has("funding")) return isPercent || has("rate") ? [] : ["funding"];
  if (has("fee")) return isPercent || has("price", "rate") ? [] : ["fee"];
  if (has("sum")) return has("balance") ? ["balance"] : [];
  if (has("rate") || (isPercent && has("profit", "net", "gross"))) return ["percent"];
  if (has("profit")) return ["profit"];
  if (isPercent) return [];
  if (has("swap")) return ["swap"];
  if (has("multiplier")) return ["multiplier"];
  if (has("balance")) return has("net", "gross") ? [] : ["balance"];
  if (has("time")) return ["time"];
  if (has("price")) return ["price"];
  if (has("value")) return ["value"];
  if (has("size")) return [MONEY.test(name) ? "value" : "size"];
  if (has("cost")) return ["cost"];
  if (has("side")) return ["side"];
  if (has("kind")) return phases > 0 ? [] : has("symbol") ? ["side", "symbol"] : ["side"];
  if (has("contracts")) return ["size", "symbol"];
  if (has("bare") && phases === 0) return ["side", "size"];
  if (has("symbol")) return ["symbol"];
  if (has("net", "gross")) return ["profit"];
  if (has("at")) return ["time"];
  if (has("long", "short")) return ["flag"];
  if (phases > 0) return ["time", "side", "price"];
  return has("preferred") ? ["size"] : [];
}

function profitIsOf(has: Has, name: string): "net" | "gross" | undefined {
  if (has("gross") || (has("fee") && /before/i.test(name))) return "gross";
  return has("net", "fee") ? "net" : undefined;
}

/** No list of trades has more columns. A matrix of variants does. */
const COLUMNS_MAX = 200;
/** Rows that are looked at, and the share of their cells that have to confirm a role. */
const [SAMPLE, SHARE, SIDES_SHARE] = [300, 0.9, 0.5];

function confirms(role: TradeRole, cells: readonly string[]): boolean {
  const isOfRole = role === "side" ? sideReader(cells) : CELLS[role];
  const share = role === "side" ? SIDES_SHARE : SHARE;
  return cells.filter(isOfRole).length >= share * cells.length;
}

export function isNumeric({ role }: TradeColumn): boolean {
  return CELLS[role] === isAmount;
}

/** The columns of trades or fills in a table, by their roles. */
export function tradeTable(table: Table): TradeTable {
  if (table.header.length > COLUMNS_MAX) return { table, columns: [] };
  const sample = table.rows.slice(0, SAMPLE);
  const columns = table.header.flatMap((name, index): TradeColumn[] => {
    const words = readName(name) ?? [];
    const count = (...wanted: readonly TradeWord[]) =>
      words.filter((word) => wanted.includes(word)).length;
    const has: Has = (...wanted) => count(...wanted) > 0;
    const cells = sample.map((row) => row[index]!).filter((cell) => cell.trim() !== "");
    if (words.length === 0 || cells.length === 0) return [];
    const role = rolesOf(has, name).find((each) => confirms(each, cells));
    if (role === undefined) return [];
    const isBare = count("entry", "exit", "bought", "sold", "bare") === words.length;
    const [enters, exits] = [has("entry", "bought"), has("exit", "sold")];
    const phase = enters === exits ? undefined : enters ? "entry" : "exit";
    return [
      {
        index,
        role,
        phase: role === "time" || role === "price" || role === "side" ? phase : undefined,
        profitIs: profitIsOf(has, name),
        isBare,
        isTurned: has("bought", "sold"),
        rank:
          count("preferred", "net") -
          count("avoided", "gross") -
          count("value") / 2 -
          Number(isBare),
      },
    ];
  });
  return phased(withClocks({ table, columns }));
}

/** The columns with a role, the best first. They are of any phase unless some are given. */
export function columnsOf(
  { columns }: TradeTable,
  role: TradeRole,
  ...phases: readonly Phase[]
): readonly TradeColumn[] {
  return columns
    .filter((each) => each.role === role && (phases.length === 0 || phases.includes(each.phase)))
    .toSorted((a, b) => b.rank - a.rank);
}

/** The place of the best column with a role, or -1 if there is none. */
export function placeOf(table: TradeTable, role: TradeRole, ...phases: readonly Phase[]): number {
  return columnsOf(table, role, ...phases)[0]?.index ?? -1;
}

/** Joins times of day with the column of days of their phase, or else with the entry's. */
function withClocks({ table, columns }: TradeTable): TradeTable {
  const isAll = ({ index }: TradeColumn, test: (cell: string) => boolean) =>
    table.rows.slice(0, SAMPLE).every((row) => row[index]!.trim() === "" || test(row[index]!));
  const times = columns.filter(({ role }) => role === "time");
  const clocks = times.filter((column) => isAll(column, (cell) => CLOCK.test(cell)));
  const days = times.filter((column) => !clocks.includes(column) && isAll(column, isMidnight));
  let { header, rows } = table;
  const kept = columns.filter((column) => !clocks.includes(column));
  for (const clock of clocks) {
    const phases = [clock.phase, undefined, "entry"];
    const [day] = phases.flatMap((phase) => days.filter((each) => each.phase === phase));
    if (day === undefined) continue;
    const joined = (row: readonly string[]) => {
      const [date, time] = [row[day.index]!.trim(), row[clock.index]!.trim()];
      return time === "" ? "" : `${date.replace(/[T ]\d{1,2}:\d{2}.*$/, "")} ${time}`;
    };
    kept.push({ ...clock, index: header.length, rank: clock.rank + 1 });
    rows = rows.map((row) => [...row, joined(row)]);
    header = [...header, header[clock.index]!];
  }
  return { table: { ...table, header, rows }, columns: kept };
}

/**
 * Gives phases to columns of times and prices whose names have none. Two of one name are the entry's and the exit's, as
 * MetaTrader writes them. One beside an exit is the entry's, and a time beside an entry's is the exit's.
 */
function phased(found: TradeTable): TradeTable {
  const key = ({ index }: TradeColumn) => nameKey(found.table.header[index]!).replace(/\d/g, "");
  const phases = new Map<TradeColumn, Phase>();
  for (const role of ["time", "price"] as const) {
    const [first, ...plain] = columnsOf(found, role, undefined);
    const has = (phase: Phase) => columnsOf(found, role, phase).length > 0;
    if (first === undefined) continue;
    const twin = plain.find((column) => key(column) === key(first));
    if (has("exit") && !has("entry")) phases.set(first, "entry");
    if (has("entry") && !has("exit") && role === "time") phases.set(first, "exit");
    if (has("entry") || has("exit") || twin === undefined) continue;
    phases.set(first, "entry").set(twin, "exit");
  }
  const columns = found.columns.map((each) => ({ ...each, phase: phases.get(each) ?? each.phase }));
  return { ...found, columns };
}
