import { describe, expect, test } from "vitest";
import { indexLuck } from "../../../quant/overfitting/index-luck.ts";
import { normalQuantile } from "../../../quant/overfitting/normal-quantile.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const uniform = seededUniform(7);
const normal = () => normalQuantile(uniform());

/** Months whose values luck alone made, beside as many draws. */
function luckyMonths(months: number, draws: number) {
  return Array.from({ length: months }, () => {
    const [centre, spread] = [45 + 8 * uniform(), 3 + 4 * uniform()];
    const draw = () => centre + spread * normal();
    return { value: draw(), draws: Float64Array.from({ length: draws }, draw) };
  });
}

describe("indexLuck", () => {
  test("puts the bar where the largest of as many independent normals is in 95 of 100 cases", () => {
    const { bar, months } = indexLuck(luckyMonths(47, 4000));
    // P(max |z| <= bar) = (2 Phi(bar) - 1)^47
    const expected = normalQuantile((1 + 0.95 ** (1 / 47)) / 2);
    expect(months).toBe(47);
    expect(bar).toBeGreaterThan(expected - 0.1);
    expect(bar).toBeLessThan(expected + 0.1);
  });

  test("has a tenth of the months outside where luck alone made them, and seldom one that stands out", () => {
    let [outside, expected, standing] = [0, 0, 0];
    for (let market = 0; market < 200; market++) {
      const luck = indexLuck(luckyMonths(20, 200));
      outside += luck.outside;
      expected += luck.outsideByLuck;
      if (luck.deviations.some((distance) => Math.abs(distance) > luck.bar)) standing++;
    }
    expect(expected).toBe(400);
    expect(outside).toBeGreaterThan(340);
    expect(outside).toBeLessThan(470);
    expect(standing, "of 200 markets; 10 expected").toBeLessThan(25);
  });

  test("finds a month that is far from its draws", () => {
    const months = luckyMonths(20, 200);
    const far = { ...months[3]!, value: 99 };
    const luck = indexLuck(months.with(3, far));
    expect(Math.abs(luck.deviations[3]!)).toBeGreaterThan(luck.bar);
  });

  test("leaves out months without a value, without draws, or whose draws are all the same", () => {
    const [known] = luckyMonths(1, 50);
    const luck = indexLuck([
      { value: NaN, draws: known!.draws },
      { value: 50, draws: [] },
      { value: 50, draws: [48, 48, 48] },
    ]);
    expect(luck).toEqual({
      low: NaN,
      high: NaN,
      draws: 0,
      months: 0,
      outside: 0,
      outsideByLuck: 0,
      bar: NaN,
      deviations: [NaN, NaN, NaN],
    });
    expect(indexLuck([]).bar).toBeNaN();
  });
});
