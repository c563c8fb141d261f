import { describe, expect, test } from "vitest";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

describe("stochRsi", () => {
  const periods = { rsiPeriod: 14, stochPeriod: 14, kSmoothing: 3, dSmoothing: 3 };

  indicatorContract({
    compute: ({ close }) => ({ ...stochRsi(close, periods) }),
    outputs: {
      k: { warmUp: 29, price: "invariant", flat: () => 0 },
      d: { warmUp: 31, price: "invariant", flat: () => 0 },
    },
    refused: BAD_PERIODS.flatMap((period) => [
      () => stochRsi(TULIP.close, { ...periods, rsiPeriod: period }),
      () => stochRsi(TULIP.close, { ...periods, stochPeriod: period }),
    ]),
  });

  test("unsmoothed matches the series Tulip publishes, in points", () => {
    const raw = { rsiPeriod: 5, stochPeriod: 5, kSmoothing: 1, dSmoothing: 1 };
    const shares = stochRsi(TULIP.close, raw).k.map((value) => value / 100);
    expect(printed(shares)).toEqual(published("0.658,1.000,1.000,1.000,1.000,0.000"));
  });

  test("is 100 on a day of the highest RSI and 0 on one of the lowest", () => {
    const { close } = madeUpBars({ seed: 4, days: 200 });
    const strength = rsi(close, 14);
    const { k } = stochRsi(close, { ...periods, kSmoothing: 1, dSmoothing: 1 });
    for (let row = 27; row < 200; row++) {
      const window = strength.slice(row - 13, row + 1);
      expect(k[row]! > 99.999_999).toBe(Math.max(...window) === strength[row]);
      expect(k[row] === 0).toBe(Math.min(...window) === strength[row]);
    }
  });
});
