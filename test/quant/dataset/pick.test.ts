import { describe, expect, test } from "vitest";
import { picksOf } from "../../../quant/dataset/pick.ts";
import { deflatedSharpe } from "../../../quant/overfitting/deflated-sharpe.ts";
import { probabilisticSharpe } from "../../../quant/overfitting/probabilistic-sharpe.ts";
import { cellRecord, coinOfCells } from "../../support/dataset-records.ts";

const COIN = coinOfCells("aaa", [
  cellRecord("one", [
    [1, 0.5],
    [2, 0.25],
    [0.5, NaN],
  ]),
  cellRecord("two", [
    [NaN, NaN],
    [NaN, NaN],
  ]),
  cellRecord("three", [
    [-1, 1],
    [9, 3],
  ]),
]);
const PICKS = picksOf([COIN]);

describe("picksOf", () => {
  test("has a pick for each cell in which something moved in-sample", () => {
    expect(PICKS.map(({ cell, run }) => [cell.template, run.variant])).toEqual([
      ["one", 2],
      ["three", 2],
    ]);
  });

  test("knows the haircut, the rank and among how many", () => {
    expect(PICKS[0]).toMatchObject({ haircutPct: 87.5, outOfSampleRank: 2, rankedRuns: 2 });
  });

  test("is deflated for 13, 286 and all runs with V = 1/(T - 1)", () => {
    const estimate = { sharpe: 2 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    const of = (trials: number) => deflatedSharpe(estimate, { trials, trialsVariance: 1 / 499 });
    expect(PICKS[0]!.deflated).toEqual({ cell: of(13), coin: of(286), dataset: of(286) });
  });

  test("and with the sample variance of the daily Sharpe ratios that were tried", () => {
    const variance = (sharpes: readonly number[]) => {
      const mean = sharpes.reduce((sum, value) => sum + value, 0) / sharpes.length;
      return (
        sharpes.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sharpes.length - 1) / 365
      );
    };
    const estimate = { sharpe: 2 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    const cell = { trials: 13, trialsVariance: variance([1, 2, 0.5]) };
    const coin = { trials: 286, trialsVariance: variance([1, 2, 0.5, -1, 9]) };
    expect(PICKS[0]!.deflatedByVariance.cell).toBeCloseTo(deflatedSharpe(estimate, cell), 12);
    expect(PICKS[0]!.deflatedByVariance.coin).toBeCloseTo(deflatedSharpe(estimate, coin), 12);
  });

  test("survives with 0.95 at the trials of the coin", () => {
    expect(PICKS.map(({ survives }) => survives)).toEqual([false, true]);
    expect(PICKS[1]!.deflated.coin).toBeGreaterThanOrEqual(0.95);
  });

  test("has the probability that the out-of-sample Sharpe is above 0", () => {
    const estimate = { sharpe: 3 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    expect(PICKS[1]!.outOfSamplePsr).toBe(probabilisticSharpe(estimate, 0));
  });
});
