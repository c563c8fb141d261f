import { beforeAll, describe, expect, test } from "vitest";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { CATALOGUE, WARM_UP_DAYS } from "../../../quant/strategies/catalogue.ts";
import { completed, refusedSet } from "../../../quant/strategies/legal.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf, tidy, type Params, type Template } from "../../../quant/strategies/template.ts";
import { keepLedger } from "../../support/engine-ledger.ts";
import { madeUpBars, seededUniform, withPrices } from "../../support/made-up-bars.ts";
import { testBars } from "../../support/real-prices.ts";
import { referenceFlags } from "../../support/strategy-reference.ts";
import { startTalib, type Talib } from "../../support/talib.ts";

let talib: Talib;
beforeAll(async () => {
  talib = await startTalib();
});

/** A legal set at random, drawn until the order holds. */
function randomSet(template: Template, uniform: () => number): Params {
  for (;;) {
    const values = template.parameters.map(({ name, min, max, integer }) => {
      const value = min + uniform() * (max - min);
      return [name, integer ? Math.round(value) : tidy(Math.round(value * 1000) / 1000)];
    });
    const params = Object.fromEntries(values) as Params;
    if (refusedSet(template, params) === undefined) return params;
  }
}

describe.each(CATALOGUE)("$name", (template) => {
  test("allows its 13 variants, and no parameter beyond its bounds", () => {
    for (const params of template.variants)
      expect([params, refusedSet(template, params)]).toEqual([params, undefined]);
    for (const { name, min, max, integer } of template.parameters) {
      for (const value of [min - 1e-6, max + 1e-6, NaN, Infinity, ...(integer ? [min + 0.5] : [])])
        expect(refusedSet(template, { ...template.variants[0], [name]: value })).toContain(
          `"${name}" must be a ${integer ? "whole number" : "number"} from ${min} to ${max}, got ${value}`,
        );
    }
  });

  test("is warmed up by 200 rows even with its longest lengths", () => {
    const longest = template.parameters.map((each) => [
      each.name,
      each.integer ? each.max : each.default,
    ]);
    const params = Object.fromEntries(longest) as Params;
    expect(refusedSet(template, params)).toBeUndefined();
    const tilted = (daily: number) => {
      const bars = madeUpBars({ seed: 1, days: WARM_UP_DAYS });
      const tilt = (column: Float64Array) => column.map((value, row) => value * daily ** row);
      return withPrices(bars, tilt);
    };
    const spoken = [
      tilted(1.1),
      tilted(0.9),
      ...[1, 2, 3, 4].map((seed) => madeUpBars({ seed, days: 200 })),
    ]
      .map((bars) => flagsOf(template, createMarket(bars), params))
      .some((flags) => flags.some((flag) => flag !== 0));
    expect({ params, spoken }).toEqual({ params, spoken: true });
  });

  test("with any legal set, window and costs does what its words, written a second time, do", () => {
    const uniform = seededUniform(template.name.length * 131 + template.name.charCodeAt(0));
    const bars = testBars("doge");
    const market = createMarket(bars);
    const rows = bars.day.length;
    for (let run = 0; run < 20; run++) {
      const params = randomSet(template, uniform);
      const flags = flagsOf(template, market, params);
      const expected = referenceFlags(template.name, bars, params, talib);
      const differing = Array.from(bars.day.keys()).filter((row) => flags[row] !== expected[row]);
      expect({ params, differing }).toEqual({ params, differing: [] });
      const from = WARM_UP_DAYS + Math.floor(uniform() * (rows - WARM_UP_DAYS - 30));
      const window = { from, to: from + 30 + Math.floor(uniform() * (rows - from - 30)) };
      const costs = { feeRate: 0.1 * uniform(), slippageRate: 0.1 * uniform() };
      const ledger = keepLedger(expected, bars, window, costs);
      const { equity } = runBacktest({ bars, flags, window, startingCash: 1000, costs });
      const apart = ledger.equity.map((value, row) => Math.abs(value / equity[row]! - 1));
      expect(Math.max(...apart)).toBeLessThan(1e-10);
    }
  });
});

describe("a set of parameters", () => {
  const [maCross] = CATALOGUE as [Template];

  test("takes what is missing from the defaults, in the template's order", () => {
    expect(JSON.stringify(completed(maCross, { slow: 90 }))).toBe('{"fast":10,"slow":90}');
    expect(() => completed(maCross, { pace: 3 })).toThrow(
      `"pace" isn't a parameter of ma_cross, which has fast (a whole number from `,
    );
  });

  test("keeps its order", () => {
    expect(refusedSet(maCross, { fast: 30, slow: 20 })).toBe(
      '"fast" must be below "slow", got 30 and 20',
    );
    expect(refusedSet(maCross, { fast: 20, slow: 20 })).toContain("below");
  });
});
