import { describe, expect, test } from "vitest";
import { momentum } from "../../../quant/indicators/momentum.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("momentum", () => {
  indicatorContract({
    compute: ({ close }) => ({ change: momentum(close, 10) }),
    outputs: { change: { warmUp: 10, price: "equivariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => momentum(TULIP.close, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(momentum(TULIP.close, 5))).toEqual(
      published("1.560,1.780,1.120,1.550,0.750,2.380,3.700,2.900,3.220,2.930"),
    );
  });
});
