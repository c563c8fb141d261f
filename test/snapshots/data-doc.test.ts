import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { TABLES } from "../../snapshots/tables/tables.ts";
import type { TableColumn } from "../../snapshots/tables/table.ts";
import { docOfTable } from "../support/snapshot-doc.ts";

const DOC = fileURLToPath(new URL("../../docs/data.md", import.meta.url));
const SOURCE = fileURLToPath(new URL("../../pipeline/price-rules/raw-row.ts", import.meta.url));
const BEGIN = "<!-- tables: written by `make golden` from snapshots/tables -->";
const END = "<!-- end of tables -->";

/** Removes padding: a formatter may align the columns of a table. */
function unpadded(text: string): string {
  return text.trim().replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");
}

/** Whether a column has a description without a full stop, and the unit that its name promises. */
function isDescribed({ name, type, unit, description }: TableColumn): boolean {
  if (description === "" || description.endsWith(".")) return false;
  if (type === "double" && unit === "") return false;
  if (name.endsWith("_pct")) return unit === "percent";
  return !name.endsWith("_usd") || unit === "usd";
}

describe("docs/data.md", () => {
  test("lists every table and column with its unit, as they are defined", () => {
    const text = readFileSync(DOC, "utf8");
    const [before, rest = ""] = text.split(BEGIN);
    const [tables = "", after] = rest.split(END);
    const expected = TABLES.map(docOfTable).join("\n\n");
    if (process.env["HINDSIGHT_GOLDEN"] === "write") {
      writeFileSync(DOC, `${before}${BEGIN}\n\n${expected}\n\n${END}${after}`);
      return;
    }
    expect(unpadded(tables)).toBe(unpadded(expected));
  });

  test("explains every reason of a refusal", () => {
    const text = readFileSync(DOC, "utf8");
    const types = readFileSync(SOURCE, "utf8").split("export interface RawRow")[0]!;
    const reasons = [...types.matchAll(/\| "(\w+)"/g)].map(([, reason]) => reason);
    expect(reasons.length).toBeGreaterThan(20);
    for (const reason of reasons) expect(unpadded(text)).toContain(`| \`${reason}\` |`);
  });
});

describe("the tables", () => {
  test("name every column in lower snake case, describe it and give numbers a unit or none", () => {
    const unnamed = TABLES.flatMap(({ name: table, columns }) =>
      columns
        .map(({ name }) => name)
        .filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))
        .map((name) => `${table}.${name}`),
    );
    expect(unnamed).toEqual([]);
    const wrong = TABLES.flatMap(({ name: table, columns }) =>
      columns.filter((column) => !isDescribed(column)).map(({ name }) => `${table}.${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("have no column twice, and are sorted by their own columns", () => {
    for (const { columns, key } of TABLES) {
      const names = columns.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(names).toEqual(expect.arrayContaining([...key]));
    }
  });
});
