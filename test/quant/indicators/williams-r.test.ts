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

  test("stays within 0 to -100 where a close lies outside its own day's range, as in TA-Lib 0.8.1", () => {
    const highs = Float64Array.of(5, 4, 3, 2.5, 2, 3, 3.2);
    const lows = highs.map((price) => price - 1);
    const at = (offset: number) => {
      const closes = lows.map((price) => price + offset);
      return [...williamsR(highs, lows, closes, 3)].slice(2).map((value) => value.toFixed(4));
    };
    expect(at(-0.05)).toEqual(["-100.0000", "-100.0000", "-100.0000", "-52.5000", "-47.7273"]);
    expect(at(1.05)).toEqual(["-65.0000", "-58.0000", "-47.5000", "0.0000", "0.0000"]);
  });
});
