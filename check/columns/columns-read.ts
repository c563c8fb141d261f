import type { ReadColumn } from "../../quant/check/panel.ts";
import type { Table } from "../formats/csv.ts";
import { FileRefused, LINE_MAX, type TablePreview } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
import type { Choice } from "./choose.ts";
import { columnNames } from "./column-question.ts";
import type { Role, RoledColumn } from "./roles.ts";

/** The column that the sender names: its header as it is written, or its place as `#3`. */
export function namedColumn(
  name: string,
  columns: readonly RoledColumn[],
  option: string,
): RoledColumn {
  const found = columns.filter((column) => column.name === name);
  const place = /^#(\d+)$/.exec(name);
  const byPlace = columns.find((column) => column.place + 1 === Number(place?.[1]));
  if (found.length === 1) return found[0]!;
  if (found.length === 0 && byPlace !== undefined) return byPlace;
  const nameOf = columnNames(columns);
  const names = columns.slice(0, 20).map((column) => `"${shortened(nameOf(column))}"`);
  const many = found.length > 1 ? "there are several columns" : "there is no column";
  throw new FileRefused(`${many} "${shortened(name)}" (${option}); there are ${names.join(", ")}`);
}

/** Roles in the reader's words. */
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

/** Every column of the file in its order, with what it was taken for. */
export function columnsRead(
  columns: readonly RoledColumn[],
  used: {
    readonly choice: Choice;
    readonly market: RoledColumn | undefined;
    readonly flows: readonly RoledColumn[];
  },
  table: Table,
): readonly ReadColumn[] {
  const by = (some: readonly RoledColumn[]) => new Set(some.map(({ place }) => place));
  const [choice, flows] = [by(used.choice.columns), by(used.flows)];
  const at = new Map(columns.map((column) => [column.place, column]));
  return table.header.map((name, place) => {
    const column = at.get(place);
    if (column === undefined) return { name, role: "dates", use: "dates" };
    const role = IN_WORDS[choice.has(place) ? used.choice.role : column.role];
    if (choice.has(place)) return { name, role, use: choice.size > 1 ? "variant" : "judged" };
    if (place === used.market?.place) return { name, role, use: "market" };
    return { name, role, use: flows.has(place) ? "flows" : "left_out" };
  });
}

/** The columns as a question shows them. */
export function tablePreview(columns: readonly RoledColumn[], { rows }: Table): TablePreview {
  const nameOf = columnNames(columns);
  return {
    rows: rows.length,
    columns: columns
      .filter(({ role }) => role !== "empty")
      .map((column) => {
        const filled = column.cells.filter((cell) => cell.trim() !== "");
        return {
          name: nameOf(column),
          role: IN_WORDS[column.role],
          first: shortened(filled[0]?.trim() ?? ""),
          last: shortened(filled.at(-1)?.trim() ?? ""),
          line: column.isNumeric ? evenly(column.values) : [],
        };
      }),
  };
}

function evenly(values: Float64Array): readonly number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const count = Math.min(LINE_MAX, known.length);
  return Array.from(
    { length: count },
    (_, place) => known[Math.round((place * (known.length - 1)) / Math.max(1, count - 1))]!,
  );
}
