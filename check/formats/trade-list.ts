import { FileRefused } from "../../files/refused.ts";
import { dayOf } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning, ReadColumn } from "../../quant/check/panel.ts";
import { isSided } from "../columns/sides.ts";
import {
  columnsOf,
  PERCENT,
  placeOf,
  tradeTable,
  type TradeRole,
  type TradeTable,
} from "../columns/trade-columns.ts";
import type { Table } from "../../files/csv.ts";
import type { Deal } from "./deal.ts";
import { MoreNeeded, type ReadExport, type ReadOptions } from "./export.ts";
import { matchFills } from "./fill-match.ts";
import { shortened } from "../../files/numbers.ts";
import { flatSays } from "./price-fit.ts";
import { moved, settled, type SettledOf } from "./settle.ts";
import { tradeRows } from "./trade-rows.ts";
import { areCopies, runColumns, runsQuestion } from "./trade-runs.ts";

/** What is peculiar to a tool's list of trades. */
export interface TradeListOf extends Omit<SettledOf, "warnings" | "percentIs"> {
  /** Whether a row is a purchase or a sale, and not a whole trade. */
  readonly isOfFills?: boolean;
  /** Whether a sale may open a short position without saying so. */
  readonly mayBeShort?: boolean;
  /** The columns whose values are variants. */
  readonly variants?: readonly string[];
  /** What the account held before the first trade and payment. */
  readonly before?: number | undefined;
}

/** The tool of a list that no known tool wrote. */
export const GENERIC = "generic";

/** Answers to the questions on which no other question depends. */
const ASSUMED: ReadOptions = { dates: "day-first", leaveOut: ["none"] };

/** Reads a table of whole trades or of fills, and asks all its questions at once. */
export function readTradeList(table: Table, source: TradeListOf, options: ReadOptions): ReadExport {
  try {
    return readOnce(table, source, options);
  } catch (error) {
    if (!(error instanceof MoreNeeded)) throw error;
    const { questions } = error;
    const option = questions[0]!.option; // there is at least one
    if (ASSUMED[option] === undefined || options[option] !== undefined) throw error;
    try {
      readTradeList(table, source, { ...options, [option]: ASSUMED[option] });
    } catch (other) {
      if (other instanceof MoreNeeded) throw new MoreNeeded([...questions, ...other.questions]);
      if (other instanceof FileRefused) throw other; // no answer helps
    }
    throw error;
  }
}

function readOnce(table: Table, source: TradeListOf, options: ReadOptions): ReadExport {
  const { leaveOut } = options;
  const names = (leaveOut ?? []).filter((name) => name !== "none");
  const missing = names.find((name) => !table.header.includes(name));
  if (missing !== undefined)
    throw new FileRefused(`there is no column "${shortened(missing)}" (leave_out)`);
  const read = tradeTable(table);
  const isLeft = (name: string) => names.includes(name);
  const used = read.columns.filter(({ index }) => !isLeft(read.table.header[index]!));
  const found = { ...read, columns: used };
  const runs = source.tool === GENERIC ? runColumns(table).filter((name) => !isLeft(name)) : [];
  const warnings: CheckWarning[] = [];
  const all = tradeRows(found, { ...options, variants: source.variants ?? runs }, warnings);
  const payments = all.rows.filter(({ side }) => side.pays === true);
  const trades = all.rows.filter(({ side }) => side.pays !== true);
  const rows = source.isOfFills === true ? trades.filter(isFill) : trades;
  if (rows.length === 0) {
    const whose = source.tool === GENERIC ? "the file" : `this list of ${source.tool}`;
    throw new FileRefused(`${whose} has no trade that was closed`);
  }
  if (runs.length > 0 && leaveOut === undefined) {
    const ofOne = rows.map(({ profit }) => profit || 0);
    if (moved(rows, ofOne) !== undefined)
      return readOnce(table, source, { ...options, leaveOut: runs });
    if (!areCopies(rows)) throw runsQuestion(runs, rows);
    const message = `${runs.join(" and ")} tell runs apart that made the same trades: each is a variant`;
    warnings.push({ code: "runs_told", message });
  }
  const { capital = all.capital, flows } = paidIn(payments, rows, source.before);
  const isSaid = (all.capital ?? source.before) !== undefined;
  if (capital !== undefined && isSaid && options.startingCapital === undefined) {
    const message = `the capital of ${capital} is what the file says the account had before the first trade`;
    warnings.push({ code: "capital_inferred", message });
  }
  const known = {
    ...source,
    warnings,
    profitIs: source.profitIs ?? columnsOf(found, "profit")[0]?.profitIs,
    percentIs: percentIs(table, placeOf(found, "percent")),
    list: { ...source.list, variants: all.variants, flows },
  };
  const given = { ...options, startingCapital: options.startingCapital ?? capital };
  const rest = source.isOfFills === true ? trades.length - rows.length : all.left;
  const [code, message] = source.isOfFills === true ? LEFT_FILLS : LEFT_TRADES;
  warn(warnings, code, message, rest);
  const isTurned = columnsOf(found, "price", "entry")[0]?.isTurned === true;
  // A balance goes on from row to row within one account only.
  const counted = all.variants.length > 1 ? rows.map((row) => ({ ...row, balances: [] })) : rows;
  const result =
    source.isOfFills === true
      ? fromFills(counted, { ...known, mixed: all.mixed }, given)
      : settled(
          counted.map((row) => wholeTrade(row, isTurned)),
          known,
          given,
        );
  const columns = listColumns(all.found, result.warnings, table.header).map((column) =>
    runs.includes(column.name) ? { ...column, role: "runs", use: "variant" as const } : column,
  );
  return { ...result, columns };
}

