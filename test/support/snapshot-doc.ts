import { INDICATORS } from "../../snapshots/tables/indicators.ts";
import type { Table, TableColumn } from "../../snapshots/tables/table.ts";

/** Columns that share one row of the documentation. */
interface Together {
  readonly table: string;
  readonly includes: (name: string) => boolean;
  readonly row: string;
}

const INDICATOR_NAMES = new Set(INDICATORS.columns.map(({ name }) => name));

const TOGETHER: readonly Together[] = [
  {
    table: "signals",
    includes: (name) => name.startsWith("signal_"),
    row: "| `signal_<indicator>` | text | | buy, neutral or sell, for each indicator; NULL in its warm-up |",
  },
  {
    table: "signals",
    includes: (name) => name !== "coin" && name !== "day" && INDICATOR_NAMES.has(name),
    row: "| all others | double | | the columns of [indicators](#indicators) on that day |",
  },
  {
    table: "dataset_blocks",
    includes: (name) => name.startsWith("sum_"),
    row: "| `sum_1` to `sum_16` | double | fraction | sum of the daily returns in the block |",
  },
  {
    table: "dataset_blocks",
    includes: (name) => name.startsWith("square_sum_"),
    row: "| `square_sum_1` to `square_sum_16` | double | fraction squared | sum of the squares of the daily returns in the block |",
  },
  {
    table: "dataset_cells",
    includes: (name) => name.endsWith("_coin_flip"),
    row: "| `<figure>_coin_flip` | double | as the figure | what a coin flip gives, for figures whose description names it |",
  },
  {
    table: "dataset_cells",
    includes: (name) => name.endsWith("_n"),
    row: "| `<figure>_n` | integer | | picks or runs that the figure is taken over |",
  },
];

/** The part of docs/data.md that describes one table. */
export function docOfTable(table: Table): string {
  const rows = new Set(table.columns.map((column) => rowOf(column, table)));
  const key = table.key.map((name) => `\`${name}\``).join(", ");
  const files = table.arrow ? "Parquet, DuckDB, Arrow" : "Parquet, DuckDB";
  return [
    `### ${table.name}`,
    "",
    `${table.description} One row for each ${key}. In ${files}.`,
    "",
    "| column | type | unit | what |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function rowOf({ name, type, unit, description }: TableColumn, table: Table): string {
  const shared = TOGETHER.find((each) => each.table === table.name && each.includes(name));
  if (shared !== undefined) return shared.row;
  const flip = table.columns.find((column) => column.name === `${name}_coin_flip`);
  const what = flip === undefined ? description : `${description}; ${flip.description}`;
  return `| \`${name}\` | ${type} | ${unit} | ${what} |`;
}
