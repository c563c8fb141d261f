import { describe, expect, test } from "vitest";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { printed, published, TULIP } from "../../support/indicator-reference.ts";

describe("williamsR", () => {
  const { high, low, close } = TULIP;

  indicatorContract({
    compute: (bars) => ({ value: williamsR(bars.high, bars.low, bars.close, 14) }),
    outputs: { value: { warmUp: 13, price: "invariant", flat: () => 0 } },
    refused: BAD_PERIODS.map((period) => () => williamsR(high, low, close, period)),
  });

  test("matches the series Tulip publishes", () => {
    expect(printed(williamsR(high, low, close, 5))).toEqual(
      published(
        "-7.477,-23.006,-40.927,-15.500,-11.417,-23.704,-10.278,-0.935,-3.051,-5.793,-17.884",
      ),
    );
  });
});
