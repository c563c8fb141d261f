import type { Table } from "../../snapshots/tables/table.ts";

/** The part of docs/data.md that describes one table. */
export function docOfTable(table: Table): string {
  const rows = table.columns.map(
    ({ name, type, unit, description }) => `| \`${name}\` | ${type} | ${unit} | ${description} |`,
  );
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
