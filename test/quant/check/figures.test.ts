import { describe, expect, test } from "vitest";
import { coinResiduals } from "../../../quant/check/coin-residuals.ts";
import { cscvFigures, histogram } from "../../../quant/check/cscv-figures.ts";
import { bestBarsShare, worstMonth } from "../../../quant/check/series-figures.ts";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { trialsFigures } from "../../../quant/check/trials-figures.ts";
import {
  correlationMatrix,
  meanCorrelation,
} from "../../../quant/overfitting/correlation-matrix.ts";
import { effectiveRank, impliedTrials } from "../../../quant/overfitting/effective-trials.ts";
import { DAY, FIRST_DAY, normalColumns } from "./panels.ts";

describe("worstMonth", () => {
  test("compounds the returns of each calendar month", () => {
    // 2023-01-30 and 31, then February.
    const instants = Float64Array.from([28, 29, 30, 31], (row) => (FIRST_DAY + row) * DAY);
    expect(worstMonth(Float64Array.of(-0.1, -0.1, 0.05, -0.1), instants)).toBeCloseTo(-0.19, 14);
  });
});

describe("bestBarsShare", () => {
  test("is what the best hundredth brought of the sum", () => {
    const returns = new Float64Array(200).fill(0.01);
    returns[3] = 1;
    returns[7] = 0.03;
    expect(bestBarsShare(returns)).toBeCloseTo(1.03 / (1.03 + 1.98), 12);
    expect(bestBarsShare(returns.map((value) => -value))).toBeNaN();
  });
});

describe("coinResiduals", () => {
  test("leave the intercept and take the coin off", () => {
    const [coin, own] = normalColumns(3, 300, [1, 0]) as [Float64Array, Float64Array];
    const left = coinResiduals(
      coin.map((value, row) => 0.7 * value + own[row]! + 0.001),
      [coin],
    )!;
    let product = 0;
    for (const [row, value] of left.entries()) product += value * coin[row]!;
    expect(left).not.toBe(coin);
    const mean = left.reduce((sum, value) => sum + value, 0) / 300;
    const coinMean = coin.reduce((sum, value) => sum + value, 0) / 300;
    expect(product / 300 - mean * coinMean).toBeCloseTo(0, 12); // uncorrelated with the coin
  });

  test("of the coin itself there are none; of a flat coin, everything is left", () => {
    const [coin] = normalColumns(3, 300, [1]) as [Float64Array];
    expect(
      coinResiduals(
        coin.map((value) => 2 * value + 0.1),
        [coin],
      ),
    ).toBeUndefined();
    expect(coinResiduals(coin, [new Float64Array(300)])).toBe(coin);
  });
});

describe("trialsFigures", () => {
  test("where variants outnumber bars, are those of the matrix of all pairs", () => {
    const columns = normalColumns(8, 40, Array<number>(90).fill(0));
    const inference = inferSharpe(columns[0]!, 0);
    const of = { columns, count: 90, variance: 0.01, periodsPerYear: 365, inference };
    const found = trialsFigures(of);
    const matrix = correlationMatrix(columns);
    expect(found.effectiveRank).toBeCloseTo(effectiveRank(matrix), 9);
    expect(found.implied).toBeCloseTo(impliedTrials(90, meanCorrelation(matrix)), 9);
  });
});

describe("cscvFigures", () => {
  test.each([
    [320, 16],
    [319, 14],
    [239, 10],
    [160, 8],
  ])("%d bars are cut into %d blocks", (bars, blocks) => {
    const columns = normalColumns(1, bars, [0, 0, 0, 0, 0]);
    expect(cscvFigures(columns, 5).cscv!.blocks).toBe(blocks);
  });

  test("blocks have to be twice as long as the dependence", () => {
    const columns = normalColumns(1, 320, [0, 0, 0, 0, 0]);
    expect(cscvFigures(columns, 10).cscv).not.toBeNull();
    expect(cscvFigures(columns, 11)).toEqual({
      cscv: null,
      reason: expect.stringContaining("at least 22 bars"),
    });
    expect(cscvFigures(columns, NaN).cscv).toBeNull();
  });
});

describe("histogram", () => {
  test("has a bin for each rank, the middle one around 0", () => {
    const ranks = [1, 2, 3, 4, 5];
    const logits = Float64Array.from(ranks, (rank) => Math.log(rank / (6 - rank)));
    const { edges, counts } = histogram(logits, 5);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(5);
    expect(counts[2]).toBe(1);
    expect(edges[0]).toBeCloseTo(-Math.log(5), 12);
    expect(histogram(new Float64Array(), 1000).counts).toHaveLength(41);
  });
});
