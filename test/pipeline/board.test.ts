import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BOARD_COINS_MAX, loadBoard, parseBoard } from "../../pipeline/board.ts";
import { InputError } from "../../pipeline/sources/input-error.ts";
import { folderOf } from "../support/prices-file.ts";
import { hasRealPrices, testBars } from "../support/real-prices.ts";

const btc = { ticker: "btc", name: "Bitcoin", symbol: "BTC/USDT" };

describe("the built-in board", () => {
  const board = loadBoard();

  test("has 50 coins, the largest first", () => {
    expect(board).toHaveLength(50);
    expect(board.slice(0, 5).map(({ ticker }) => ticker)).toEqual([
      "btc",
      "eth",
      "xrp",
      "bnb",
      "sol",
    ]);
  });

  test("quotes every coin in USDT under its own ticker", () => {
    for (const { ticker, symbol } of board) expect(symbol).toBe(`${ticker.toUpperCase()}/USDT`);
  });

  test.runIf(hasRealPrices)("has no coin with fewer than 300 days of real prices", () => {
    const short = board.filter(({ ticker }) => testBars(ticker).day.length < 300);
    expect(short).toEqual([]);
  });
});

describe("a board file", () => {
  const load = (content: string | Buffer) =>
    loadBoard(join(folderOf({ "board.json": content }), "board.json"));

  test("is read in its own order, with or without a byte order mark", () => {
    const eth = { ticker: "eth", name: "E".repeat(80), symbol: "ETH/USDT" };
    expect(load(`\uFEFF${JSON.stringify([eth, btc])}`)).toEqual([eth, btc]);
  });

  test("may hold as many coins as the limit, and not one more", () => {
    const coins = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...btc, ticker: `c${index}` }));
    expect(parseBoard(coins(BOARD_COINS_MAX), "b")).toHaveLength(10_000);
    expect(() => parseBoard(coins(BOARD_COINS_MAX + 1), "b")).toThrow(
      'board "b": expected 1 to 10000 coins, got 10001',
    );
  });

  test.each<[string, unknown, string]>([
    ["no array", { coins: [] }, "expected a JSON array of coins, got an object"],
    ["null", null, "expected a JSON array of coins, got null"],
    ["empty", [], "expected 1 to 10000 coins, got 0"],
    ["an entry that is text", [btc, "eth"], 'entry 2: expected an object with "ticker"'],
    ["an entry that is null", [null], "entry 1: expected an object"],
    ["an entry that is an array", [["btc"]], '"name" and "symbol", got an array'],
    [
      "a missing member",
      [{ ticker: "btc", name: "Bitcoin" }],
      'entry 1: "symbol" must be a string, got nothing',
    ],
    ["a number as name", [{ ...btc, name: 7 }], '"name" must be a string, got a number'],
    ["an unknown member", [{ ...btc, decimals: 8 }], 'entry 1: unknown member "decimals"'],
    ["an upper-case ticker", [{ ...btc, ticker: "BTC" }], '"ticker" must be 1 to 16'],
    ["a long ticker", [{ ...btc, ticker: "a".repeat(17) }], '"ticker" must be 1 to 16'],
    ["a ticker that leaves the folder", [{ ...btc, ticker: "../x" }], 'got "../x"'],
    ["an empty name", [{ ...btc, name: "" }], '"name" must be 1 to 80'],
    ["a name behind a blank", [{ ...btc, name: " Bitcoin" }], '"name" must be 1 to 80'],
    [
      "a long name",
      [{ ...btc, name: "n".repeat(81) }],
      `"name" must be 1 to 80 characters on one line, trimmed, got "${"n".repeat(60)}…"`,
    ],
    ["a name of two lines", [{ ...btc, name: "Bit\ncoin" }], '"name" must be 1 to 80'],
    ["no symbol pair", [{ ...btc, symbol: "BTCUSDT" }], 'an exchange symbol such as "BTC/USDT"'],
    [
      "a ticker twice",
      [btc, { ...btc, name: "B" }],
      'entry 2: "ticker" "btc" is already that of entry 1',
    ],
  ])("is refused with one line for %s", (_, value, expected) => {
    const attempt = () => load(JSON.stringify(value));
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(expected);
    expect(attempt).not.toThrow(/\n/);
  });

  test("that is not JSON is refused with one line", () => {
    for (const text of ['[\n{"ticker": "btc",\n', '[\n{"ticker": btc}\n]']) {
      expect(() => load(text)).toThrow(/^board ".*board.json" is not JSON: [^\n]*$/);
    }
  });

  test("that is absent, a folder or too large is refused", () => {
    const folder = folderOf({ "large.json": Buffer.alloc(5 * 1024 * 1024, " ") });
    expect(() => loadBoard(join(folder, "none.json"))).toThrow(/cannot be read: ENOENT/);
    expect(() => loadBoard(folder)).toThrow(/^board "[^"]*" is not a file$/);
    expect(() => loadBoard(join(folder, "large.json"))).toThrow(/at most 4194304 are read/);
  });
});
