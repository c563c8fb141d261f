import { expect, test } from "vitest";
import { assessed } from "../../web/browser/luck-calculator.tsx";
import { pointOfQuery, studyOfPath, studyPath } from "../../web/luck-point.ts";
import { luckAt } from "../../web/charts/luck-chart.tsx";

test("the bar is that of POST /overfitting, the example of the README: 1.790633348", () => {
  expect(luckAt(100, 2).expected).toBeCloseTo(1.790633348, 9);
  const { expectedMaxSharpe, verdict } = assessed({ sharpe: 1.8, years: 2, trials: 100 });
  expect(expectedMaxSharpe).toBeCloseTo(1.790633348, 9);
  expect(verdict).toBe("inconclusive");
});

test("the band of one try is 5 to 95 % of a normal with the error of a Sharpe ratio of 0", () => {
  // z(0.95) = 1.6448536 (standard tables), times sqrt(365 / 729).
  const { low, high } = luckAt(1, 2);
  expect(high).toBeCloseTo(1.6448536 * Math.sqrt(365 / 729), 6);
  expect(low).toBeCloseTo(-high, 9);
});

test("an old link carries the numbers, and nothing else is read from one", () => {
  const point = { sharpe: 2.4, years: 3.5, trials: 500 };
  expect(pointOfQuery("?sharpe=2.4&years=3.5&tries=500")).toEqual(point);
  for (const query of [
    "",
    "?sharpe=2",
    "?sharpe=x&years=2&tries=3",
    "?sharpe=2&years=2&tries=0.5",
  ]) {
    expect(pointOfQuery(query)).toBeUndefined();
  }
});

test("the path of a study carries its rule, coin and figures, and is written in one way", () => {
  const study = { template: "ma_cross", coin: "btc", sharpe: -0.5, years: 4.25, trials: 286 };
  expect(studyPath(study)).toBe("/strategies/ma_cross/btc_-0.5_4.25_286");
  expect(studyOfPath(studyPath(study))).toEqual(study);
  for (const path of ["btc", "btc_1_2", "btc_1.0_2_3", "btc_1_0_3", "_1_2_3", "btc_NaN_2_3"])
    expect([path, studyOfPath(`/strategies/ma_cross/${path}`)]).toEqual([path, undefined]);
});
