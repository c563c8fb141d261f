import { expect, test } from "vitest";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { firstDifference } from "../../support/engine-bits.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import { largestDifference, startTalib } from "../../support/talib.ts";
import type { OfTalib } from "./row.ts";
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
  const outputOf = ({ name, inputs, options, at }: OfTalib) =>
    talib(name, { inputs: inputs(bars), options, outputs: OUTPUTS.get(name) ?? 1 })[at]!;
  for (const [name, { source }] of Object.entries(COLUMNS)) {
    const got = columns[name as IndicatorColumn];
    const isOurs = typeof source === "function";
    const wanted = isOurs ? source(bars) : outputOf(source!);
    const differs = isOurs
      ? firstDifference(got, wanted) !== -1
      : largestDifference(got, wanted, () => 100) >= 1e-9;
    expect({ name, differs }).toEqual({ name, differs: false });
  }
});
