import { TooLarge } from "../../../files/refused.ts";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { zipSync } from "fflate";
import { expect, test } from "vitest";

import { readExport } from "../../../check/formats/read-export.ts";
import { smallReturn } from "./files.ts";

/** 12 days of `((7 i) mod 5 - 2) / 64`, packed with gzip by pyarrow. */
const PARQUET = Buffer.from(
  "UEFSMRUAFWwVcCwVGBUAFQYVBhwAAAAfiwgAAAAAAAIDDcPJDQAgDASxhS9HSDhEU/TfDmPJWdJN5UmVjZ3GQWdwcnHz8AMN2uBJNgAAABUAFcwBFVgsFRgVABUGFQYcAAAAH4sIAAAAAAACA2NiYGCQYGQAgwX7GVDAAnsIPQEqPsGeXHUAq72kT2YAAAAVBBk8NQAYBnNjaGVtYRUEABUCJQIYBGRhdGUlDExsAAAAFQolAhgBYQAWGBkcGSwmABwVAhklBgAZGARkYXRlFQQWGBaSARaWASYISRwVABUAFQIAPCkGGSYAGAAAACYAHBUKGSUGABkYAWEVBBYYFvQBFoABJp4BSRwVABUAFQIAPCkGGSYAGAAAABaGAxYYJggWlgIAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAAMIAAABQQVIx",
  "base64",
);

// Written by pyarrow, Arrow by its `ipc.new_stream`. Polars packs with Zstandard unless told otherwise.
test.each([
  [
    "Parquet packed with Zstandard",
    "UEFSMRUAFWwVfiwVGBUAFQYVBhwAAAAotS/9IDaxAQACAAAAGAELTQAADE0AAA1NAAAOTQAAD00AABBNAAARTQAAEk0AABNNAAAUTQAAFU0AABZNAAAVABXMARVaLBUYFQAVBhUGHAAAACi1L/0gZiUBAIgCAAAAGAEAoL8AoD8AkJA/vwgASzkABMC4IOPOZKB14NwFthUEGTw1ABgGc2NoZW1hFQQAFQIlAhgEZGF0ZSUMTGwAAAAVCiUCGAFhABYYGRwZLCYAHBUCGSUGABkYBGRhdGUVDBYYFpIBFqQBJghJHBUAFQAVAgA8KQYZJgAYAAAAJgAcFQoZJQYAGRgBYRUMFhgW9AEWggEmrAFJHBUAFQAVAgA8KQYZJgAYAAAAFoYDFhgmCBamAgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAAwgAAAFBBUjE=",
  ],
  ["Parquet packed with gzip", PARQUET.toString("base64")],
  [
    "Arrow packed with Zstandard",
    "/////6AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABAAAAABAAAANj///8AAAEDEAAAABQAAAAEAAAAAAAAAAEAAABhAAAAxv///wAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQgQAAAAHAAAAAQAAAAAAAAABAAAAGRhdGUAAAYACAAGAAYAAAAAAAAA/////9AAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAIAAAAAAAAAAAAAAAAwAHgAQAAQACAAMAAwAAABwAAAAJAAAABgAAAAMAAAAAAAAAAAAAAAAAAYACAAHAAYAAAAAAAABBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEEAAAAAAAAASAAAAAAAAAAAAAAAAAAAAEgAAAAAAAAAMwAAAAAAAAAAAAAAAgAAAAwAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAotS/9IDCBAQALTQAADE0AAA1NAAAOTQAAD00AABBNAAARTQAAEk0AABNNAAAUTQAAFU0AABZNAAAAAAAAAAAAYAAAAAAAAAAotS/9IGAVAQCAAAAAAAAAoL8AoD8AkJA/vwcASzkABMC4IOPOZKB1B5ADAAAAAAD/////AAAAAA==",
  ],
  [
    "Arrow packed with LZ4",
    "/////6AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABAAAAABAAAANj///8AAAEDEAAAABQAAAAEAAAAAAAAAAEAAABhAAAAxv///wAAAgAQABQACAAGAAcADAAAABAAEAAAAAAAAQgQAAAAHAAAAAQAAAAAAAAABAAAAGRhdGUAAAYACAAGAAYAAAAAAAAA/////8gAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAIgAAAAAAAAAAAAAAAwAHAAQAAQACAAMAAwAAABoAAAAHAAAABQAAAAMAAAAAAAAAAAAAAAEAAQABAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABHAAAAAAAAAEgAAAAAAAAAAAAAAAAAAABIAAAAAAAAADoAAAAAAAAAAAAAAAIAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAADAAAAAAAAAABCJNGGBAgjAAAIALTQAADE0AAA1NAAAOTQAAD00AABBNAAARTQAAEk0AABNNAAAUTQAAFU0AABZNAAAAAAAAAGAAAAAAAAAABCJNGGBAgiMAAAARAAEAIaC/BwAFAgAioD8LABOQGAATkBAADygAGlAAAAAAAAAAAAAAAAAAAAD/////AAAAAA==",
  ],
])("may be %s", async (_, base64) => {
  const { rows } = await readExport(Buffer.from(base64, "base64"));
  expect(rows!.instants[0]).toBe(Date.UTC(2024, 0, 1) / 1000);
  const values = Array.from({ length: 12 }, (_, row) => (((7 * row) % 5) - 2) / 64);
  expect([...rows!.columns[0]!]).toEqual(values);
});

test("Arrow and Parquet of more cells than a place allows are too large", async () => {
  const days = Array.from({ length: 20 }, (_, row) => new Date(Date.UTC(2024, 0, row + 1)));
  const arrow = tableToIPC(tableFromArrays({ date: days, a: Float64Array.from(days, Number) }));
  await expect(readExport(arrow, {}, 39)).rejects.toThrow(TooLarge);
  await expect(readExport(PARQUET, {}, 23)).rejects.toThrow("24 cells, more than 23");
  expect((await readExport(PARQUET, {}, 24)).rows!.instants).toHaveLength(12);
  const inZip = readExport(zipSync({ "a.parquet": PARQUET }), {}, 23);
  await expect(inZip).rejects.toThrow(TooLarge);
});

// pandas keeps midnights of a zone in UTC and names the zone in its metadata.
test("days of a zone in Arrow keep their dates", async () => {
  const days = Array.from({ length: 20 }, (_, row) => new Date(Date.UTC(2024, 2, row + 20, -1)));
  for (const day of days.slice(12)) day.setUTCHours(22); // summer time from 31 March
  const a = Float64Array.from({ length: 20 }, (_, row) => smallReturn(row));
  const table = tableFromArrays({ date: days, a });
  const column = { field_name: "date", metadata: { timezone: "Europe/Berlin" } };
  const pandas = JSON.stringify({ index_columns: ["date"], columns: [column] });
  table.schema.metadata.set("pandas", pandas);
  const { rows } = await readExport(tableToIPC(table, "file"));
  const dates = days.map((_, row) => Date.UTC(2024, 2, row + 20) / 1000);
  expect([...rows!.instants]).toEqual(dates);
});

test("a Parquet file with other rows than its footer counts", async () => {
  const footer = PARQUET.indexOf(Uint8Array.of(0x16, 0x18, 0x19)); // 12 rows, and the list of groups
  const more = new Uint8Array(PARQUET).with(footer + 1, 0x1a);
  await expect(readExport(more)).rejects.toThrow("it is damaged");
});
