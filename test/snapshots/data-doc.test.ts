import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { TABLES } from "../../snapshots/tables.ts";
import { docOfTable } from "../support/snapshot-doc.ts";

const DOC = fileURLToPath(new URL("../../docs/data.md", import.meta.url));
const SOURCE = fileURLToPath(new URL("../../pipeline/sources/source.ts", import.meta.url));
const BEGIN = "<!-- tables: written by `make golden` from snapshots/tables -->";
const END = "<!-- end of tables -->";

/** A formatter may align the columns of a table. */
function unpadded(text: string): string {
  return text.trim().replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");
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
    for (const table of TABLES) {
      const names = table.columns.map(({ name }) => name);
      expect(new Set(names).size, table.name).toBe(names.length);
      for (const key of table.key) expect(names).toContain(key);
      for (const { name, type, unit, description } of table.columns) {
        expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(description, name).not.toBe("");
        expect(description, name).not.toMatch(/\.$/);
        if (type === "double") expect(unit, `${table.name}.${name}`).not.toBe("");
        if (name.endsWith("_pct")) expect(unit, name).toBe("percent");
        if (name.endsWith("_usd")) expect(unit, name).toBe("usd");
      }
    }
  });
});
