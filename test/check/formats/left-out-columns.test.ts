import { expect, test } from "vitest";
import { MoreNeeded } from "../../../check/formats/export.ts";
import { csvOf, readText, smallReturn } from "./files.ts";

const RETURNS = csvOf("date,a,b", (row) => `${smallReturn(row)},${-smallReturn(row)}`);

test.each([
  "drawdown_pct",
  "Drawdown (%)",
  "DrawdownPct",
  "max_drawdown",
  "exposure_pct",
  "benchmark_returns",
  "position_size",
  "Adj Close",
])("a column %j beside the returns is no variant", async (name) => {
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
