import { DAY_SECONDS, instantText } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import type { Table } from "../formats/csv.ts";
import { MoreNeeded, type Question, type ReadExport, type ReadOptions } from "../formats/export.ts";
import { refuseRepeated, variantName } from "../formats/generic.ts";
import { timeColumn } from "../formats/times.ts";
import { choose, type Choice } from "./choose.ts";
import { columnNames } from "./column-question.ts";
import { columnsRead, namedColumn, tablePreview } from "./columns-read.ts";
import { flowsOf, namedFlows, withoutFlows } from "./flows.ts";
import {
  accountFlows,
  barDaysOf,
  flowQuestion,
  flowWarning,
  judgedSeries,
  roleByValues,
  type AccountFlows,
} from "./judged-series.ts";
import { marketAmong, marketMoves, marketRows, withMarkets } from "./market-column.ts";
import { levelMoves } from "./moves.ts";
import { OF_STRATEGY, type NameRole } from "./name-role.ts";
import { ACCOUNTS, ownRole, withStandings, type Role, type RoledColumn } from "./roles.ts";
import { stepsOf } from "./series.ts";
import { tableColumns } from "./table-columns.ts";
import type { TimedTable } from "./table-rows.ts";
import { Units } from "./units.ts";
import { unnamedMatrix } from "./unnamed-matrix.ts";

/** A table while it is read: what is known of it, and what has to be asked. */
interface Reading {
  readonly options: ReadOptions;
  readonly warnings: CheckWarning[];
  readonly columns: readonly RoledColumn[];
  readonly instants: Float64Array;
  readonly units: Units;
}

/** Reads a table of one's own: which column is the strategy is found by names and values, or asked. */
export function readOwnTable(
  { table, time, places }: TimedTable,
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
  const columns = roledColumns(table, places, options);
  const instants =
    answered(() => timeColumn(table, time, options)) ??
    Float64Array.from(table.rows, (_, row) => row * DAY_SECONDS);
  const reading = readingOf({ options, warnings, columns, instants });
  const choice = answered(() => chosen(reading));
  if (choice === undefined) asked.push(...flowDoubts(reading, asked, table));
  const read = choice && answered(() => judged(reading, choice, table));
  if (read === undefined || asked.length > 0)
    throw new MoreNeeded(asked, tablePreview(reading.columns, table));
  return read;
}

const isFlow = ({ role }: { readonly role: Role }) => role === "deposit" || role === "withdrawal";

function roledColumns(
  table: Table,
  places: ReadonlySet<number>,
  options: ReadOptions,
): readonly RoledColumn[] {
  const read = tableColumns(table, places);
  const hasFlows = read.some(({ read: { role } }) => isFlow({ role }));
  const own = read.map((column) => ownRole(column, hasFlows));
  const left = (options.leaveOut ?? []).map((name) => namedColumn(name, own, "leave_out"));
  return withStandings(
    own.map((column) => (left.includes(column) ? { ...column, role: "left out" } : column)),
  );
}

function readingOf(of: Omit<Reading, "units">): Reading {
  const { columns, instants, options } = of;
  const units = new Units(columns, options.unit, barDaysOf(instants) < 1.5);
  return { ...of, units, columns: withMarkets(columns, units) };
}

const NEVER_VARIANTS: readonly Role[] = [
  "helper",
  "bar",
  "close",
  "market",
  "deposit",
  "withdrawal",
  "words",
  "empty",
  "left out",
];

/** What is judged, as the sender says or by the rules. */
function chosen(reading: Reading): Choice {
  const { columns, options, warnings } = reading;
  const roleOf = (found: readonly RoledColumn[]): Choice => {
    const role = found[0]!.role; // never empty
    const isKnown = OF_STRATEGY.has(role as NameRole) && options.format === undefined;
    return { columns: found, role: isKnown ? role : roleByValues(found, options, warnings) };
  };
  if (options.column !== undefined) return roleOf([namedColumn(options.column, columns, "column")]);
  const numeric = columns.filter(({ role }) => !["words", "empty", "left out"].includes(role));
  const broken = columns.find(
    ({ problem, cells }) => problem !== undefined && (columns.length === 1 || cells.some(hasDigit)),
  );
  if (numeric.length === 0 && broken?.problem !== undefined) throw broken.problem;
  const variants = numeric.filter(({ role }) => !NEVER_VARIANTS.includes(role));
  if (options.format !== undefined) return roleOf(variants.length > 0 ? variants : numeric);
  const [only] = numeric;
  if (only !== undefined && numeric.length === 1 && variants.length === 1) return roleOf([only]);
  const matrix = unnamedMatrix(numeric.filter(({ role }) => role !== "market"));
  if (matrix !== undefined && !("option" in matrix)) return roleOf(matrix);
  const found = matrix ?? choose(chooserOf(reading));
  if ("option" in found) throw new MoreNeeded([found]);
  return found;
}

