import { describe, expect, test } from "vitest";
import { realizedVolatility } from "../../../quant/indicators/realized-volatility.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { TULIP } from "../../support/indicator-reference.ts";

describe("realizedVolatility", () => {
  indicatorContract({
    compute: ({ close }) => ({ volatility: realizedVolatility(close, 30) }),
    outputs: { volatility: { warmUp: 30, price: "invariant", flat: () => 0 } },
    refused: [...BAD_PERIODS, 1].map((period) => () => realizedVolatility(TULIP.close, period)),
  });

  test("is the sample deviation of log returns, annualised", () => {
    // Alternating returns of +10 % and -10 % (in logs): mean 0 over four, so sqrt(4 x 0.01 / 3) per day.
    const close = Float64Array.from([0, 1, 0, 1, 0, 1], (up) => 50 * Math.exp(0.1 * up));
    const daily = Math.sqrt((4 * 0.01) / 3);
    expect(realizedVolatility(close, 4)[5]).toBeCloseTo(daily * Math.sqrt(365), 12);
  });

  test("of steady growth is 0", () => {
    const close = Float64Array.from({ length: 40 }, (_, row) => 2 ** row);
    expect(realizedVolatility(close, 30)[39]).toBe(0);
  });
});
