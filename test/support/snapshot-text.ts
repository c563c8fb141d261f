import { DuckDBInstance } from "@duckdb/node-api";
import { dateOfDay } from "../../quant/calendar.ts";

/** The digits of HTTP answers: enough to see any change, and few enough for all machines to agree. */
const SIGNIFICANT_DIGITS = 10;

/** What plain DuckDB answers to a statement. */
async function answerOf(sql: string) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return await connection.runAndReadAll(sql);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The rows of a query, which plain DuckDB answers. */
export async function query(sql: string): Promise<Record<string, unknown>[]> {
  return (await answerOf(sql)).getRowObjectsJS();
}

/** A Parquet file as text, one row per line in the file's order, read by DuckDB alone. */
export async function textOfParquet(path: string): Promise<string> {
  const result = await answerOf(`SELECT * FROM '${path}'`);
  const lines = result.getRowsJS().map((row) => row.map(cellOf).join(","));
  return `${[result.columnNames().join(","), ...lines].join("\n")}\n`;
}

function cellOf(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "number") return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
  if (value instanceof Date) return dateOfDay(value.getTime() / 86_400_000);
  const text = String(value as string | boolean | bigint);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
