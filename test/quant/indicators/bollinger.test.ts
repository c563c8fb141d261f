import { describe, expect, test } from "vitest";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("bollinger", () => {
  const same = ({ price }: { price: number }) => price;

  indicatorContract({
    compute: ({ close }) => ({ ...bollinger(close, 20, 2) }),
    outputs: {
      upper: { warmUp: 19, price: "equivariant", flat: same },
      middle: { warmUp: 19, price: "equivariant", flat: same },
      lower: { warmUp: 19, price: "equivariant", flat: same },
    },
    refused: [
      ...[...BAD_PERIODS, 1].map((period) => () => bollinger(TULIP.close, period, 2)),
      ...[0, -1, NaN, Infinity].map((multiplier) => () => bollinger(TULIP.close, 20, multiplier)),
    ],
  });

  test("matches the series Tulip publishes", () => {
    const { upper, middle, lower } = bollinger(TULIP.close, 5, 2);
    expect(printed(lower)).toEqual(
      published("80.530,80.987,82.533,82.472,82.418,82.435,82.511,83.143,83.536,83.870,85.289"),
    );
    expect(printed(middle)).toEqual(
      published("82.426,82.738,83.094,83.318,83.628,83.778,84.254,84.994,85.574,86.218,86.804"),
    );
    expect(printed(upper)).toEqual(
      published("84.322,84.489,83.655,84.164,84.838,85.121,85.997,86.845,87.612,88.566,88.319"),
    );
  });
});
