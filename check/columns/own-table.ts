import { FileRefused } from "../../files/refused.ts";
import { timeColumn } from "../formats/time-column.ts";
import { BARS_MIN, daysIn, tooShortWords } from "../../quant/check/build-panel.ts";
import { DAY_SECONDS, orderByTime } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import type { Table } from "../../files/csv.ts";
import { MoreNeeded, type Question, type ReadExport, type ReadOptions } from "../formats/export.ts";
import { kindOf, refuseRepeated, variantName } from "../formats/generic.ts";

import { choose } from "./choose.ts";
import { afterCosts } from "./costs.ts";
import {
  columnNames,
  columnQuestion,
  columnsRead,
  namedColumn,
  tablePreview,
} from "./columns-shown.ts";
import {
  accountFlows,
  barDaysOf,
  flowQuestion,
  flowWarning,
  isFlow,
  withoutFlows,
} from "./flows.ts";
import { judgedSeries } from "./judged-series.ts";
import { marketAmong, marketMoves, marketRows, mayBeMarket, withMarkets } from "./market-column.ts";
import { OF_STRATEGY, type NameRole } from "./name-role.ts";
import type { Judged, Reading } from "./reading.ts";
import { mayBePrice, ownRole, withStandings, type Role, type RoledColumn } from "./roles.ts";
import { scenariosAmong } from "./scenarios.ts";
import { stepsOf } from "./series.ts";
import { withAccountCloses } from "./sum-column.ts";
import { tableColumns } from "./table-columns.ts";
import type { TimedTable } from "./timed-table.ts";
import { unitsOf } from "./units.ts";
import { unnamedMatrix, wealthAmong } from "./unnamed-matrix.ts";

/**
 * Reads a table that no known tool wrote. Which column is the strategy follows from names and values, or is asked. All
 * questions are collected before any is thrown.
 */
export function readOwnTable(
  { table: sent, time, places }: TimedTable,
  options: ReadOptions,
  warnings: CheckWarning[],
): ReadExport {
  const asked: Question[] = [];
  const answered = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MoreNeeded)) throw error;
      asked.push(...error.questions);
      return undefined;
    }
  };
  const times =
    answered(() => timeColumn(sent, time, options)) ??
    Float64Array.from(sent.rows, (_, row) => row * DAY_SECONDS);
  const order = orderByTime(times, warnings) ?? [...times.keys()]; // steps and sums are taken row by row
  const instants = Float64Array.from(order, (row) => times[row]!);
  const table = { ...sent, ...pickedRows(sent, order) };
  const columns = roledColumns(table, places, options);
  const units = unitsOf(columns, options.unit, barDaysOf(instants) < 1.5);
  const reading = { options, warnings, columns: withMarkets(columns, units), instants, units };
  const judged = answered(() => judgedOf(reading));
  if (judged === undefined) asked.push(...flowDoubts(reading, asked));
  const read = judged && answered(() => readJudged(reading, judged, table));
  const days = daysIn(instants);
  const isShort = days < BARS_MIN && options.isLive !== true;
  if (asked.length > 0 && isShort && !asked.some(({ option }) => option === "dates"))
    throw new FileRefused(tooShortWords(days)); // no answer makes it longer
  if (read === undefined || asked.length > 0)
    throw new MoreNeeded(asked, tablePreview(reading.columns, table));
  return read;
}

function roledColumns(
  table: Table,
  places: ReadonlySet<number>,
  options: ReadOptions,
): readonly RoledColumn[] {
  const read = tableColumns(table, places);
  const hasFlows = read.some((column) => isFlow(column.read));
  const own = read.map((column) => ownRole(column, hasFlows));
  const left = (options.leaveOut ?? []).map((name) => namedColumn(name, own, "leave_out"));
  return withStandings(
    withAccountCloses(
      own.map((column) => (left.includes(column) ? { ...column, role: "left out" } : column)),
    ),
  );
}

const pickedRows = ({ rows, lines }: Table, order: readonly number[]) => ({
  rows: order.map((row) => rows[row]!),
  lines: order.map((row) => lines[row]!),
});

const NO_NUMBERS: readonly Role[] = ["words", "empty", "left out"];
const MARKETS: readonly Role[] = ["market", "close", "bar", "deposit", "withdrawal"];
const NEVER_VARIANTS: readonly Role[] = [...NO_NUMBERS, ...MARKETS, "helper"];