const hasDigit = (cell: string) => /\d/.test(cell);

function chooserOf({ columns, units, instants, options }: Reading) {
  return {
    columns,
    movesOf: (column: RoledColumn, beside?: ReturnType<typeof levelMoves>) =>
      units.movesOf(column, beside),
    valueMoves: (column: RoledColumn) => {
      const flows = options.flows === "none" ? undefined : flowsOf(column, columns.filter(isFlow));
      const values = flows === undefined ? column.values : withoutFlows(column, flows.paidIn);
      return { ...levelMoves(column), steps: stepsOf(values) };
    },
    dateOf: (row: number) => instantText(instants[row]!),
  };
}

/** The rows of the choice, with the market beside them. */
function judged(reading: Reading, choice: Choice, table: Table): ReadExport {
  const { columns, warnings, units, instants } = reading;
  checkReadable(choice.columns);
  const series = judgedSeries(choice.columns, choice.role, reading);
  const account = accountOf(reading, choice);
  if (account.flows !== undefined) warnings.push(flowWarning(account.flows));
  const judgedColumns =
    account.flows === undefined
      ? series.columns
      : [withoutFlows(choice.columns[0]!, account.flows.paidIn)];
  const kind = series.kind;
  const moves = kind === "equity" ? judgedColumns.map(stepsOf) : judgedColumns;
  const market = marketOf(reading, choice, moves);
  const rows: Observations = {
    kind,
    instants,
    lines: Int32Array.from(table.lines),
    names: choice.columns.map(({ name }) => variantName(name)),
    columns: judgedColumns,
    ...(market === undefined ? {} : { market: marketRows(marketMoves(market, units), kind) }),
  };
  const used = { choice, market, flows: account.flows?.columns ?? [] };
  return {
    format: kind,
    tool: "generic",
    kind,
    rows,
    warnings,
    columns: columnsRead(columns, used, table),
    ...(market === undefined ? {} : { market: market.name }),
    ...(account.suspected.length === 0
      ? {}
      : {
          doubt: flowQuestion(choice.columns[0]!, account.suspected, tablePreview(columns, table)),
        }),
    ...(choice.role === "balance" || choice.columns.some(({ read }) => read.isRealized)
      ? { realisedOnly: true }
      : {}),
  };
}

/** What is judged has to be numbers throughout, under names that tell it apart. */
function checkReadable(columns: readonly RoledColumn[]): void {
  for (const { problem } of columns) if (problem !== undefined) throw problem;
  refuseRepeated(columns.map(({ name }) => name));
}

function accountOf({ columns, options, instants }: Reading, choice: Choice): AccountFlows {
  const [value] = choice.columns;
  const isAccount = choice.columns.length === 1 && ACCOUNTS.includes(choice.role);
  if (value === undefined || !isAccount) return { flows: undefined, suspected: [] };
  const { flows = "" } = options;
  const isNamed = !["", "none", "detected"].includes(flows);
  if (isNamed) {
    const named = namedColumn(flows, columns, "flows");
    return { flows: namedFlows(value, named), suspected: [] };
  }
  return accountFlows(value, columns.filter(isFlow), { flows, instants });
}

/** Whether steps of the first account that is offered are the strategy's own, to be asked with which column it is. */
function flowDoubts(
  reading: Reading,
  asked: readonly Question[],
  table: Table,
): readonly Question[] {
  const { columns } = reading;
  const nameOf = columnNames(columns);
  const choices = asked.find(({ option }) => option === "column")?.choices ?? [];
  const offered = columns.filter((column) => choices.some(({ value }) => value === nameOf(column)));
  for (const column of offered) {
    const { suspected } = accountOf(reading, { columns: [column], role: column.role });
    if (suspected.length === 0) continue;
    return flowQuestion(column, suspected, tablePreview(columns, table)).questions;
  }
  return [];
}

function marketOf(
  { columns, options, units }: Reading,
  choice: Choice,
  moves: readonly Float64Array[],
): RoledColumn | undefined {
  const { benchmark } = options;
  if (benchmark === "none") return undefined;
  if (benchmark !== undefined) return namedColumn(benchmark, columns, "benchmark");
  const others = columns.filter((column) => !choice.columns.includes(column));
  return marketAmong(others, moves, units);
}
