import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BOARD_COINS_MAX, loadBoard, parseBoard } from "../../pipeline/board.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { InputError } from "../../pipeline/sources/input-error.ts";
import { folderOf } from "../support/prices-file.ts";
import { hasRealPrices, testBars } from "../support/real-prices.ts";

const btc = { ticker: "btc", name: "Bitcoin", symbol: "BTC/USDT" };

describe("the built-in board", () => {
  const board = loadBoard();

  test("has 50 coins, the largest first", () => {
    expect(board).toHaveLength(50);
    const first = board.slice(0, 5).map(({ ticker }) => ticker);
    expect(first).toEqual(["btc", "eth", "xrp", "bnb", "sol"]);
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
    ["a name after a blank", [{ ...btc, name: " Bitcoin" }], '"name" must be 1 to 80'],
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

  test("with a ticker twice is refused with its lines, where they differ", () => {
    const lines = [btc, { ...btc, ticker: "eth" }, btc].map((coin) => JSON.stringify(coin));
    const problem = 'entry 3: "ticker" "btc" is already that of entry 1';
    expect(() => load(`[\n${lines.join(",\n")}\n]`)).toThrow(
      new RegExp(`^board "[^"]+": ${problem}, lines 2 and 4$`),
    );
    expect(() => load(`[${lines.join(",")}]`)).toThrow(new RegExp(`${problem}$`));
  });

  describe("with earlier symbols", () => {
    const earlier = [
      { symbol: "OLD/USDT", until: "2020-02-29", factor: 1000 },
      { symbol: "MATIC/USDT", until: "2024-08-29" },
    ];
    const one = { ...earlier[1]!, factor: 1 };

    test("gives their last days as days, and a factor of 1 where it has none", () => {
      expect(parseBoard([{ ...btc, earlier }], "b")).toEqual([
        {
          ...btc,
          earlier: [
            { symbol: "OLD/USDT", until: dayOfDate("2020-02-29"), factor: 1000 },
            { symbol: "MATIC/USDT", until: dayOfDate("2024-08-29"), factor: 1 },
          ],
        },
      ]);
    });

    test.each<[unknown, string?]>([
      ["MATIC/USDT"],
      [null],
      [[], "[]"],
      [Array.from({ length: 11 }, (_, index) => ({ ...one, until: `20${index + 10}-01-01` }))],
      [["MATIC/USDT"], '"MATIC/USDT"'],
      [[null]],
      [[{ ...one, from: "2020-01-01" }]],
      [[{ ...one, symbol: "MATIC" }]],
      [[{ until: "2024-08-29" }]],
      [
        [{ ...one, until: "2024-02-30" }],
        '{"symbol":"MATIC/USDT","until":"2024-02-30","factor":1}',
      ],
      [[{ ...one, until: 20240829 }]],
      [[{ symbol: "MATIC/USDT" }]],
      [[{ ...one, factor: 0 }]],
      [[{ ...one, factor: "1000" }]],
      [[{ ...one, factor: null }]],
      [earlier.toReversed(), '{"symbol":"OLD/USDT","until":"2020-02-29","factor":1000}'],
      [[one, one]],
    ])("is refused with one line for %j", (value, got = "") => {
      const attempt = () => parseBoard([btc, { ...btc, ticker: "pol", earlier: value }], "b");
      expect(attempt).toThrow(InputError);
      expect(attempt).toThrow('board "b": entry 2: "earlier" must be 1 to 10 objects such as ');
      expect(attempt).toThrow(`by their last days, got ${got}`);
    });
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
