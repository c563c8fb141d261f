import { expect, test } from "vitest";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { volatilityFilteredTrend } from "../../../quant/strategies/volatility-filtered-trend.ts";
import { flatBars } from "../../support/indicator-contract.ts";

test("neither enters nor leaves a market that stands still: everything ties", () => {
  const market = createMarket(flatBars({ price: 100 / 3, volume: 10, days: 260 }));
  for (const params of volatilityFilteredTrend.variants) {
    expect(flagsOf(volatilityFilteredTrend, market, params)).toEqual(new Uint8Array(260));
  }
});