/** What is judged, as the sender says or by the rules. Throws the question where neither decides. */
function judgedOf(reading: Reading): Judged {
  const { columns, options, warnings } = reading;
  const withRole = (found: readonly RoledColumn[]): Judged => {
    const role = found[0]!.role; // never empty
    const isKnown = OF_STRATEGY.has(role as NameRole) && options.format === undefined;
    if (isKnown) return { columns: found, role };
    const kind = kindOf(found, options, warnings);
    return { columns: found, role: kind === "returns" ? "return" : "value" };
  };
  if (options.column !== undefined)
    return withRole([namedColumn(options.column, columns, "column")]);
  const numeric = columns.filter(({ role }) => !NO_NUMBERS.includes(role));
  const broken = columns.find(
    ({ problem, cells }) =>
      problem !== undefined && (columns.length === 1 || cells.some((cell) => /\d/.test(cell))),
  );
  if (numeric.length === 0 && broken?.problem !== undefined) throw broken.problem;
  const found = foundAmong(numeric, reading);
  const scenarios = scenariosAmong(numeric.filter(({ role }) => !MARKETS.includes(role)));
  const isPicked = ({ name, index }: RoledColumn) =>
    "option" in found
      ? found.choices.some(({ value }) => value === name)
      : found.columns.some((column) => column.index === index);
  if (scenarios?.members.some(isPicked) === true) {
    const { reply } = scenarios;
    throw reply instanceof FileRefused ? reply : new MoreNeeded([reply]);
  }
  if ("option" in found) throw new MoreNeeded([found]);
  return found.role === undefined ? withRole(found.columns) : (found as Judged);
}

/** The column or the columns of the strategy, with their role where the names say it, or a question. */
function foundAmong(
  numeric: readonly RoledColumn[],
  reading: Reading,
): { readonly columns: readonly RoledColumn[]; readonly role?: Role } | Question {
  const { format } = reading.options;
  const variants = numeric.filter(({ role }) => !NEVER_VARIANTS.includes(role));
  const [only] = numeric;
  if (numeric.length === 1 && (format !== undefined || variants.length === 1 || !mayBePrice(only!)))
    return { columns: numeric };
  const others = numeric.filter(({ role }) => !MARKETS.includes(role));
  const wealth = format === "returns" ? undefined : wealthAmong(numeric);
  if (wealth !== undefined) return { columns: wealth };
  if (format !== undefined) {
    const some = variants.length > 0 ? variants : others;
    if (some.length > 0) return { columns: some };
    return columnQuestion("Each is called as a market or an asset is", numeric, reading.columns);
  }
  const matrix = unnamedMatrix(numeric.filter(({ role }) => role !== "market"));
  if (matrix === undefined) return choose(reading);
  return "option" in matrix ? matrix : { columns: matrix };
}

/** The rows of what is judged, with the market beside them. */
function readJudged(reading: Reading, chosen: Judged, table: Table): ReadExport {
  const { columns, warnings, units, instants, options } = reading;
  for (const { problem } of chosen.columns) if (problem !== undefined) throw problem;
  const { judged, costs } = afterCosts(chosen, reading);
  refuseRepeated(judged.columns.map(({ name }) => name));
  const { kind, columns: series } = judgedSeries(judged, reading);
  const { flows, suspected } = accountFlows(reading, judged);
  if (flows !== undefined) warnings.push(flowWarning(flows));
  const [first] = judged.columns;
  const judgedColumns = flows === undefined ? series : [withoutFlows(first!, flows.paidIn)];
  const moves = kind === "equity" ? judgedColumns.map(stepsOf) : judgedColumns;
  const places = new Set(judged.columns.map(({ index }) => index));
  const others = columns.filter(({ index }) => !places.has(index));
  const market = marketOf(reading, others, moves);
  const rows: Observations = {
    kind,
    instants,
    lines: Int32Array.from(table.lines),
    names: judged.columns.map(({ name }) => variantName(name)),
    columns: judgedColumns,
    ...(market === undefined ? {} : { market: marketRows(marketMoves(market, units), kind) }),
  };
  const isRealised =
    judged.role === "balance" || judged.columns.some(({ read }) => read.isRealized);
  return {
    format: kind,
    tool: "generic",
    kind,
    rows,
    warnings,
    columns: columnsRead(columns, { judged, market, costs, flows: flows?.columns ?? [] }, table),
    market: market?.name,
    mayBeMarket:
      (market ?? options.benchmark) ? undefined : mayBeMarket(others, moves, units)?.name,
    doubt:
      suspected.length === 0
        ? undefined
        : { questions: [flowQuestion(first!, suspected)], table: tablePreview(columns, table) },
    realisedOnly: isRealised || undefined,
  };
}

/** Where it is asked which column is the strategy: whether payments moved the first account that is offered. */
function flowDoubts(reading: Reading, asked: readonly Question[]): readonly Question[] {
  const { columns } = reading;
  const nameOf = columnNames(columns);
  const choices = asked.find(({ option }) => option === "column")?.choices ?? [];
  const offered = columns.filter((column) => choices.some(({ value }) => value === nameOf(column)));
  for (const column of offered) {
    const { suspected } = accountFlows(reading, { columns: [column], role: column.role });
    if (suspected.length > 0) return [flowQuestion(column, suspected)];
  }
  return [];
}

function marketOf(
  { columns, options, units }: Reading,
  others: readonly RoledColumn[],
  moves: readonly Float64Array[],
): RoledColumn | undefined {
  const { benchmark } = options;
  if (benchmark === "none") return undefined;
  if (benchmark !== undefined) return namedColumn(benchmark, columns, "benchmark");
  return marketAmong(others, moves, units);
}
