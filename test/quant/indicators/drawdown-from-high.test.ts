import { describe, expect, test } from "vitest";
import { drawdownFromHigh } from "../../../quant/indicators/drawdown-from-high.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";

describe("drawdownFromHigh", () => {
  indicatorContract({
    compute: ({ close }) => ({ drawdown: drawdownFromHigh(close) }),
    outputs: { drawdown: { warmUp: 0, price: "invariant", flat: () => 0 } },
    refused: [],
  });

  test("is measured from the highest close so far", () => {
    const close = Float64Array.of(100, 128, 96, 128, 160, 80);
    expect([...drawdownFromHigh(close)]).toEqual([0, 0, -0.25, 0, 0, -0.5]);
  });
});
