import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { loadBoard, type BoardCoin } from "../../../pipeline/board.ts";
import { applyPriceRules } from "../../../pipeline/price-rules.ts";
import { resolveAsOf } from "../../../pipeline/sources/as-of.ts";
import { openCsv } from "../../../pipeline/sources/csv.ts";
import { InputError } from "../../../pipeline/sources/input-error.ts";
import { plainRows, sheetOf, workbookOf } from "../../check/formats/workbooks.ts";
import { coinOf, folderOf, pricesText } from "../../support/prices-file.ts";
import { hasRealPrices, PRICES_FOLDER, testBars } from "../../support/real-prices.ts";

const BOARD = ["btc", "eth", "sol"].map(coinOf);
const RANGE = { fromDay: null, toDay: 18_004 };
const sound = pricesText({ firstDay: 18_000, days: 5 });
const long = pricesText({ firstDay: 17_900, days: 105 }); // ends on the same day

describe("a folder", () => {
  test("serves the board's coins that have a file and counts the others", async () => {
    const folder = folderOf({
      "btc.csv": sound,
      "sol.csv": sound,
      "doge.csv": "never looked at",
      "pepe.csv": "nor this",
      "README.md": "no price file",
    });
    const source = openCsv(folder, BOARD);
    expect(source, "these prices are not made up").toMatchObject({ synthetic: false });
    const coins = await Promise.all(BOARD.map((coin) => source.fetch(coin, RANGE)));
    expect(coins.map(({ rows }) => rows.length)).toEqual([5, 0, 5]);
    expect(coins[1]!.fault).toEqual({
      reason: "file_missing",
      message: "eth.csv: there is no such file",
    });
    expect(coins[0]).toMatchObject({ ticker: "btc", whole: true, fetchedFrom: null, fault: null });
    expect(source.conclude()).toEqual({
      served: 2,
      missing: ["eth"],
      failed: [],
      otherFiles: 2,
      notices: [],
    });
  });

  test("finds files whose names are in upper case, but for one that is in lower case as well", async () => {
    const other = pricesText({ firstDay: 18_000, days: 3 });
    const folder = folderOf({
      "BTC.CSV": sound,
      "Eth.csv": other,
      "eth.csv": sound,
      "SOL.csv": "",
    });
    const source = openCsv(folder, BOARD);
    const coins = await Promise.all(BOARD.map((coin) => source.fetch(coin, RANGE)));
    expect(coins.map(({ rows }) => rows.length)).toEqual([5, 5, 0]);
    expect(coins[2]!.fault!.message).toBe("SOL.csv: the file is empty");
  });

  test("reads a workbook of one sheet as the same rows in a file of text", async () => {
    const cells = sound
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    const rows = cells.map((row, at) =>
      row.map((cell, column) => (at * column > 0 ? Number(cell) : cell)),
    );
    const sheet = sheetOf(plainRows(rows));
    const folder = folderOf({ "eth.csv": sound, "sol.csv": sound });
    writeFileSync(join(folder, "btc.xlsx"), workbookOf({ sheets: { Prices: sheet } }));
    writeFileSync(join(folder, "sol.xlsx"), "not looked at");
    writeFileSync(join(folder, "eth.xlsx"), workbookOf({ sheets: { One: sheet, Two: sheet } }));
    const source = openCsv(folder, BOARD);
    const coins = await Promise.all(BOARD.map((coin) => source.fetch(coin, RANGE)));
    const values = coins.map(({ rows: read }) => read.map(({ raw: _raw, ...row }) => row));
    expect(values[0]).toEqual(values[1]);
    expect(coins.map(({ fault }) => fault)).toEqual([null, null, null]);
    const two = folderOf({ "btc.csv": sound });
    writeFileSync(join(two, "ETH.xlsx"), workbookOf({ sheets: { One: sheet, Two: sheet } }));
    writeFileSync(join(two, "sol.xlsx"), "no zip");
    const damaged = openCsv(two, BOARD);
    const said = await Promise.all(BOARD.map((coin) => damaged.fetch(coin, RANGE)));
    expect(said[1]!.fault!.message).toContain("ETH.xlsx: it is not a workbook with a single sheet");
    expect(said[2]!.fault!.message).toContain("sol.xlsx: the zip is damaged");
  });

  test("fetches what its newest day was found in, even if a file is replaced meanwhile", async () => {
    const folder = folderOf({ "btc.csv": sound, "eth.csv": sound });
    const source = openCsv(folder, BOARD, { rowsKeptMax: 9 }); // one file of five rows, not both
    expect(await source.newestDay(RANGE.toDay)).toBe(18_004);
    const longer = pricesText({ firstDay: 18_000, days: 6 });
    for (const name of ["btc.csv", "eth.csv"]) writeFileSync(join(folder, name), longer);
    const rowsOf = async (coin: BoardCoin) => (await source.fetch(coin, RANGE)).rows.length;
    expect(await rowsOf(BOARD[0]!)).toBe(5);
    expect(await rowsOf(BOARD[1]!), "did not fit, so it is read again").toBe(6);
    expect(await rowsOf(BOARD[0]!), "kept for one fetch").toBe(6);
  });

  test.each([
    ["absent", (folder: string) => join(folder, "none"), /does not exist/],
    ["a file", (folder: string) => join(folder, "doge.csv"), /is not a folder/],
    ["without a board coin", (folder: string) => folder, /has no price file of a board coin/],
    ["not named", () => "", /needs a folder after the colon/],
  ])("that is %s is one clear error", (_, pathIn, expected) => {
    const folder = folderOf({ "doge.csv": sound });
    expect(() => openCsv(pathIn(folder), BOARD)).toThrow(InputError);
    expect(() => openCsv(pathIn(folder), BOARD)).toThrow(expected);
  });
});

