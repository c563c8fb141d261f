import { expect, test } from "vitest";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { volatilityFilteredTrend } from "../../../quant/strategies/volatility-filtered-trend.ts";
import { flatBars } from "../../support/made-up-bars.ts";

test("neither enters nor leaves where prices do not move: everything ties", () => {
  const market = createMarket(flatBars({ price: 100 / 3, volume: 10, days: 260 }));
  for (const params of volatilityFilteredTrend.variants) {
    expect(flagsOf(volatilityFilteredTrend, market, params)).toEqual(new Uint8Array(260));
  }
});

test("nor one that grows steadily, in any unit: no day is calmer than another", () => {
  for (const unit of [1, 1000, 1e-9]) {
    const bars = flatBars({ price: 1, volume: 10, days: 1000 });
    for (const column of [bars.open, bars.high, bars.low, bars.close]) {
      for (let row = 0; row < column.length; row++) column[row] = unit * 1.004 ** row;
    }
    const market = createMarket(bars);
    for (const params of volatilityFilteredTrend.variants) {
      expect(flagsOf(volatilityFilteredTrend, market, params)).toEqual(new Uint8Array(1000));
    }
  }
});
