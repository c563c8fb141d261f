import { dayOf } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { isSided } from "../columns/sides.ts";
import { columnsOf, PERCENT, placeOf, tradeTable } from "../columns/trade-columns.ts";
import type { Table } from "./csv.ts";
import type { Deal } from "./deal.ts";
import { FileRefused, MoreNeeded, type ReadExport, type ReadOptions } from "./export.ts";
import { matchFills } from "./fill-match.ts";
import { shortened } from "./numbers.ts";
import { moved, settled, type SettledOf } from "./settle.ts";
import { tradeRows } from "./trade-rows.ts";

/** What is peculiar to a tool's list of trades. */
export interface TradeListOf extends Omit<SettledOf, "warnings" | "percentIs"> {
  /** Whether a row is a purchase or a sale, and not a whole trade. */
  readonly isOfFills?: boolean;
  /** Whether a sale may open a short position without saying so. */
  readonly mayBeShort?: boolean;
  /** The column whose values are variants. */
  readonly variant?: string;
}

/** The tool of a list that no known tool wrote. */
export const GENERIC = "generic";

/**
 * Reads a table of whole trades or of fills. Where the order of dates has to be asked, all other questions are asked with
 * it.
 */
export function readTradeList(table: Table, of: TradeListOf, options: ReadOptions): ReadExport {
  try {
    return readOnce(table, of, options);
  } catch (error) {
    if (!(error instanceof MoreNeeded) || error.questions[0]?.option !== "dates") throw error;
    const { questions } = error;
    try {
      readOnce(table, of, { ...options, dates: "day-first" }); // the others don't depend on the order
    } catch (other) {
      if (other instanceof MoreNeeded) throw new MoreNeeded([...questions, ...other.questions]);
    }
    throw error;
  }
}

function readOnce(table: Table, of: TradeListOf, options: ReadOptions): ReadExport {
  const found = tradeTable(table);
  const warnings: CheckWarning[] = [];
  const { rows: all, variants, left } = tradeRows(found, { ...of, ...options }, warnings);
  const payments = all.filter(({ side }) => side.pays === true);
  const trades = all.filter(({ side }) => side.pays !== true);
  const rows = of.isOfFills === true ? trades.filter(isFill) : trades;
  if (rows.length === 0) {
    const whose = of.tool === GENERIC ? "the file" : `this list of ${of.tool}`;
    throw new FileRefused(`${whose} has no trade that was closed`);
  }
  const { capital, flows } = paidIn(payments, rows);
  const known = {
    ...of,
    warnings,
    profitIs: of.profitIs ?? columnsOf(found, "profit")[0]?.profitIs,
    percentIs: percentIs(table, placeOf(found, "percent")),
    list: { ...of.list, variants, flows },
  };
  const given = { ...options, startingCapital: options.startingCapital ?? capital };
  if (of.isOfFills === true) {
    const idle = trades.length - rows.length;
    warn(warnings, "rows_left_out", "rows that neither buy nor sell were left out", idle);
    return fromFills(rows, known, given);
  }
  warn(
    warnings,
    "open_trades",
    "rows without an exit, trades still open or totals, were left out",
    left,
  );
  const isTurned = columnsOf(found, "price", "entry")[0]?.isTurned === true;
  const whole = rows.map((row) => wholeTrade(row, isTurned));
  return settled(whole, known, given);
}

function warn(warnings: CheckWarning[], code: string, message: string, count: number): void {
  if (count > 0) warnings.push({ code, message: `${message}: ${count}` });
}

function isFill({ side, size, profit }: Deal): boolean {
  return Math.abs(profit) > 0 || (isSided(side) && size !== 0);
}

/** What was paid in until the first trade is the capital. The rest are flows. */
function paidIn(payments: readonly Deal[], rows: readonly Deal[]) {
  const first = rows.reduce((least, { entry }) => Math.min(least, entry), Infinity);
  const known = payments
    .filter(({ profit }) => Number.isFinite(profit))
    .map(({ exit, profit }) => ({ at: exit, amount: profit }));
  const before = known.filter(({ at }) => at <= first);
  const capital = before.reduce((sum, { amount }) => sum + amount, 0);
  if (!(capital > 0)) return { capital: undefined, flows: [] };
  return { capital, flows: known.slice(before.length) };
}

/** Where more of a file's profits than this share close no position that it opened, each row counts by itself. */
const UNEXPLAINED_MAX = 0.05;

/** Fills matched into trades, with the file's own profits where it has any. */
function fromFills(
  rows: readonly Deal[],
  known: TradeListOf & SettledOf,
  given: ReadOptions,
): ReadExport {
  const { warnings } = known;
  const hasProfits = rows.some(({ profit }) => Math.abs(profit) > 0);
  const { deals, open, unexplained } = matchFills(rows, hasProfits || known.mayBeShort === true);
  if (hasProfits) {
    warn(warnings, "open_trades", "positions still open at the end were left out", open.length);
  } else {
    const names = shortened(open.map((name) => name || "one position").join(", "));
    const message = `open at the end, valued at the last price (${names})`;
    warn(warnings, "open_valued", message, open.length);
  }
  const closed = hasProfits ? deals.filter(({ profit }) => !Number.isNaN(profit)) : deals;
  const alone = rows.map((row) => ({ ...row, profit: row.profit || 0 }));
  const [first, last] = [dayOf(rows[0]!.exit), dayOf(rows.at(-1)!.exit)];
  return settled(
    unexplained > UNEXPLAINED_MAX ? alone : closed,
    { ...known, list: { first, last, ...known.list } },
    { ...given, startingCapital: given.startingCapital ?? cashBefore(rows) },
  );
}

/** The money before the first fill, if a balance moves by what was paid and received. */
function cashBefore(fills: readonly Deal[]): number | undefined {
  const moves = fills.map(
    ({ side, size, exitPrice, fee }) => (side.buys === true ? -1 : 1) * size * exitPrice - fee,
  );
  return moved(fills, moves)?.before;
}

/**
 * A trade with its entry before its exit. Where no side is given, one that was sold before it was bought is short. Where
 * `isTurned`, the prices are those of purchase and sale, which are the exit and the entry of a short trade.
 */
function wholeTrade(row: Deal, isTurned: boolean): Deal {
  const { side, entryPrice, exitPrice } = row;
  const long = side.long ?? side.buys ?? row.entry <= row.exit;
  const [entry, exit] = [Math.min(row.entry, row.exit), Math.max(row.entry, row.exit)];
  const turned = isTurned && !long ? { entryPrice: exitPrice, exitPrice: entryPrice } : {};
  return { ...row, ...turned, entry, exit, side: { long } };
}

function percentIs(table: Table, place: number): SettledOf["percentIs"] {
  if (place < 0) return undefined;
  if (table.rows.some((row) => row[place]!.includes("%"))) return "fraction"; // divided as they were read
  return PERCENT.test(table.header[place]!) ? "named" : undefined;
}
