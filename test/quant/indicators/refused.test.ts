import { expect, test } from "vitest";
import { rma } from "../../../quant/indicators/rma.ts";
import { rollingMax, rollingMin } from "../../../quant/indicators/rolling-extreme.ts";
import { slidingSum } from "../../../quant/indicators/sliding-sum.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { wma } from "../../../quant/indicators/wma.ts";
import { TULIP } from "../../support/indicator-reference.ts";
import type { IndicatorRow } from "./row.ts";
import { INDICATORS } from "./rows.ts";

const { close } = TULIP;
const ROWS = Object.entries<Partial<IndicatorRow>>({
  ...INDICATORS,
  rma: { periods: [(period) => rma(close, period)] },
  rollingMax: { periods: [(period) => rollingMax(close, period)] },
  rollingMin: { periods: [(period) => rollingMin(close, period)] },
  slidingSum: { periods: [(period) => slidingSum(close, period)] },
  standardDeviation: { periodsFrom2: [(period) => standardDeviation(close, period)] },
  wma: { periods: [(period) => wma(close, period)] },
});

test.each(ROWS)("%s refuses what is no period, no factor or in the wrong order", (_, row) => {
  const { periods = [], periodsFrom2 = [], factors = [], disordered = [] } = row;
  for (const compute of [...periods, ...periodsFrom2]) {
    for (const period of [0, -1, 1.5, NaN, Infinity])
      expect(() => compute(period)).toThrow(RangeError);
  }
  for (const compute of periodsFrom2) expect(() => compute(1)).toThrow(RangeError);
  for (const compute of factors) {
    for (const factor of [0, -1, NaN, Infinity]) expect(() => compute(factor)).toThrow(RangeError);
  }
  for (const compute of disordered) expect(compute).toThrow(RangeError);
});
