import { describe, expect, test } from "vitest";
import { ichimoku } from "../../../quant/indicators/ichimoku.ts";
import { BAD_PERIODS, indicatorContract } from "../../support/indicator-contract.ts";
import { ramp, TULIP } from "../../support/indicator-reference.ts";

describe("ichimoku", () => {
  const periods = { conversion: 9, base: 26, spanB: 52 };
  const same = ({ price }: { price: number }) => price;

  indicatorContract({
    compute: ({ high, low }) => ({ ...ichimoku(high, low, periods) }),
    outputs: {
      conversion: { warmUp: 8, price: "equivariant", flat: same },
      base: { warmUp: 25, price: "equivariant", flat: same },
      lead1: { warmUp: 25, price: "equivariant", flat: same },
      lead2: { warmUp: 51, price: "equivariant", flat: same },
    },
    refused: BAD_PERIODS.flatMap((period) => [
      () => ichimoku(TULIP.high, TULIP.low, { ...periods, conversion: period }),
      () => ichimoku(TULIP.high, TULIP.low, { ...periods, base: period }),
      () => ichimoku(TULIP.high, TULIP.low, { ...periods, spanB: period }),
    ]),
  });

  test("lines of a steady rise lie half their window back", () => {
    const { high, low } = ramp(80);
    const { conversion, base, lead1, lead2 } = ichimoku(high, low, periods);
    expect(conversion[79]).toBe(179 - 4);
    expect(base[79]).toBe(179 - 12.5);
    expect(lead1[79]).toBe(179 - 8.25);
    expect(lead2[79]).toBe(179 - 25.5);
  });
});
