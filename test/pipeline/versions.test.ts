import { version as duckdbVersion } from "@duckdb/node-api";
import { readFileSync } from "node:fs";
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

test("the bundle's DuckDB client finds native code of its own release", () => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  expect(dependencies["@duckdb/node-bindings"]).toBe(dependencies["@duckdb/node-api"]);
});
