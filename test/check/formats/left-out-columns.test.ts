import { expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { csvOf, readText, smallReturn } from "./files.ts";

const RETURNS = csvOf("date,a,b", (row) => `${smallReturn(row)},${-smallReturn(row)}`);

const BESIDE =
  "drawdown_pct|Drawdown (%)|DrawdownPct|max_drawdown|exposure_pct|benchmark_returns|position_size|Adj Close|Buy & Hold|peak";

test.each(BESIDE.split("|"))("a column %j beside the returns is no variant", async (name) => {
  const { rows, warnings } = await readText(RETURNS.replace("a,b", `a,${name}`));
  expect([rows!.names, warnings.map(({ code }) => code)]).toEqual([["a"], ["columns_left_out"]]);
});

test.each(["close,volume", "price,benchmark"])(
  "columns %s alone are no strategy",
  async (names) => {
    const table = RETURNS.replace("a,b", names);
    await expect(readText(table)).rejects.toThrow(MoreNeeded);
    expect((await readText(table, { format: "returns" })).rows!.names).toEqual(names.split(","));
  },
);

test.each(["cum_pnl", "x"])("cumulative profits called %s are asked about", async (name) => {
  const profits = csvOf(`date,${name}`, (row) => String(1 + 3 * row));
  await expect(readText(profits)).rejects.toThrow("may be cumulative profits");
  expect((await readText(profits, { format: "equity" })).kind).toBe("equity");
});

test.each(["Return [%]", "ret_pct"])("returns called %s are percent, others not", async (name) => {
  const { rows, warnings } = await readText(RETURNS.replace("a,b", `a,${name}`));
  expect(warnings.map(({ code }) => code)).toEqual(["percent_columns"]);
  expect(rows!.columns[1]![4]).toBeCloseTo(-rows!.columns[0]![4]! / 100, 15);
});