describe("a damaged file", () => {
  const faultOf = async (content: string | Buffer | null) => {
    const source = openCsv(folderOf({ "btc.csv": content, "eth.csv": sound }), BOARD);
    const coin = await source.fetch(BOARD[0]!, RANGE);
    await source.fetch(BOARD[1]!, RANGE);
    return { coin, summary: source.conclude() };
  };

  test.each<[string, string | Buffer | null, string]>([
    ["0 bytes", "", "file_empty"],
    ["a folder", null, "not_a_file"],
    [
      "binary",
      Buffer.from(Array.from({ length: 999 }, (_, at) => (at * 151) % 256)),
      "header_invalid",
    ],
    ["UTF-16", Buffer.from(sound, "utf16le"), "header_invalid"],
    ["gzip", Buffer.from("1f8b0800000000000003", "hex"), "header_invalid"],
    ["huge", Buffer.alloc(17 * 1024 * 1024, "1"), "file_too_large"],
    ["one huge line", `date${"x".repeat(9_000_000)}`, "header_invalid"],
  ])("of %s costs only its own coin", async (_, content, reason) => {
    const { coin, summary } = await faultOf(content);
    expect(coin.rows).toEqual([]);
    expect(coin.fault).toMatchObject({ reason });
    expect(coin.fault!.message).toMatch(/^btc\.csv: [^\n]{5,350}$/);
    expect(summary.failed).toEqual([{ ticker: "btc", message: coin.fault!.message }]);
  });

  test("with bytes that are not UTF-8 loses the rows that contain them", async () => {
    const bytes = Buffer.from(pricesText({ firstDay: 18_000, days: 11 }));
    bytes[bytes.indexOf("101,11.25")] = 0xff;
    const { coin } = await faultOf(bytes);
    expect(coin.rows).toHaveLength(10);
    expect(coin.faults).toMatchObject([{ reason: "invalid_number", line: 3, day: 18_001 }]);
  });

  test("that is a pipe or a broken link does not block", async () => {
    const folder = folderOf({ "sol.csv": sound });
    execFileSync("mkfifo", [join(folder, "btc.csv")]);
    symlinkSync(join(folder, "nowhere"), join(folder, "eth.csv"));
    const source = openCsv(folder, BOARD);
    expect((await source.fetch(BOARD[0]!, RANGE)).fault?.reason).toBe("not_a_file");
    expect((await source.fetch(BOARD[1]!, RANGE)).fault).toEqual({
      reason: "file_unreadable",
      message: "eth.csv: it cannot be read (ENOENT)",
    });
  });
});

