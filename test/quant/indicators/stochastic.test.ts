import { describe, expect, test } from "vitest";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

describe("stochastic", () => {
  const periods = { kPeriod: 14, kSmoothing: 3, dSmoothing: 3 };
  const { high, low, close } = TULIP;

  indicatorContract({
    compute: (bars) => ({ ...stochastic(bars.high, bars.low, bars.close, periods) }),
    outputs: {
      k: { warmUp: 15, price: "invariant", flat: () => 0 },
      d: { warmUp: 17, price: "invariant", flat: () => 0 },
    },
    refused: BAD_PERIODS.flatMap((period) => [
      () => stochastic(high, low, close, { ...periods, kPeriod: period }),
      () => stochastic(high, low, close, { ...periods, kSmoothing: period }),
      () => stochastic(high, low, close, { ...periods, dSmoothing: period }),
    ]),
  });

  test("matches the series Tulip publishes", () => {
    const { k, d } = stochastic(high, low, close, { kPeriod: 5, kSmoothing: 3, dSmoothing: 3 });
    expect(printed(k).slice(2)).toEqual(
      published("77.385,83.126,84.867,88.361,95.246,96.740,91.091"),
    );
    expect(printed(d)).toEqual(published("75.702,78.011,81.793,85.452,89.491,93.449,94.359"));
  });

  test("unsmoothed is Williams %R plus 100", () => {
    const bars = madeUpBars({ seed: 3, days: 200 });
    const raw = { kPeriod: 14, kSmoothing: 1, dSmoothing: 1 };
    const { k } = stochastic(bars.high, bars.low, bars.close, raw);
    const percentR = williamsR(bars.high, bars.low, bars.close, 14);
    for (let row = 13; row < 200; row++) expect(percentR[row]! + 100).toBeCloseTo(k[row]!, 9);
  });
});
