import { describe, expect, test } from "vitest";
import { obv } from "../../../quant/indicators/obv.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";

describe("obv", () => {
  indicatorContract({
    compute: ({ close, volume }) => ({ balance: obv(close, volume) }),
    outputs: {
      balance: {
        warmUp: 0,
        price: "invariant",
        volume: "equivariant",
        flat: ({ volume }) => volume,
      },
    },
    refused: [],
  });

  test("adds on a rise, subtracts on a fall and keeps its value on neither", () => {
    const close = Float64Array.of(10, 11, 11, 9, 12);
    const volume = Float64Array.of(100, 20, 30, 40, 5);
    expect([...obv(close, volume)]).toEqual([100, 120, 120, 80, 85]);
  });
});
