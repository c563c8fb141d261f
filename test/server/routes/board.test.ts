import { describe, expect, test } from "vitest";
import { coinOf, dayWithin } from "../../../server/routes/board.ts";
import { AS_OF, FIRST_DAY, MARKET, marketSnapshot } from "../../support/server-market.ts";

const snapshot = marketSnapshot();

describe("a ticker", () => {
  test("of the board is its coin", () => {
    for (const { ticker } of MARKET) expect(coinOf(snapshot, ticker).ticker).toBe(ticker);
  });

  test.each([
    ["btx", 'coin "btx" is not on the board; nearest: "btc"'],
    ["bitc", 'nearest: "btc"'],
    ["BTC", 'coin "BTC" is not on the board: tickers are lower-case, ask for "btc"'],
    ["Sol", 'ask for "sol"'],
    [" btc", 'coin " btc" is not on the board; nearest: "btc"'],
    ["dogecoin", "GET /signals without a coin lists all 5"],
    ["bitcoin", 'coin "bitcoin" is not on the board; nearest: "btc"'],
    ["Old Coin", 'nearest: "old"'],
    ["BTCUSDT", 'coin "BTCUSDT" is not on the board; nearest: "btc"'],
    ["eth-usd", 'nearest: "eth"'],
    ["sol/usdc", 'nearest: "sol"'],
    ["btceur", "GET /signals without a coin lists all 5"],
    ["x".repeat(10_000), `coin "${"x".repeat(40)}..." is not on the board`],
    ["\u0000", 'coin "?" is not on the board'],
    ["__proto__", "is not on the board"],
  ])("%j is not, and the message helps", (ticker, message) => {
    expect(() => coinOf(snapshot, ticker)).toThrow(message);
    expect(() => coinOf(snapshot, ticker)).toThrow(
      expect.objectContaining({ code: "unknown_coin" }),
    );
  });
});

describe("the nearest tickers", () => {
  const coins = ["ltc", "btc", "eth", "etc", "s"].map((ticker) => ({ ...MARKET[4]!, ticker }));
  const board = marketSnapshot("id", coins);

  test.each([
    ["etx", "are three, the fewest edits first", 'nearest: "eth", "etc", "ltc"'],
    ["ethxx", "are two edits away", 'nearest: "eth"'],
    ["ethxxx", "are not three edits away", "lists all 5"],
    ["x", "keep a letter of what was typed", "lists all 5"],
  ])("to %s %s", (ticker, _, expected) => {
    const fault = `coin "${ticker}" is not on the board; `;
    expect(() => coinOf(board, ticker)).toThrow(new RegExp(`^${fault}.*${expected}$`));
  });
});

describe("a date within a history", () => {
  const history = { firstDay: FIRST_DAY, lastDay: AS_OF };
  const parameter = { name: "date", code: "invalid_parameter" } as const;

  test("is a day, at both ends too", () => {
    expect(dayWithin(history, parameter, "2020-01-01")).toBe(FIRST_DAY);
    expect(dayWithin(history, parameter, "2022-06-18")).toBe(AS_OF);
  });

  test.each(["2019-12-31", "2022-06-19", "0001-01-01", "9999-12-31"])("is not %s", (date) => {
    const range = `2020-01-01 to 2022-06-18, got "${date}"`;
    expect(() => dayWithin(history, parameter, date)).toThrow(
      `"date" must be within the history of the board, ${range}`,
    );
    expect(() => dayWithin({ ...history, ticker: "btc" }, parameter, date)).toThrow(
      `"date" must be within the history of "btc", ${range}`,
    );
  });
});
