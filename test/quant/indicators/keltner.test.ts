import { describe, expect, test } from "vitest";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TALIPP } from "../../support/indicator-reference.ts";

describe("keltner", () => {
  const { high, low, close } = TALIPP;
  const options = { period: 20, atrPeriod: 10, multiplier: 2 };
  const same = ({ price }: { price: number }) => price;

  indicatorContract({
    compute: (bars) => ({ ...keltner(bars.high, bars.low, bars.close, options) }),
    outputs: {
      upper: { warmUp: 19, price: "equivariant", flat: same },
      middle: { warmUp: 19, price: "equivariant", flat: same },
      lower: { warmUp: 19, price: "equivariant", flat: same },
    },
    refused: [
      ...BAD_PERIODS.flatMap((period) => [
        () => keltner(high, low, close, { ...options, period }),
        () => keltner(high, low, close, { ...options, atrPeriod: period }),
      ]),
      () => keltner(high, low, close, { ...options, multiplier: 0 }),
    ],
  });

  test("matches the values talipp publishes", () => {
    const narrow = keltner(high, low, close, { period: 10, atrPeriod: 10, multiplier: 2 });
    const wide = keltner(high, low, close, { period: 10, atrPeriod: 10, multiplier: 3 });
    expect(printed(narrow.upper, 5).slice(-3)).toEqual(published("11.00187,11.09664,11.16139"));
    expect(printed(narrow.middle, 4).slice(-3)).toEqual(published("9.6439,9.7505,9.7958"));
    expect(printed(wide.lower, 5).slice(-3)).toEqual(published("7.60691,7.73118,7.74748"));
  });

  test("has a middle before it has bands when the range takes longer", () => {
    const { upper, middle } = keltner(high, low, close, { ...options, period: 5 });
    expect([middle.findIndex(Number.isFinite), upper.findIndex(Number.isFinite)]).toEqual([4, 9]);
  });
});
