import { describe, expect, test } from "vitest";
import { january, panelOf, readText, smallReturn } from "../check/formats/files.ts";

const DAYS = january().map((day) => `${day}T00:00:00.000`);
const RETURNS = Array.from({ length: 20 }, (_, row) => smallReturn(row));
const keyed = (value: (row: number) => unknown, key = (row: number) => DAYS[row]!) =>
  Object.fromEntries(RETURNS.map((_, row) => [key(row), value(row)]));
const milliseconds = (row: number) => String(Date.parse(`${DAYS[row]!}Z`));
const afterADrop = (row: number) => String(row + 1);
const RECORDS = RETURNS.map((a, row) => ({ date: DAYS[row], "(4, 'x')": a, "(5, 'x')": -a }));

describe("a frame in each orient of pandas' to_json", () => {
  test.each<[string, unknown]>([
    ["records", RECORDS],
    [
      "split",
      {
        columns: [
          [4, "x"],
          [5, "x"],
        ],
        index: DAYS,
        data: RETURNS.map((a) => [a, -a]),
      },
    ],
    ["index", keyed((row) => ({ "(4, 'x')": RETURNS[row], "(5, 'x')": -RETURNS[row]! }))],
    [
      "columns",
      {
        "(4, 'x')": keyed((row) => RETURNS[row], milliseconds),
        "(5, 'x')": keyed((row) => -RETURNS[row]!, milliseconds),
      },
    ],
    [
      "columns, dates in one of them",
      {
        date: keyed((row) => DAYS[row], afterADrop),
        "(4, 'x')": keyed((row) => RETURNS[row], afterADrop),
        "(5, 'x')": keyed((row) => -RETURNS[row]!, afterADrop),
      },
    ],
    ["table", { schema: { fields: [], pandas_version: "1.4.0" }, data: RECORDS }],
  ])("%s", async (_, json) => {
    const panel = await panelOf(JSON.stringify(json));
    expect(panel.names).toEqual(["4|x", "5|x"]);
    expect([...panel.columns[0]!]).toEqual(RETURNS);
    expect(panel.instants[0]).toBe(Date.UTC(2024, 0, 1) / 1000);
  });

  test("a column of objects is one of cells where the rows are numbered", async () => {
    const grid = { sharpe: { 0: 0.5, 1: 0.8 }, params: { 0: { fast: 5 }, 1: { fast: 8 } } };
    const { statistics } = await readText(JSON.stringify(grid));
    expect([...statistics!.values]).toEqual([0.5, 0.8]);
  });

  test("a column called Strategy is none of freqtrade's", async () => {
    const frame = { Strategy: keyed((row) => RETURNS[row], milliseconds) };
    expect([...(await panelOf(JSON.stringify(frame))).columns[0]!]).toEqual(RETURNS);
  });

  test("one record a line, and a series", async () => {
    const lines = RECORDS.map((record) => JSON.stringify(record)).join("\n");
    expect((await panelOf(lines)).columns).toHaveLength(2);
    const series = await panelOf(JSON.stringify(keyed((row) => RETURNS[row], milliseconds)));
    expect([...series.columns[0]!]).toEqual(RETURNS);
    const split = await panelOf(JSON.stringify({ name: "a", index: DAYS, data: RETURNS }));
    expect([split.names, [...split.columns[0]!]]).toEqual([["a"], RETURNS]);
  });

  test("trades are recognised as in a CSV; null is an empty cell", async () => {
    const trade = {
      Column: [5, 8],
      "Entry Timestamp": DAYS[1],
      "Exit Timestamp": DAYS[4],
      PnL: 3,
      Status: "Closed",
    };
    const open = { ...trade, "Exit Timestamp": null, PnL: null, Status: "Open" };
    const read = await readText(JSON.stringify([trade, open]), { startingCapital: 100 });
    expect([read.format, read.trades?.trades]).toMatchObject([
      "vectorbt-trades",
      [{ variant: "5|8" }],
    ]);
  });

  test.each([
    ["records without dates", [{ a: 1 }, { a: 2 }], "its first column holds no dates"],
    [
      "rows of other lengths",
      { columns: ["a"], index: DAYS, data: [[1], [1, 2]] },
      "row 2 has 3 cells",
    ],
    [
      "orient values, which has no names",
      [
        [1, 2],
        [3, 4],
      ],
      "of no known tool",
    ],
    ["too many columns", { columns: Array(2e4).fill("a"), index: [], data: [] }, "too many cells"],
  ])("%s are refused", async (_, json, message) => {
    await expect(readText(JSON.stringify(json))).rejects.toThrow(message);
  });
});
