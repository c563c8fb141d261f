import { describe, expect, test } from "vitest";
import { blockBootstrapTest } from "../../../quant/check/block-bootstrap.ts";
import { blockSums, signFlipTest } from "../../../quant/check/sign-flips.ts";
import { stepDown } from "../../../quant/check/step-down.ts";
import { randomBelow, seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { normalColumns } from "./panels.ts";

describe("stepDown", () => {
  test("by hand: each variant against the maximum of itself and those below it", () => {
    const redraws = [
      [0, 1, 2, 3],
      [5, 0, 0, 0],
      [0, 0, 4 - 1e-13, 0], // the third is 4 but for rounding
    ];
    const { pValues } = stepDown({
      statistics: Float64Array.of(3, 4, 2.5),
      draws: 4,
      redrawn: (variant, out) => out.set(redraws[variant]!),
    });
    // Largest, 4: the maxima of all are 5, 1, 4, 3, two of them at 4 or above. Then 3 among 0, 1, 4, 3: two.
    // Then 2.5 among 0, 0, 4, 0: one, but not below the p-value before it.
    expect(Array.from(pValues)).toEqual([3 / 5, 3 / 5, 3 / 5]);
  });

  test("a variant that has no statistic has a p-value of 1", () => {
    const { pValues } = stepDown({
      statistics: Float64Array.of(-Infinity, 9),
      draws: 9,
      redrawn: (_, out) => out.fill(0),
    });
    expect(Array.from(pValues)).toEqual([1, 0.1]);
  });
});

describe("signFlipTest", () => {
  test("sums consecutive blocks, the last one shorter", () => {
    expect(Array.from(blockSums(Float64Array.of(1, 2, 3, 4, 5), 2))).toEqual([3, 7, 5]);
  });

  test("of one variant has every sum of signs as often as it should", () => {
    // Block sums 1, 2, 3: |sum| is 6, 4, 2 or 0; t at or above 6 / sqrt(14) is one of 8 sign patterns.
    const family = signFlipTest([Float64Array.of(1, 2, 3)], {
      blockLength: 1,
      draws: 80_000,
      seed: 1,
    });
    expect(family.statistics[0]).toBeCloseTo(6 / Math.sqrt(14), 14);
    expect(stepDown(family).pValues[0]).toBeCloseTo(1 / 8, 2);
  });
});

describe("blockBootstrapTest", () => {
  test("agrees with resampled rows, one by one", () => {
    const [column] = normalColumns(8, 47, [1]) as [Float64Array];
    const [blockLength, draws, seed] = [4, 50, 6];
    const family = blockBootstrapTest([column], { blockLength, draws, seed });
    const found = new Float64Array(draws);
    family.redrawn(0, found, new Uint8Array(draws));
    const random = seededRandom(seed, 1);
    const whole = statisticsOf(Array.from(column), blockLength);
    expect(family.statistics[0]).toBeCloseTo(whole.sharpe / whole.error, 12);
    for (let draw = 0; draw < draws; draw++) {
      const rows: number[] = [];
      for (let block = 0; block < Math.floor(47 / blockLength); block++) {
        const start = randomBelow(47, random);
        for (let step = 0; step < blockLength; step++) rows.push(column[(start + step) % 47]!);
      }
      const { sharpe, error } = statisticsOf(rows, blockLength);
      expect(found[draw]).toBeCloseTo((sharpe - whole.sharpe) / error, 9);
    }
  });
});

/** Sharpe ratio per bar and its error by the sums of psi over consecutive blocks, as the formulas are written. */
function statisticsOf(rows: readonly number[], blockLength: number) {
  const mean = rows.reduce((sum, value) => sum + value, 0) / rows.length;
  const squares = rows.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (rows.length - 1));
  const sharpe = mean / deviation;
  const psi = rows.map((value) => {
    const z = (value - mean) / deviation;
    return z - (sharpe / 2) * (z * z - 1);
  });
  let total = 0;
  for (let from = 0; from < psi.length; from += blockLength) {
    const sum = psi.slice(from, from + blockLength).reduce((a, b) => a + b, 0);
    total += sum * sum;
  }
  return { sharpe, error: Math.sqrt(total) / rows.length };
}
