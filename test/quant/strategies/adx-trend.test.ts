import { expect, test } from "vitest";
import { adxTrend } from "../../../quant/strategies/adx-trend.ts";
import { ENTER, EXIT } from "../../../quant/strategies/mark.ts";
import type { Market } from "../../../quant/strategies/market.ts";

test("neither enters nor leaves while the directions tie, however strong the trend is", () => {
  const column = (...values: number[]) => Float64Array.from(values);
  const directions = {
    adx: column(NaN, 40, 40, 25, 40),
    plusDi: column(30, 30, 20, 30, 20),
    minusDi: column(10, 10, 20, 10, 30),
  };
  const market = { adx: () => directions } as unknown as Market; // all that this template reads
  const flags = new Uint8Array(5);
  adxTrend.rules(market, { period: 14, threshold: 25 }, flags);
  expect(Array.from(flags)).toEqual([0, ENTER, 0, 0, EXIT]);
});
