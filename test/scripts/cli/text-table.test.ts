import { expect, test } from "vitest";
import { instant, textTable } from "../../../scripts/cli/text-table.ts";

test("columns are as wide as their widest cell, and lines end where the text does", () => {
  const rows = [
    ["btc", "40", ""],
    ["a", "1", "stale"],
  ];
  expect(textTable(["coin", "n", ""], rows)).toEqual([
    "coin  n", //
    "btc   40",
    "a     1   stale",
  ]);
});

test("a row may be shorter than the titles", () => {
  const lines = ["coin  size", "btc"];
  expect(textTable(["coin", "size"], [["btc"]])).toEqual(lines);
});

test("an instant is UTC to the second", () => {
  expect(instant(Date.UTC(2024, 1, 29, 23, 59, 59, 999))).toBe("2024-02-29T23:59:59Z");
});
