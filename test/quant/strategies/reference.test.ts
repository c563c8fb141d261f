import { beforeAll, describe, expect, test } from "vitest";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { DEFAULT_COSTS } from "../../../quant/engine/costs.ts";
import { CATALOGUE, WARM_UP_DAYS } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { keepLedger } from "../../support/engine-ledger.ts";
import { hasRealPrices, testBars, testTickers } from "../../support/real-prices.ts";
import { referenceFlags, REFERENCES } from "../../support/strategy-reference.ts";
import { startTalib, type Talib } from "../../support/talib.ts";

/**
 * The longest history, the wildest days, prices of a millionth of a dollar, a history that ends in days
 * without volume, and a flash low near zero.
 */
const TICKERS = hasRealPrices ? ["btc", "doge", "shib", "klay", "link"] : testTickers();

let talib: Talib;
beforeAll(async () => {
  talib = await startTalib();
});

test("every template has a reference", () => {
  expect(Object.keys(REFERENCES)).toEqual(CATALOGUE.map((template) => template.name));
});

describe.each(TICKERS)("on %s, all variants of", (ticker) => {
  const bars = testBars(ticker);
  const market = createMarket(bars);
  const window = { from: Math.min(WARM_UP_DAYS, bars.day.length), to: bars.day.length };

  test.each(CATALOGUE)("$name say and trade what their words say", (template) => {
    for (const params of template.variants) {
      const flags = flagsOf(template, market, params);
      const expected = referenceFlags(template.name, bars, params, talib);
      const differing = Array.from(bars.day.keys()).filter((row) => flags[row] !== expected[row]);
      expect({ params, differing }).toEqual({ params, differing: [] });
      const ledger = keepLedger(expected, bars, window, DEFAULT_COSTS);
      const { trades, equity } = runBacktest({ bars, flags, window, startingCash: 1000 });
      const dayOf = (row: number | undefined) =>
        row === undefined ? null : bars.day[window.from + row];
      expect({ params, trades: trades.map((trade) => [trade.entryDay, trade.exitDay]) }).toEqual({
        params,
        trades: ledger.trades.map(({ entry, exit }) => [dayOf(entry), dayOf(exit)]),
      });
      const apart = ledger.equity.map((value, row) => Math.abs(value / equity[row]! - 1));
      expect(Math.max(...apart)).toBeLessThan(1e-11);
    }
  });
});
