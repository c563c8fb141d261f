import { dayOf } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import type { TradeList } from "../../quant/check/trade.ts";
import { isSided } from "../columns/sides.ts";
import { columnsOf, PERCENT, placeOf, tradeTable } from "../columns/trade-columns.ts";
import type { Table } from "./csv.ts";
import type { Deal } from "./deal.ts";
import { FileRefused, MoreNeeded, type ReadExport, type ReadOptions } from "./export.ts";
import { matchFills } from "./fill-match.ts";
import { shortened } from "./numbers.ts";
import { moved, settled, type SettledOf } from "./settle.ts";
import { tradeRows } from "./trade-rows.ts";

/** How a tool's list of trades differs from one of one's own. */
export interface TradeListOf extends Omit<SettledOf, "warnings" | "percentIs"> {
  /** Whether a row is a purchase or a sale, not a whole trade. */
  readonly isOfFills?: boolean;
  /** Whether sales may open short positions without saying so. */
  readonly mayBeShort?: boolean;
  /** The column whose values are variants. */
  readonly variant?: string;
}

/** What a list of one's own has for its tool. */
export const GENERIC = "generic";
/** Of the rows with a profit: so many may close no position that was opened in the file. */
const UNEXPLAINED_MAX = 0.05;

/** Reads a table of trades, one a row, or of fills, with the profit of those that close a position where it has one. */
export function readTradeList(table: Table, of: TradeListOf, options: ReadOptions): ReadExport {
  try {
    return readOnce(table, of, options);
  } catch (error) {
    if (!(error instanceof MoreNeeded) || error.questions[0]?.option !== "dates") throw error;
    const { questions } = error;
    try {
      readOnce(table, of, { ...options, dates: "day-first" }); // the rest is asked in either order
    } catch (other) {
      if (other instanceof MoreNeeded) throw new MoreNeeded([...questions, ...other.questions]);
    }
    throw error;
  }
}

function readOnce(table: Table, of: TradeListOf, options: ReadOptions): ReadExport {
  const found = tradeTable(table);
  const warnings: CheckWarning[] = [];
  const warn = (code: string, count: number, message: string) => {
    if (count > 0) warnings.push({ code, message: `${message}: ${count}` });
  };
  const { rows: all, variants, left } = tradeRows(found, { ...of, ...options }, warnings);
  const payments = all.filter(({ side }) => side.pays === true);
  const trades = all.filter(({ side }) => side.pays !== true);
  const rows = of.isOfFills === true ? trades.filter(isFill) : trades;
  if (rows.length === 0) {
    const whose = of.tool === GENERIC ? "the file" : `this list of ${of.tool}`;
    throw new FileRefused(`${whose} has no trade that was closed`);
  }
  const { capital, flows } = paidIn(payments, rows);
  const settledOf = {
    ...of,
    warnings,
    profitIs: of.profitIs ?? columnsOf(found, "profit")[0]?.profitIs,
    percentIs: percentIs(table, placeOf(found, "percent")),
    list: { ...of.list, variants, flows },
  };
  const given = { ...options, startingCapital: options.startingCapital ?? capital };
  if (of.isOfFills !== true) {
    warn("open_trades", left, "rows without an exit, trades still open or totals, were left out");
    const isTurned = columnsOf(found, "price", "entry")[0]?.isTurned === true;
    return settled(
      rows.map((row) => wholeTrade(row, isTurned)),
      settledOf,
      given,
    );
  }
  warn(
    "rows_left_out",
    trades.length - rows.length,
    "rows that neither buy nor sell were left out",
  );
  const hasProfits = rows.some(({ profit }) => Math.abs(profit) > 0);
  const { deals, open, unexplained } = matchFills(rows, hasProfits || of.mayBeShort === true);
  const names = shortened(open.map((name) => name || "one position").join(", "));
  if (hasProfits) warn("open_trades", open.length, "positions still open at the end were left out");
  else warn("open_valued", open.length, `open at the end, valued at the last price (${names})`);
  const closed = hasProfits ? deals.filter(({ profit }) => !Number.isNaN(profit)) : deals;
  const alone = rows.map((row) => ({ ...row, profit: row.profit || 0 }));
  const [first, last] = [dayOf(rows[0]!.exit), dayOf(rows.at(-1)!.exit)];
  return settled(
    unexplained > UNEXPLAINED_MAX ? alone : closed,
    { ...settledOf, list: { first, last, ...settledOf.list } },
    { ...given, startingCapital: given.startingCapital ?? cashBefore(rows) },
  );
}

function isFill({ side, size, profit }: Deal): boolean {
  return Math.abs(profit) > 0 || (isSided(side) && size !== 0);
}

/** What was paid in until the first trade is the capital; the rest are flows. */
function paidIn(
  payments: readonly Deal[],
  rows: readonly Deal[],
): { capital: number | undefined; flows: NonNullable<TradeList["flows"]> } {
  const first = rows.reduce((least, { entry }) => Math.min(least, entry), Infinity);
  const known = payments.filter(({ profit }) => Number.isFinite(profit));
  const before = known.filter(({ exit }) => exit <= first);
  const capital = before.reduce((sum, { profit }) => sum + profit, 0);
  if (!(capital > 0)) return { capital: undefined, flows: [] };
  const after = known
    .slice(before.length)
    .map(({ exit, profit }) => ({ at: exit, amount: profit }));
  return { capital, flows: after };
}

/** The money before the first fill, if a balance moves by what was paid and received. */
function cashBefore(fills: readonly Deal[]): number | undefined {
  const moves = fills.map(
    ({ side, size, exitPrice, fee }) => (side.buys === true ? -1 : 1) * size * exitPrice - fee,
  );
  return moved(fills, moves)?.before;
}

/**
 * A trade that was sold before it was bought is short, where no side says otherwise; prices of purchases and sales, where
 * `isTurned`, are those of its exit and its entry.
 */
function wholeTrade(row: Deal, isTurned: boolean): Deal {
  const { side, entryPrice, exitPrice } = row;
  const long = side.long ?? side.buys ?? row.entry <= row.exit;
  const [entry, exit] = [Math.min(row.entry, row.exit), Math.max(row.entry, row.exit)];
  const turned = isTurned && !long ? { entryPrice: exitPrice, exitPrice: entryPrice } : {};
  return { ...row, ...turned, entry, exit, side: { long } };
}

/** Percent signs in the cells were read; a name may say what they are. */
function percentIs(table: Table, place: number): SettledOf["percentIs"] {
  if (place < 0) return undefined;
  if (table.rows.some((row) => row[place]!.includes("%"))) return "fraction";
  return PERCENT.test(table.header[place]!) ? "named" : undefined;
}