describe("a folder without a believable price", () => {
  test.each([
    ["1735689600000000,1,1,1,1,1\n", "btc.csv: expected the header date,open,high"],
    [
      sound.replaceAll("2019-", "19-").replaceAll(".25", ".25 BTC"),
      'btc.csv: 5 of 5 rows are refused: line 2: "date": expected a UTC day such as 2024-12-31, got "19-04-14"; ' +
        '"volume": expected a plain number such as 1234.5, got "10.25 BTC"; eth.csv: 5 of 5 rows are refused: ',
    ],
    [
      sound.replaceAll(",10", ",-10"),
      "btc.csv: 5 of 5 rows are refused: line 2: price_not_positive in ",
    ],
    [
      `${sound}${sound.split("\n").slice(1).join("\n").replaceAll(".25", ".5")}`,
      "btc.csv: 10 of 10 rows are refused: line 2: conflicting_duplicate: there must be one row a day",
    ],
    [sound.split("\n").slice(0, 2).join("\n"), "btc.csv: its only row has no line break"],
  ])("says all that is wrong, with each file: %j", async (content, expected) => {
    const source = openCsv(folderOf({ "btc.csv": content, "eth.csv": content }), BOARD);
    const attempt = resolveAsOf(source, { today: 19_000 });
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(
      'source "csv" has no believable price of any board coin up to 2022-01-07: btc.csv',
    );
    await expect(attempt).rejects.toThrow(expected);
  });

  test.each([
    ["", sound],
    [", whatever is wrong with some of them", long.replace(",10", ",-10")],
  ])("says only so where its rows are of later days%s", async (_, content) => {
    const source = openCsv(folderOf({ "btc.csv": content }), BOARD);
    await expect(resolveAsOf(source, { today: 17_000 })).rejects.toThrow(
      /^source "csv" has no price of any board coin up to 2016-07-17$/,
    );
  });

  test("names what it has instead, other names and folders", () => {
    const files = { "XBT.csv": sound, "btc-usd.csv": sound, "eth.csv.gz": "", notes: null };
    expect(() => openCsv(folderOf(files), BOARD)).toThrow(
      'such as "btc.csv": it has "XBT.csv", "btc-usd.csv", "eth.csv.gz", and 1 more',
    );
    expect(() => openCsv(folderOf({}), BOARD)).toThrow('such as "btc.csv": it is empty');
  });
});

describe("as_of", () => {
  const asOf = (files: Record<string, string>, today: number, requested?: string) =>
    resolveAsOf(openCsv(folderOf(files), BOARD), { today, requested });

  test("is the newest complete day of the board's files", async () => {
    const files = {
      "btc.csv": pricesText({ firstDay: 18_000, days: 5 }),
      "eth.csv": pricesText({ firstDay: 18_000, days: 7 }),
      "sol.csv": pricesText({ firstDay: 18_000, days: 6 }),
      "doge.csv": pricesText({ firstDay: 18_000, days: 30 }),
    };
    expect(await asOf(files, 19_000)).toEqual({ asOf: 18_006, today: 19_000 });
    expect(await asOf(files, 18_006)).toEqual({ asOf: 18_005, today: 18_006 });
    expect(await asOf(files, 19_000, "2019-04-17")).toEqual({ asOf: 18_003, today: null });
    expect(await asOf(files, 19_000, "2019-06-01")).toEqual({ asOf: 18_006, today: null });
  });

  test("does not follow a row that will be refused", async () => {
    const files = { "btc.csv": `${long}2021-01-01,1,1,2,1,1\n2021-01-02,x,1,1,1,1\n` };
    expect(await asOf(files, 19_000)).toEqual({ asOf: 18_004, today: 19_000 });
  });

  test("does not follow a row that its neighbours refuse", async () => {
    const [header = "", first = "", ...rest] = long.split("\n");
    const misplaced = [header, first, "2021-01-01,1,1,1,1,1", ...rest].join("\n");
    expect(await asOf({ "btc.csv": misplaced }, 19_000)).toMatchObject({ asOf: 18_004 });
    const twice = `${long}2019-04-18,1,1,1,1,1\n`; // captured once before the day was over and once after
    expect(await asOf({ "btc.csv": twice }, 19_000)).toMatchObject({ asOf: 18_003 });
    expect(await asOf({ "btc.csv": twice, "eth.csv": sound }, 19_000)).toMatchObject({
      asOf: 18_004,
    });
  });
});

test.runIf(hasRealPrices)(
  "reads every real file to the numbers of the plainest reader",
  async () => {
    const board = loadBoard();
    const source = openCsv(PRICES_FOLDER, board, { keepLastRows: true });
    const horizon = await resolveAsOf(source, { today: 20_700 });
    for (const coin of board) {
      const fetched = await source.fetch(coin, { fromDay: null, toDay: horizon.asOf });
      const { bars, quality, rejects } = applyPriceRules({ coin: fetched, horizon });
      expect(isDeepStrictEqual(bars, testBars(coin.ticker)), `of ${coin.ticker}`).toBe(true);
      expect(rejects).toEqual([]);
      expect(quality).toMatchObject({ filled: 0, duplicatesDropped: 0, restartedAt: null });
    }
    expect(source.conclude()).toMatchObject({
      served: 50,
      missing: [],
      failed: [],
      otherFiles: 28,
      notices: [],
    });
  },
);
