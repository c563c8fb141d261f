import { medianSpacing } from "../../quant/check/bar-frequency.ts";
import { DAY_SECONDS, instantText } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import {
  type ReadExport,
  question,
  type Jump,
  type ReadOptions,
  type TablePreview,
} from "../formats/export.ts";
import { checkSmooth, kindOf } from "../formats/generic.ts";
import { shortened } from "../formats/numbers.ts";
import { flowsOf, suspectedFlows, type Flows } from "./flows.ts";
import { simpleReturn } from "./moves.ts";
import type { Role, RoledColumn } from "./roles.ts";
import type { Units } from "./units.ts";

/** The series that is judged, as rows of a panel have it. */
export interface JudgedSeries {
  readonly kind: Observations["kind"];
  readonly columns: readonly Float64Array[];
}

const MONEY: readonly Role[] = ["cumulative profit", "profit"];

/** What the values of a column that somebody names, or that is the only one, can be. */
export function roleByValues(
  columns: readonly RoledColumn[],
  options: ReadOptions,
  warnings: CheckWarning[],
): Role {
  const names = columns.map(({ name }) => name);
  const values = columns.map((column) => column.values);
  return kindOf(names, values, options, warnings) === "returns" ? "return" : "value";
}

/** Values and growths as they are, returns as fractions, profits on the capital that they were made with. */
export function judgedSeries(
  columns: readonly RoledColumn[],
  role: Role,
  of: { units: Units; options: ReadOptions; warnings: CheckWarning[] },
): JudgedSeries {
  const { units, options, warnings } = of;
  const areReturns = role === "return";
  // A column that was not named has had its values examined already.
  if (areReturns && columns[0]?.role === role && options.format !== "returns") {
    const moving = columns.filter(({ shape }) => shape.moves);
    const values = moving.map((column) => column.values);
    checkSmooth(
      moving.map(({ name }) => name),
      values,
      warnings,
    );
  }
  const doubts = columns.flatMap((column) => units.doubt({ ...column, role }) ?? []);
  if (doubts[0] !== undefined && options.format !== "returns") throw doubts[0];
  if (areReturns) return returnSeries(columns, units, warnings);
  if (role === "growth") {
    return { kind: "equity", columns: columns.map((column) => units.levels(column)) };
  }
  if (!MONEY.includes(role))
    return { kind: "equity", columns: columns.map(({ values }) => values) };
  const { startingCapital: capital } = options;
  if (capital === undefined) throw capitalQuestion(columns);
  const sums = columns.map(({ values }) => (role === "profit" ? summed(values) : values));
  return { kind: "equity", columns: sums.map((sum) => sum.map((profit) => capital + profit)) };
}

function capitalQuestion(columns: readonly RoledColumn[]) {
  const name = shortened(columns[0]!.name); // there is one that is judged
  return question(
    "startingCapital",
    `"${name}" is profit in money, which is good or bad only beside the capital that it was made with: how much was it?`,
  );
}

function summed(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => (sum += Number.isNaN(value) ? 0 : value));
}

function returnSeries(
  columns: readonly RoledColumn[],
  units: Units,
  warnings: CheckWarning[],
): JudgedSeries {
  const read = columns.map((column) => ({ column, unit: units.of(column) }));
  for (const unit of ["log", "percent"] as const) {
    const names = read
      .filter((each) => each.unit === unit)
      .map(({ column }) => `"${shortened(column.name)}"`);
    if (names.length === 0) continue;
    const what = unit === "log" ? "log returns, exp(x) - 1 each" : "percent";
    warnings.push({
      code: unit === "log" ? "log_returns" : "percent_columns",
      message: `read as ${what}: ${names.join(", ")}`,
    });
  }
  const series = read.map(({ column, unit }) =>
    unit === "fraction" ? column.values : column.values.map((value) => simpleReturn(value, unit)),
  );
  return { kind: "returns", columns: series };
}

/** What came in and went out of the account that is judged, by its columns or as suspected. */
export interface AccountFlows {
  readonly flows: Flows | undefined;
  readonly suspected: readonly Jump[];
}

/** Longer bars hold several payments. */
const BAR_DAYS_MAX = 20;

export function barDaysOf(instants: Float64Array): number {
  return instants.length < 2 ? 1 : medianSpacing(instants.toSorted()) / DAY_SECONDS;
}

/** Those that columns tell, else the suspected ones, which `flows` may say to take out or to leave in. */
export function accountFlows(
  value: RoledColumn,
  candidates: readonly RoledColumn[],
  { flows: said, instants }: { readonly flows: string; readonly instants: Float64Array },
): AccountFlows {
  if (said === "none") return { flows: undefined, suspected: [] };
  const flows = flowsOf(value, candidates);
  if (flows !== undefined || barDaysOf(instants) > BAR_DAYS_MAX) return { flows, suspected: [] };
  const steps = suspectedFlows(value.values, instants);
  if (said === "detected") {
    const paidIn = new Float64Array(value.values.length);
    for (const { row, amount } of steps) paidIn[row] = amount;
    return { flows: { columns: [], paidIn }, suspected: [] };
  }
  const suspected = steps.map(({ row, amount }) => {
    const before = value.values[row - 1]!;
    const day = instantText(instants[row]!);
    return { day, row, amount, share: (value.values[row]! - before) / before };
  });
  return { flows: undefined, suspected };
}

/** Whether steps that stand out are the strategy's own, with each of them. */
export function flowQuestion(
  { name }: RoledColumn,
  jumps: readonly Jump[],
  table: TablePreview,
): NonNullable<ReadExport["doubt"]> {
  const shown = jumps.slice(0, 3).map(({ day, amount }) => `${Math.round(amount)} on ${day}`);
  const text =
    `${jumps.length} steps of "${shortened(name)}" look like money paid in or taken out ` +
    `(${shown.join(", ")}${jumps.length > 3 ? ", ..." : ""}): are they?`;
  const choices = ["detected", "none"].map((value) => ({ value, text: "" }));
  return { questions: [{ option: "flows", text, choices, onlyFor: [name], jumps }], table };
}

export function flowWarning(flows: Flows): CheckWarning {
  const paid = flows.paidIn.filter((money) => money !== 0);
  const names = flows.columns.map(({ name }) => `"${shortened(name)}"`).join(", ");
  const from = names === "" ? "the steps that look like deposits or withdrawals" : names;
  return {
    code: "flows_taken_out",
    message: `${paid.length} deposits or withdrawals were taken out, by ${from}`,
  };
}