const LEFT_FILLS = ["rows_left_out", "rows that neither buy nor sell were left out"] as const;
const LEFT_TRADES = [
  "open_trades",
  "rows without an exit, trades still open or totals, were left out",
] as const;

/** What the columns were taken for. What is counted is what profits come from. */
function listColumns(
  found: TradeTable,
  warnings: readonly CheckWarning[],
  header: readonly string[],
): readonly ReadColumn[] {
  const has = (...codes: readonly string[]) => warnings.some(({ code }) => codes.includes(code));
  const judged = has("balance_counts")
    ? "balance"
    : placeOf(found, "profit") < 0
      ? "percent"
      : "profit";
  const best = has("profits_computed") ? -1 : placeOf(found, judged);
  const paysFees = has("fees_taken_off", "profits_computed");
  const costs: readonly TradeRole[] = paysFees ? ["fee", "cost", "swap", "funding"] : [];
  return header.map((name, index) => {
    const role = found.columns.find((column) => column.index === index)?.role;
    if (role === undefined) return { name, role: "not known", use: "left_out" };
    const isCounted = index === best;
    const isRest = ["profit", "percent", "balance", "fee", "cost"].includes(role);
    const use = isCounted
      ? "judged"
      : costs.includes(role)
        ? "costs"
        : isRest
          ? "left_out"
          : "trade";
    return {
      name,
      role: role === "feeUnit" ? "unit of fees" : role,
      use: role === "time" ? "dates" : use,
    };
  });
}

function warn(warnings: CheckWarning[], code: string, message: string, count: number): void {
  if (count > 0) warnings.push({ code, message: `${message}: ${count}` });
}

function isFill({ side, size, profit }: Deal): boolean {
  return Math.abs(profit) > 0 || (isSided(side) && size !== 0);
}

/** What was held before, and what was paid in until the first trade, is the capital. The rest are flows. */
function paidIn(payments: readonly Deal[], rows: readonly Deal[], held = 0) {
  const first = rows.reduce((least, { entry }) => Math.min(least, entry), Infinity);
  const known = payments
    .filter(({ profit }) => Number.isFinite(profit))
    .map(({ exit, profit }) => ({ at: exit, amount: profit }));
  const before = known.filter(({ at }) => at <= first);
  const capital = before.reduce((sum, { amount }) => sum + amount, held);
  if (!(capital > 0)) return { capital: undefined, flows: [] };
  return { capital, flows: known.slice(before.length) };
}

/** Where more of a file's profits than this share close no position that it opened, each row counts by itself. */
const UNEXPLAINED_MAX = 0.05;

/** Fills matched into trades, with the file's own profits where it has any. */
function fromFills(
  rows: readonly Deal[],
  known: TradeListOf & SettledOf & { readonly mixed: string | undefined },
  given: ReadOptions,
): ReadExport {
  const { warnings, mixed } = known;
  const hasProfits = rows.some(({ profit }) => Math.abs(profit) > 0);
  if (!hasProfits && mixed !== undefined) throw new FileRefused(mixed);
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
    { ...known, profitIs: known.profitIs ?? flatSays(rows), list: { first, last, ...known.list } },
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

function percentIs(table: Table, index: number): SettledOf["percentIs"] {
  if (index < 0) return undefined;
  if (table.rows.some((row) => row[index]!.includes("%"))) return "fraction"; // divided as they were read
  return PERCENT.test(table.header[index]!) ? "named" : undefined;
}
