import { describe, expect, test } from "vitest";
import { typicalPrice } from "../../../quant/indicators/typical-price.ts";
import { indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("typicalPrice", () => {
  indicatorContract({
    compute: ({ high, low, close }) => ({ price: typicalPrice(high, low, close) }),
    outputs: {
      price: {
        warmUp: 0,
        price: "equivariant",
        flat: ({ price }) => (price + price + price) / 3,
      },
    },
    refused: [],
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(typicalPrice(TULIP.high, TULIP.low, TULIP.close)).slice(0, 5)).toEqual(
      published("81.677,81.197,82.403,82.983,83.510"),
    );
  });
});
