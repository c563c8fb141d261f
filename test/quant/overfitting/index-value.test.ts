import { describe, expect, test } from "vitest";
import type { CoinMonth } from "../../../quant/overfitting/index-coin.ts";
import { addLayers, layerOf } from "../../../quant/overfitting/index-layer.ts";
import { indexValue } from "../../../quant/overfitting/index-value.ts";

const layer = (pbo: number, rankCorrelation: number, premium: readonly [number, number]) => ({
  sets: 1,
  pbo,
  rankCorrelation,
  premiumInSample: premium[0],
  premiumOutOfSample: premium[1],
});

const coin = (part: Partial<CoinMonth>): CoinMonth => ({
  tuning: layer(0.5, 0, [1, 0]),
  shopping: layer(0.5, 0, [1, 0]),
  inSample: Float64Array.of(2, 1),
  outOfSample: Float64Array.of(0, 1),
  runs: 3,
  winners: [{ inSample: 2, outOfSample: 0, significant: false }],
  defaultsOutOfSample: [0.5, -0.5],
  ...part,
});

describe("layerOf", () => {
  test("is 0 when the ranking fully persists", () => {
    expect(layerOf(layer(0, 1, [2, 2])).score).toBe(0);
  });

  test("is 50 when nothing persists and nothing reverses", () => {
    expect(layerOf(layer(0.5, 0, [2, 0])).score).toBe(50);
  });

  test("is 100 when everything reverses", () => {
    expect(layerOf(layer(1, -1, [2, -2])).score).toBe(100);
  });

  test("weighs PBO and rank correlation twice the premium", () => {
    expect(layerOf(layer(0.6, 0, [1, 0])).score).toBeCloseTo(54, 12);
    expect(layerOf(layer(0.5, -0.2, [1, 0])).score).toBeCloseTo(54, 12);
    expect(layerOf(layer(0.5, 0, [1, -0.2])).score).toBeCloseTo(52, 12);
  });

  test("the premium kept is a ratio of sums, not a mean of ratios", () => {
    const sums = addLayers([layer(0.5, 0, [0.001, 0.1]), layer(0.5, 0, [1, 0.2])]);
    expect(layerOf(sums).premiumKept).toBeCloseTo(0.3 / 1.001, 12);
    expect(layerOf(sums).sets).toBe(2);
  });
});

describe("indexValue", () => {
  test("is the mean of both layers", () => {
    const value = indexValue(1, [coin({ tuning: layer(0.7, 0, [1, 0]) })]);
    expect(value.tuning.score).toBeCloseTo(58, 12);
    expect(value.value).toBeCloseTo(54, 12);
  });

  test("is limited to 0 and 100 where its layers are not", () => {
    expect(indexValue(1, [coin({ shopping: layer(0, 1, [1, 99]) })]).value).toBe(0);
    expect(indexValue(1, [coin({ shopping: layer(1, -1, [1, -99]) })]).value).toBe(100);
  });

  test("has no value when no set could be ranked", () => {
    const nothing = { ...layer(0, 0, [0, 0]), sets: 0 };
    expect(indexValue(1, [coin({ tuning: nothing })]).value).toBeNaN();
    // The best in-sample is no better than the median, so there is no premium to keep.
    expect(indexValue(1, [coin({ tuning: layer(0.5, 0, [0, -1]) })]).value).toBeNaN();
  });

  test("counts coins, runs and those that did not move, and carries its companions", () => {
    const value = indexValue(1, [
      coin({}),
      coin({
        inSample: Float64Array.of(3),
        outOfSample: Float64Array.of(-1),
        winners: [{ inSample: 3, outOfSample: -1, significant: true }],
        defaultsOutOfSample: [NaN, -1],
      }),
      coin({
        inSample: Float64Array.of(5, 7),
        outOfSample: Float64Array.of(-2, -3),
        winners: [{ inSample: 7, outOfSample: -3, significant: true }],
        defaultsOutOfSample: [0, 0],
      }),
    ]);
    expect(value).toMatchObject({ coins: 3, runs: 9, flatRuns: 4 });
    expect(value.companions).toEqual({
      shareNegativeOutOfSample: 2 / 5, // 0.5, -0.5, -1, 0, 0: none is not negative
      shareWinnersNotSignificant: 1 / 3,
      medianSharpeInSample: 3, // 1, 2, 3, 5, 7
      medianSharpeOutOfSample: -1, // -3, -2, -1, 0, 1
      medianWinnerSharpeInSample: 3,
      medianWinnerSharpeOutOfSample: -1,
    });
  });
});
