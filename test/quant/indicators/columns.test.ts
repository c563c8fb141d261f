import { expect, test } from "vitest";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { largestDifference, startTalib } from "../../support/talib.ts";
import { COLUMNS } from "./rows.ts";

/** Of the functions of TA-Lib that have more than one. */
const OUTPUTS = new Map([
  ["MACD", 3],
  ["BBANDS", 3],
  ["STOCH", 2],
  ["AROON", 2],
]);

test("every column has the definition and the periods of its row", async () => {
  const talib = await startTalib();
  const bars = madeUpBars({ seed: 2, days: 250 });
  const columns = computeIndicators(bars);
  expect(Object.keys(COLUMNS).sort()).toEqual(Object.keys(columns).sort());
  for (const [name, { source }] of Object.entries(COLUMNS)) {
    const got = columns[name as IndicatorColumn];
    if (typeof source === "function") {
      expect({ name, column: got }).toEqual({ name, column: source(bars) });
      continue;
    }
    const { name: indicator, inputs, options, at } = source!;
    const call = { inputs: inputs(bars), options, outputs: OUTPUTS.get(indicator) ?? 1 };
    const difference = largestDifference(got, talib(indicator, call)[at]!, () => 100);
    expect({ name, close: difference < 1e-9 }).toEqual({ name, close: true });
  }
});
