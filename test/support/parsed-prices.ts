import { expect } from "vitest";
import { parseCsv } from "../../pipeline/sources/csv-rows.ts";
import type { RawRow, RowFault } from "../../pipeline/price-rules/raw-row.ts";
import { PRICES_HEADER } from "./prices-file.ts";

/** The rows and faults of a text that is a price file. */
export function parsed(text: string) {
  const file = parseCsv(text);
  if (!file.ok) throw new Error(file.why);
  return file;
}

/** The result of one row between a valid header and a valid row. */
export function parsedRow(row: string): RawRow | RowFault {
  const { rows, faults } = parsed(`${PRICES_HEADER}\n${row}\n2020-01-03,10,12,9,11,1\n`);
  expect(rows.length + faults.length).toBe(2);
  return faults[0] ?? rows[0]!;
}
