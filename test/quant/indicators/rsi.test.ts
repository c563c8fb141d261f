import { describe, expect, test } from "vitest";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { mirrored, printed, published, ramp, TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

describe("rsi", () => {
  indicatorContract({
    compute: ({ close }) => ({ rsi: rsi(close, 14) }),
    // Others define a market without any change as 50; TA-Lib as 0.
    outputs: { rsi: { warmUp: 14, price: "invariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => rsi(TULIP.close, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(rsi(TULIP.close, 5))).toEqual(
      published("72.034,64.927,75.936,79.796,74.713,83.033,87.478,88.755,91.483,78.498"),
    );
  });

  test("is 100 without any loss and 0 without any gain", () => {
    const rising = ramp(30);
    expect(rsi(rising.close, 14)[29]).toBe(100);
    expect(rsi(mirrored(rising).close, 14)[29]).toBe(0);
  });

  test("of a market upside down is its complement to 100", () => {
    const bars = madeUpBars({ seed: 1, days: 300 });
    const values = rsi(bars.close, 14);
    const turned = rsi(mirrored(bars).close, 14);
    for (let row = 14; row < 300; row++) expect(turned[row]! + values[row]!).toBeCloseTo(100, 9);
  });
});
