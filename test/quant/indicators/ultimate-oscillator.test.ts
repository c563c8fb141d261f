import { describe, expect, test } from "vitest";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("ultimateOscillator", () => {
  const { high, low, close } = TULIP;
  const periods = { short: 7, medium: 14, long: 28 };

  indicatorContract({
    compute: (bars) => ({ value: ultimateOscillator(bars.high, bars.low, bars.close, periods) }),
    outputs: { value: { warmUp: 28, price: "invariant", flat: () => 0 } },
    refused: [
      ...BAD_PERIODS.map(
        (short) => () => ultimateOscillator(high, low, close, { ...periods, short }),
      ),
      () => ultimateOscillator(high, low, close, { short: 14, medium: 7, long: 28 }),
      () => ultimateOscillator(high, low, close, { short: 7, medium: 28, long: 14 }),
    ],
  });

  test("matches the series Tulip publishes", () => {
    const values = ultimateOscillator(high, low, close, { short: 2, medium: 3, long: 5 });
    expect(printed(values)).toEqual(
      published("43.499,34.044,65.883,73.955,53.388,64.149,81.282,90.186,86.114,65.450"),
    );
  });
});
