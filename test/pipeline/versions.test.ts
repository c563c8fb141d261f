import { version as duckdbVersion } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { versions } from "../../pipeline/versions.ts";

test("names DuckDB's own version without loading it", () => {
  expect(`v${versions()["duckdb"]}`).toBe(duckdbVersion());
});

test("names every program and library that makes the files", () => {
  const made = versions();
  expect(Object.keys(made)).toEqual(["hindsight", "node", "duckdb", "apache_arrow"]);
  for (const version of Object.values(made)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});
