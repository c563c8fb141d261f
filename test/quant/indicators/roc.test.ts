import { describe, expect, test } from "vitest";
import { roc } from "../../../quant/indicators/roc.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { TULIP } from "../../support/indicator-reference.ts";

describe("roc", () => {
  indicatorContract({
    compute: ({ close }) => ({ change: roc(close, 12) }),
    outputs: { change: { warmUp: 12, price: "invariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => roc(TULIP.close, period)),
  });

  test("is percent, and 0 where there is nothing to compare with", () => {
    expect([...roc(Float64Array.of(50, 0, 75, 10), 2)]).toEqual([NaN, NaN, 50, 0]);
  });
});
