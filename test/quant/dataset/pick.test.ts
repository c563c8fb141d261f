import { sampleVariance } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { picksOf } from "../../../quant/dataset/pick.ts";
import { deflatedSharpe } from "../../../quant/overfitting/deflated-sharpe.ts";
import { probabilisticSharpe } from "../../../quant/overfitting/probabilistic-sharpe.ts";
import { cellRecord, coinOfCells } from "../../support/dataset-records.ts";

const COIN = coinOfCells("aaa", [
  cellRecord("one", "1 -> 0.5, 2 -> 0.25, 0.5 -> NaN"),
  cellRecord("two", "NaN -> NaN, NaN -> NaN"),
  cellRecord("three", "-1 -> 1, 9 -> 3"),
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
    const estimate = { sharpe: 2 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    const cell = { trials: 13, trialsVariance: sampleVariance([1, 2, 0.5]) / 365 };
    const coin = { trials: 286, trialsVariance: sampleVariance([1, 2, 0.5, -1, 9]) / 365 };
    expect(PICKS[0]!.deflatedByVariance.cell).toBeCloseTo(deflatedSharpe(estimate, cell), 12);
    expect(PICKS[0]!.deflatedByVariance.coin).toBeCloseTo(deflatedSharpe(estimate, coin), 12);
  });

  test("takes all coins' runs as the trials of the dataset", () => {
    const other = coinOfCells("bbb", [cellRecord("one", "4 -> 0")]);
    const [pick] = picksOf([COIN, other]);
    const estimate = { sharpe: 2 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    const trials = 572; // two coins of 286
    expect(pick!.deflated.coin).toBe(PICKS[0]!.deflated.coin);
    expect(pick!.deflated.dataset).toBe(
      deflatedSharpe(estimate, { trials, trialsVariance: 1 / 499 }),
    );
    // 1, 2, 0.5, -1, 9, 4 a year: mean 31 / 12, sum of squares 103.25 less 6 x the square of the mean, over 5.
    const trialsVariance = (103.25 - (31 * 31) / 24) / 5 / 365;
    expect(pick!.deflatedByVariance.coin).toBe(PICKS[0]!.deflatedByVariance.coin);
    expect(pick!.deflatedByVariance.dataset).toBeCloseTo(
      deflatedSharpe(estimate, { trials, trialsVariance }),
      12,
    );
  });

  test("survives with 0.95 at the trials of the coin, not of the cell nor of the dataset", () => {
    const coins = ["aaa", "bbb"].map((ticker) =>
      coinOfCells(ticker, [cellRecord("one", "3.3 -> 1"), cellRecord("two", "3.9 -> 1")]),
    );
    const [one, two] = picksOf(coins);
    const passes = (pick = one!) => [
      pick.deflated.cell >= 0.95,
      pick.deflated.coin >= 0.95,
      pick.deflated.dataset >= 0.95,
      pick.survives,
    ];
    expect(passes(one)).toEqual([true, false, false, false]);
    expect(passes(two)).toEqual([true, true, false, true]);
  });

  test("has the probability that the out-of-sample Sharpe is above 0", () => {
    const estimate = { sharpe: 3 / Math.sqrt(365), observations: 500, skew: 0, kurtosis: 3 };
    expect(PICKS[1]!.outOfSamplePsr).toBe(probabilisticSharpe(estimate, 0));
  });
});
