import { describe, expect, test } from "vitest";
import { emptyBars } from "../../../quant/bars.ts";
import { coinOfSymbol } from "../../../quant/check/coin-symbol.ts";
import { markedRows } from "../../../quant/check/marked-rows.ts";
import type { Trade } from "../../../quant/check/trade.ts";
import { DAY, FIRST_DAY } from "./panels.ts";

/** Closes of 100, 110, 120, ... */
const BARS = emptyBars(10);
for (let row = 0; row < 10; row++) {
  BARS.day[row] = FIRST_DAY + row;
  BARS.open[row] = 95 + 10 * row;
  BARS.low[row] = 90 + 10 * row;
  BARS.high[row] = 105 + 10 * row;
  BARS.close[row] = 100 + 10 * row;
}
const at = (row: number) => (FIRST_DAY + row) * DAY;
const trade = (over: Partial<Trade> = {}): Trade => ({
  variant: "a",
  entry: at(2),
  exit: at(5),
  profit: 50,
  position: { size: 2, entryPrice: 115, long: true },
  ...over,
});
const marked = (...trades: readonly Trade[]) =>
  markedRows({ trades, capital: 1000 }, (symbol) => (symbol === "none" ? undefined : BARS));

describe("markedRows", () => {
  test("by hand: the close values what is open, the profit what is closed", () => {
    const { rows } = marked(trade());
    // 2 coins bought at 115 close at 120, 130 and 140; the trade then brought 50.
    expect(Array.from(rows!.columns[0]!)).toEqual([1000, 1010, 1030, 1050, 1050]);
    expect(rows!.instants[0]).toBe(at(1));
  });

  test("trades add up, each variant by itself", () => {
    const { rows } = marked(
      trade(),
      trade({
        entry: at(4),
        exit: at(6),
        profit: -10,
        position: { size: 1, entryPrice: 135, long: true },
      }),
      trade({ variant: "b", entry: at(3), exit: at(3), profit: 7 }),
    );
    expect(Array.from(rows!.columns[0]!)).toEqual([1000, 1010, 1030, 1055, 1065, 1040]);
    expect(Array.from(rows!.columns[1]!)).toEqual([1000, 1000, 1007, 1007, 1007, 1007]);
  });

  test.each([
    ["shorts", { position: { size: 1, entryPrice: 115, long: false } }, "some trades are short"],
    ["trades without sizes", { position: undefined }, "lack their size"],
    [
      "other coins",
      { position: { symbol: "none", size: 1, entryPrice: 115, long: true } },
      "no prices of none",
    ],
    ["other days", { exit: at(12) }, "don't cover"],
    [
      "other prices",
      { position: { size: 1, entryPrice: 200, long: true } },
      "200 on 2023-01-04 is not a price",
    ],
  ])("%s are not valued", (_, over, reason) => {
    expect(marked(trade(over)).reason).toContain(reason);
  });

  test("an account that is lost on the way is refused", () => {
    const large = trade({ position: { size: 500, entryPrice: 125, long: true } });
    expect(() => marked(large)).toThrow(/account of "a" is lost on 2023-01-04/);
  });
});

test.each([
  ["BTC/USDT", "btc"],
  ["ETH-USDT", "eth"],
  ["BTCUSDT.BINANCE", "btc"],
  ["ethusd", "eth"],
  ["BTC/USDT:USDT", "btc"],
  ["btc", "btc"],
  ["AAPL", undefined],
])("the coin of %s", (symbol, coin) => {
  expect(coinOfSymbol(symbol, new Set(["btc", "eth"]))).toBe(coin);
});
