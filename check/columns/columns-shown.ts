import { FileRefused } from "../../files/refused.ts";
import type { ReadColumn } from "../../quant/check/panel.ts";
import type { Table } from "../../files/csv.ts";
import { LINE_MAX, type Question, type TablePreview } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import type { Judged } from "./reading.ts";
import type { Role, RoledColumn } from "./roles.ts";

/** How the sender names columns: by header, or by place where a header is empty or repeated. */
export function columnNames(
  columns: readonly RoledColumn[],
): (column: Pick<RoledColumn, "name" | "index">) => string {
  const [once, twice] = [new Set(), new Set([""])];
  for (const { name } of columns) (once.has(name) ? twice : once).add(name);
  return ({ name, index }) => (twice.has(name.trim()) || twice.has(name) ? `#${index + 1}` : name);
}

/** The column that the sender names by its header as written, or by its place as `#3`. */
export function namedColumn(
  name: string,
  columns: readonly RoledColumn[],
  option: string,
): RoledColumn {
  const found = columns.filter((column) => column.name === name);
  const match = /^#(\d+)$/.exec(name);
  const byPlace = columns.find((column) => column.index + 1 === Number(match?.[1]));
  if (found.length === 1) return found[0]!;
  if (found.length === 0 && byPlace !== undefined) return byPlace;
  const nameOf = columnNames(columns);
  const names = columns.slice(0, 20).map((column) => `"${shortened(nameOf(column))}"`);
  const many = found.length > 1 ? "there are several columns" : "there is no column";
  throw new FileRefused(`${many} "${shortened(name)}" (${option}); there are ${names.join(", ")}`);
}

/** The first and last value of a column, as the file writes them. */
function endsOf({ cells }: RoledColumn): readonly [string, string] {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return [shortened(filled[0] ?? ""), shortened(filled.at(-1) ?? "")];
}

/** A question offers at most this many columns. */
const CANDIDATES_MAX = 5;

/** The question which column is the strategy, with the first and last value of each candidate. */
export function columnQuestion(
  why: string,
  candidates: readonly RoledColumn[],
  columns: readonly RoledColumn[],
): Question {
  const numeric = columns.filter(({ role }) => role !== "words" && role !== "empty");
  const offered = (candidates.length > 0 ? candidates : numeric).slice(0, CANDIDATES_MAX);
  const nameOf = columnNames(columns);
  const choices = offered.map((column) => {
    const [first, last] = endsOf(column);
    return { value: nameOf(column), text: `from ${first} to ${last}` };
  });
  const shown = choices.map(({ value, text }) => `"${shortened(value)}" goes ${text}`);
  const text = `which column is your strategy? ${why}: ${shown.join(", ")}`;
  return { option: "column", text, choices };
}

/** Roles as the reader of a report or a question sees them. */
const IN_WORDS: Readonly<Record<Role, string>> = {
  time: "dates",
  value: "value of the account",
  balance: "balance",
  capital: "capital",
  growth: "growth of 1",
  return: "returns",
  strategy: "strategy",
  "cumulative profit": "profit so far, in money",
  profit: "profit of the bar, in money",
  deposit: "money paid in",
  withdrawal: "money taken out",
  market: "market",
  close: "price",
  bar: "price or volume of the bar",
  helper: "helper",
  unknown: "not known",
  words: "words",
  empty: "empty",
  "left out": "left out as you said",
};

/** Every column of the file in its order, with what it was taken for and what was made of it. */
export function columnsRead(
  columns: readonly RoledColumn[],
  used: {
    readonly judged: Judged;
    readonly market: RoledColumn | undefined;
    readonly flows: readonly RoledColumn[];
    /** What was taken off the judged column. */
    readonly costs: readonly RoledColumn[];
  },
  table: Table,
): readonly ReadColumn[] {
  const { judged, market, flows, costs } = used;
  const placesOf = (some: readonly RoledColumn[]) => new Set(some.map(({ index }) => index));
  const [judgedPlaces, flowPlaces] = [placesOf(judged.columns), placesOf(flows)];
  const costPlaces = placesOf(costs);
  const at = new Map(columns.map((column) => [column.index, column]));
  return table.header.map((name, index) => {
    const column = at.get(index);
    if (column === undefined) return { name, role: "dates", use: "dates" };
    if (judgedPlaces.has(index))
      return {
        name,
        role: IN_WORDS[judged.role],
        use: judgedPlaces.size > 1 ? "variant" : "judged",
      };
    if (costPlaces.has(index)) return { name, role: "costs", use: "costs" };
    const isFlow = flowPlaces.has(index);
    const use = index === market?.index ? "market" : isFlow ? "flows" : "left_out";
    return { name, role: IN_WORDS[column.role], use };
  });
}

/** The columns as a question shows them. */
export function tablePreview(columns: readonly RoledColumn[], { rows }: Table): TablePreview {
  const nameOf = columnNames(columns);
  const shown = columns.filter(({ role }) => role !== "empty");
  return {
    rows: rows.length,
    columns: shown.map((column) => {
      const [first, last] = endsOf(column);
      const line = column.isNumeric ? evenlySpaced(column.values) : [];
      return { name: nameOf(column), role: IN_WORDS[column.role], first, last, line };
    }),
  };
}

/** At most `LINE_MAX` of the values. */
function evenlySpaced(values: Float64Array): readonly number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const length = Math.min(LINE_MAX, known.length);
  const rowOf = (index: number) =>
    Math.round((index * (known.length - 1)) / Math.max(1, length - 1));
  return Array.from({ length }, (_, index) => known[rowOf(index)]!);
}
