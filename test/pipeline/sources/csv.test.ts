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
import { pricesText, folderOf } from "../../support/prices-file.ts";
import { hasRealPrices, PRICES_FOLDER, testBars } from "../../support/real-prices.ts";

const coinOf = (ticker: string): BoardCoin => ({ ticker, name: ticker, symbol: `${ticker}/USDT` });
const BOARD = ["btc", "eth", "sol"].map(coinOf);
const RANGE = { fromDay: null, toDay: 18_004 };
const sound = pricesText({ firstDay: 18_000, days: 5 });

describe("a folder", () => {
  test("serves the board's coins that have a file and counts the others", async () => {
    const folder = folderOf({
      "btc.csv": sound,
      "sol.csv": sound,
      "doge.csv": "never looked at",
      "pepe.csv": "nor this",
      "ETH.csv": sound,
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
      otherFiles: 3,
    });
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
    ["not named", () => "", /needs a folder behind the colon/],
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
    const bytes = Buffer.from(sound);
    bytes[bytes.indexOf("101,11.25")] = 0xff;
    const { coin } = await faultOf(bytes);
    expect(coin.rows).toHaveLength(4);
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
      sound.replaceAll("-", "/"),
      'btc.csv line 2: "date": expected a UTC day YYYY-MM-DD, got "2019/',
    ],
    [sound.replaceAll(",10", ",-10"), "btc.csv line 2: price_not_positive in "],
    [
      `${sound}${sound.split("\n").slice(1).join("\n").replaceAll(".25", ".5")}`,
      "btc.csv line 2: conflicting_duplicate",
    ],
  ])("says why, in the first file: %j", async (content, expected) => {
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
    [", whatever is wrong with some of them", sound.replace(",10", ",-10")],
  ])("says only so where its rows are of later days%s", async (_, content) => {
    const source = openCsv(folderOf({ "btc.csv": content }), BOARD);
    await expect(resolveAsOf(source, { today: 17_000 })).rejects.toThrow(
      /^source "csv" has no price of any board coin up to 2016-07-17$/,
    );
  });

  test("names what it has instead, other names and folders", () => {
    const files = { "BTC.csv": sound, "btc-usd.csv": sound, "eth.csv.gz": "", notes: null };
    expect(() => openCsv(folderOf(files), BOARD)).toThrow(
      'such as "btc.csv": it has "BTC.csv", "btc-usd.csv", "eth.csv.gz", and 1 more',
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
    const files = { "btc.csv": `${sound}2021-01-01,1,1,2,1,1\n2021-01-02,x,1,1,1,1\n` };
    expect(await asOf(files, 19_000)).toEqual({ asOf: 18_004, today: 19_000 });
  });

  test("does not follow a row that its neighbours refuse", async () => {
    const [header = "", first = "", ...rest] = sound.split("\n");
    const misplaced = [header, first, "2021-01-01,1,1,1,1,1", ...rest].join("\n");
    expect(await asOf({ "btc.csv": misplaced }, 19_000)).toMatchObject({ asOf: 18_004 });
    const twice = `${sound}2019-04-18,1,1,1,1,1\n`; // captured once before the day was over and once after
    expect(await asOf({ "btc.csv": twice }, 19_000)).toMatchObject({ asOf: 18_003 });
    expect(await asOf({ "btc.csv": twice, "eth.csv": sound }, 19_000)).toMatchObject({
      asOf: 18_004,
    });
  });
});

describe("a file that ends before the others", () => {
  const files = {
    "btc.csv": pricesText({ firstDay: 18_000, days: 5 }),
    "eth.csv": pricesText({ firstDay: 18_000, days: 3 }),
  };
  const ethOf = async (toDay: number, keepLastRows?: boolean) => {
    const source = openCsv(folderOf(files), BOARD, { keepLastRows });
    return await source.fetch(BOARD[1]!, { fromDay: null, toDay });
  };

  test("has its last day refused, which may not have been over", async () => {
    const { rows, faults } = await ethOf(18_004);
    expect(rows.map(({ day }) => day)).toEqual([18_000, 18_001]);
    expect(faults).toEqual([
      {
        line: 4,
        day: 18_002,
        reason: "last_day_unfinished",
        raw: files["eth.csv"].trimEnd().split("\n").at(-1),
      },
    ]);
  });

  test("keeps it where the run ends no later, or where the files are known to be whole", async () => {
    expect((await ethOf(18_002)).rows).toHaveLength(3);
    const kept = await ethOf(18_004, true);
    expect([kept.rows.length, kept.faults]).toEqual([3, []]);
  });

  test.each([
    [
      "no day before a refused last row",
      "2019-04-17,1,1,2,1,1\n",
      [18_000, 18_001, 18_002, 18_003],
    ],
    [
      "its last day also before a row of the future",
      "2030-01-01,1,1,1,1,1\n",
      [18_000, 18_001, 21_915],
    ],
  ])("loses %s", async (_, line, days) => {
    const folder = folderOf({ "eth.csv": files["eth.csv"] + line });
    const source = openCsv(folder, BOARD, { today: 18_010 });
    const { rows } = await source.fetch(BOARD[1]!, { fromDay: null, toDay: 18_004 });
    expect(rows.map(({ day }) => day)).toEqual(days);
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
    });
  },
);
