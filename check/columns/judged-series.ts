import { checkSmooth } from "../formats/generic.ts";
import { question } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import { simpleReturn } from "./moves.ts";
import type { Judged, Reading } from "./reading.ts";
import type { RoledColumn } from "./roles.ts";

/** The columns that are judged, as a panel takes them. */
interface JudgedSeries {
  readonly kind: "returns" | "equity";
  readonly columns: readonly Float64Array[];
}

/** Values and growths as they are, returns as fractions, profits in money on top of the starting capital. */
export function judgedSeries({ columns, role }: Judged, reading: Reading): JudgedSeries {
  const { units, options, warnings } = reading;
  const isSaid = options.format === "returns";
  // The values of a column without such a name were looked at when its role was found.
  if (role === "return" && columns[0]?.role === role && !isSaid) {
    const moving = columns.filter(({ shape }) => shape.moves);
    checkSmooth(moving, warnings);
  }
  const doubts = columns.flatMap((column) => units.doubt({ ...column, role }) ?? []);
  if (doubts[0] !== undefined && !isSaid) throw doubts[0];
  if (role === "return") return { kind: "returns", columns: fractions(columns, reading) };
  if (role === "growth") return { kind: "equity", columns: columns.map(units.levels) };
  const values = columns.map((column) => column.values);
  if (role !== "profit" && role !== "cumulative profit") return { kind: "equity", columns: values };
  const { startingCapital: capital } = options;
  if (capital === undefined) throw capitalQuestion(columns);
  const profits = role === "profit" ? values.map(summed) : values;
  return { kind: "equity", columns: profits.map((sum) => sum.map((profit) => capital + profit)) };
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

function fractions(columns: readonly RoledColumn[], { units, warnings }: Reading): Float64Array[] {
  const read = columns.map((column) => ({ column, unit: units.unitOf(column) }));
  for (const [unit, code, what] of [
    ["log", "log_returns", "log returns, exp(x) - 1 each"],
    ["percent", "percent_columns", "percent"],
  ]) {
    const some = read.filter((each) => each.unit === unit);
    const names = some.map(({ column }) => `"${shortened(column.name)}"`).join(", ");
    if (some.length > 0) warnings.push({ code: code!, message: `read as ${what!}: ${names}` });
  }
  return read.map(({ column, unit }) =>
    unit === "fraction" ? column.values : column.values.map((value) => simpleReturn(value, unit)),
  );
}
