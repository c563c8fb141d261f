import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonTables } from "../../../check/formats/json-curves.ts";
import type { Json } from "../../../files/json.ts";
import { january, readText } from "./files.ts";

/** Adding a case is adding a file and its tables: their names, headers and rows, and the first table's outer rows. */
interface Case {
  readonly file: string;
  readonly what: string;
  readonly tables: readonly (readonly [name: string, header: readonly string[], rows: number])[];
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const FOLDER = new URL("../cases/kinds/", import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");
const CASES = JSON.parse(textOf("tables.json")) as Case[];

test.each(CASES)("$file: $what", ({ file, tables, first, last }) => {
  const found = jsonTables(JSON.parse(textOf(file)) as Json);
  expect(found.map(({ name, table }) => [name, table.header, table.rows.length])).toEqual(tables);
  expect([found[0]!.table.rows[0], found[0]!.table.rows.at(-1)]).toEqual([first, last]);
});

describe("of several tables", () => {
  const days = january(12);
  const equity = days.map((day, row) => [day, 100 + row]);
  const trades = days.map((day) => ({ opened_at: day, closed_at: day, PNL: 5, holding_period: 1 }));

  test("the curve counts, not the trades before it, and the answer names it", async () => {
    const { kind, rows, warnings } = await readText(JSON.stringify({ trades, equity }));
    expect([kind, rows!.names]).toEqual(["equity", ["equity"]]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'the list "equity" was read, not trades',
    ]);
  });

  test("trades are read where there is no curve, and ask for their capital", async () => {
    const text = JSON.stringify({
      trades,
      settings: [
        { name: "fast", value: 5 },
        { name: "slow", value: 8 },
      ],
    });
    await expect(readText(text)).rejects.toThrow("how much was it?");
    expect((await readText(text, { startingCapital: 100 })).format).toBe("jesse-trades");
  });

  test("none can be read: the longest one says why", async () => {
    const text = JSON.stringify({ a: [{ x: 1 }, { x: 2 }], b: [{ y: 1 }, { y: 2 }, { y: 3 }] });
    await expect(readText(text)).rejects.toThrow(/the list "b" can't be read, nor can a: .*"y"/);
  });

  test("one only is read without a word", async () => {
    expect((await readText(JSON.stringify({ equity }))).warnings).toEqual([]);
  });
});

test("members are looked for five deep, and curves of other days up to fifty", async () => {
  const pairs = (year: number) => [1, 2, 3].map((day) => [`${year}-01-0${day}`, day]);
  const deep = (depth: number): Json => (depth === 0 ? pairs(2024) : { a: deep(depth - 1) });
  expect(jsonTables(deep(5))).toHaveLength(1);
  expect(jsonTables(deep(6))).toHaveLength(0);
  const many = Object.fromEntries(
    Array.from({ length: 51 }, (_, at) => [`c${at}`, pairs(1950 + at)]),
  );
  expect(() => jsonTables(many)).toThrow("too many curves");
});
