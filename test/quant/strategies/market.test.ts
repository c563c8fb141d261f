import { expect, test } from "vitest";
import { sma } from "../../../quant/indicators/sma.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 4, days: 60 });

test("computes a column once for each list of parameters, and keeps it", () => {
  const market = createMarket(BARS);
  const ten = market.sma(10);
  expect(ten).toEqual(sma(BARS.close, 10));
  expect(market.sma(11)).toEqual(sma(BARS.close, 11));
  expect(market.sma(10)).toBe(ten);
  const [one, other] = [market.stochastic(1, 12, 3), market.stochastic(11, 2, 3)];
  expect(market.stochastic(1, 12, 3)).toBe(one);
  expect(one.d, "the same digits in a row").not.toEqual(other.d);
});
