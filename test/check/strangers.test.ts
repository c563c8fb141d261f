import { FileRefused } from "../../files/refused.ts";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkFile } from "../../check/check-file.ts";
import { MoreNeeded } from "../../check/formats/export.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { readBoth } from "../../check/of-live.ts";
import { areHandful } from "../../quant/check/verdict.ts";
import { csvOf, january, readText, smallReturn, utf8 } from "./formats/files.ts";
import { plainRows, sheetOf, workbookOf } from "./formats/workbooks.ts";

const fileOf = (name: string) => readFileSync(new URL(`cases/${name}`, import.meta.url));

describe("a row for each set of parameters", () => {
  const GRIDS: readonly (readonly [name: string, trials: number])[] = [
    ["in-and-out-of-sample.csv", 20],
    ["sharpe-rf0.csv", 12],
    ["chinese.csv", 20],
    ["ranked.csv", 30],
  ];

  test.each(GRIDS)("%s shows %d tries", async (name, trials) => {
    const read = await readExport(fileOf(`grids/${name}`));
    expect(read.statistics?.values).toHaveLength(trials);
    expect(read.statistics?.values.every(Number.isFinite)).toBe(true);
  });

  test("so does a workbook", async () => {
    const lines = fileOf("grids/chinese.csv").toString().trim().split("\n");
    const rows = lines.map((line) => line.split(",").map((cell) => Number(cell) || cell));
    const workbook = workbookOf({ sheets: { 结果: sheetOf(plainRows(rows)) } });
    expect((await readExport(workbook)).statistics?.values).toHaveLength(20);
  });

  test.each(["paths.csv", "paths-by-name.csv"])("%s are of one strategy", async (name) => {
    await expect(readExport(fileOf(`grids/${name}`))).rejects.toThrow("no variant that was tried");
  });
});

test.each(["xlsx", "parquet"])("returns beside a value are the account's own: %s", async (kind) => {
  const read = await readExport(fileOf(`kinds/returns_beside_value.${kind}`));
  expect([read.rows!.names, read.market]).toEqual([["Portfolio_Value"], "Close"]);
});

test("curves may be one longer than their dates: they begin with what they began with", async () => {
  const dates = january();
  const growth = dates.map((_, row) => 1 + (row + 1) / 100);
  const json = JSON.stringify({
    dates,
    cum_strategy: [1, ...growth],
    cum_benchmark: [1, ...growth],
  });
  const { rows } = await readText(json);
  expect([...rows!.columns[0]!]).toEqual([1, ...growth]);
  expect(new Date(1000 * rows!.instants[0]!).toISOString()).toBe("2023-12-31T00:00:00.000Z");
});

describe("how many were tried", () => {
  const COINS = "BTC ETH SOL ADA XRP DOT AVAX LINK LTC BNB ATOM UNI".split(" ");
  const each = (nameOf: (coin: string, place: number) => string) => COINS.map(nameOf);

  test.each([
    ["coins", each((coin) => coin)],
    ["one strategy on each", each((coin) => `${coin} Trend (optimized)`)],
    ["the best ones", each((_, place) => `optimized_${place}`)],
    ["three finished ones", ["SMA cross", "RSI reversion", "Breakout"]],
  ])("%s don't say", (_, names) => {
    expect(areHandful(names)).toBe(true);
  });

  test.each([
    ["sets of parameters", each((_, place) => `sma_${place}_50`)],
    [
      "pairs of words",
      ["sma", "ema", "wma"].flatMap((a) =>
        ["long", "short", "both", "none"].map((b) => `${a}+${b}`),
      ),
    ],
  ])("%s do", (_, names) => {
    expect(areHandful(names)).toBe(false);
  });
});

test("a column that moves as the market would is named beside the coin", async () => {
  let [held, price] = [10_000, 50];
  const csv = csvOf(
    "date,equity,BBB",
    (row) => {
      const step = smallReturn(row) + 0.004;
      [held, price] = [held * (1 + step / 2 + smallReturn(7 * row) / 9), price * (1 + step)];
      return `${held.toFixed(4)},${price.toFixed(4)}`;
    },
    60,
  );
  const { report } = await checkFile(utf8(csv), {});
  expect(report.verdict.sentence).toContain(
    "name the coin, or its column (--benchmark BBB), to test",
  );
  const beside = await checkFile(utf8(csv), { benchmark: "BBB" });
  expect(beside.report.holding?.name).toBe("BBB");
});

describe("what no answer can change", () => {
  const asking = async () =>
    Promise.reject(new MoreNeeded([{ option: "column", text: "which?", choices: [] }]));
  const refusing = async () => Promise.reject(new FileRefused("no dates"));

  test("of two files, a refusal comes before a question", async () => {
    await expect(readBoth(asking, refusing)).rejects.toThrow("the live record: no dates");
    await expect(readBoth(refusing, asking)).rejects.toThrow("no dates");
    await expect(readBoth(asking, asking)).rejects.toMatchObject({ isLive: false });
  });

  test("trades within a few days are refused before the capital is asked for, but not a live record", async () => {
    const rows = january(5).map((day, row) => `${day} 09:00:00,${day} 15:00:00,${row - 2}.5`);
    const csv = ["entry_time,exit_time,profit", ...rows, ""].join("\n");
    await expect(readText(csv)).rejects.toThrow("at least 10 days, the file has 5");
    await expect(readText(csv, { isLive: true })).rejects.toBeInstanceOf(MoreNeeded);
  });
});

test("a week of five days that becomes one of seven has as many bars a year as it has", async () => {
  const all = Array.from({ length: 700 }, (_, day) => new Date(Date.UTC(2020, 0, 1 + day)));
  const open = all.filter((date, day) => day >= 350 || ![0, 6].includes(date.getUTCDay()));
  const rows = open.map((date, row) => {
    return `${date.toISOString().slice(0, 10)},${(1000 + row + 40 * smallReturn(row)).toFixed(2)}`;
  });
  const { report } = await checkFile(utf8(["date,equity", ...rows, ""].join("\n")), {});
  expect(report.input.periodsPerYear).toBeCloseTo((365 * (open.length - 1)) / 699, 0);
});
