/**
 * The vectors of references.py, in `vectors.json`. A claim is its Sharpe ratio, what luck
 * leaves of it, its error and its lower limit. Evidence is the logarithm today, the highest, and the day on which it was
 * reached; decay is how rare it is, since which day, and the day on which it was reached. Days are counted from 1.
 */
import { describe, expect, test } from "vitest";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { claimAfterLuck, quantileOfLargest, truthAt } from "../../../quant/live/claim.ts";
import { decay } from "../../../quant/live/decay.ts";
import {
  contradiction,
  holds,
  liveTrack,
  logContradiction,
  logHolds,
  loses,
  stopSharpe,
  type Evidence,
} from "../../../quant/live/evidence.ts";
import { howLong, stopTimes } from "../../../quant/live/how-long.ts";
import { fanOf, stopLineAt } from "../../../quant/live/picture.ts";
import { variance } from "../../../quant/sample-statistics.ts";
import { A, L0, L1, L2, L3, L4, P } from "./series.ts";
import VECTORS from "./vectors.json" with { type: "json" };

const PERIODS = 365;

function figuresOf(columns: readonly Float64Array[], trials: number, live: Float64Array) {
  const inference = inferSharpe(columns[0]!);
  const claimed = { inference, columns, index: 0, periodsPerYear: PERIODS };
  const claim = claimAfterLuck(claimed, trials);
  const dependence = Math.max(claim.dependence, live.length * inferSharpe(live).normalError ** 2);
  const weights = { claim: claim.afterLuck, error: claim.error, dependence };
  const track = liveTrack(live, { periodsPerYear: PERIODS });
  return { claim, weights, track };
}

const logs = ({ today, highest, reachedAt }: Evidence) => [
  Math.log(today),
  Math.log(highest),
  reachedAt + 1,
];

const SERIES = { A: [A], P, L0: [L0], L1: [L1], L2: [L2], L3: [L3], L4: [L4] };
const columnsOf = (name: string): readonly Float64Array[] => SERIES[name as keyof typeof SERIES];

/** The largest difference, relative to what is wanted where that is above 1; NaN is wanted as NaN. */
function distance(got: readonly number[], wanted: readonly number[]): number {
  if (got.length !== wanted.length) return Infinity;
  const differences = wanted.map((value, place) => {
    if (Number.isNaN(value)) return Number.isNaN(got[place]) ? 0 : Infinity;
    const difference = Math.abs(got[place]! - value) / Math.max(1, Math.abs(value));
    return Number.isNaN(difference) ? Infinity : difference;
  });
  return Math.max(...differences);
}

/** Whether all figures agree to nine digits; null stands for NaN. */
function isNear(got: readonly number[], wanted: readonly (number | null)[]): boolean {
  const numbers = wanted.map((value) => value ?? NaN);
  return distance(got, numbers) <= 1e-9;
}

describe.each(VECTORS)("$name", (wanted) => {
  const live = columnsOf(wanted.live)[0]!;
  const { claim, weights, track } = figuresOf(columnsOf(wanted.columns), wanted.trials, live);

  test("the claim after luck", () => {
    expect(claim.method).toBe(wanted.method);
    expect(isNear([claim.sharpe, claim.afterLuck, claim.error, claim.lower], wanted.claim)).toBe(
      true,
    );
  });

  test("the evidence", () => {
    expect(
      isNear([track.sharpe.at(-1)!, weights.dependence], [wanted.sharpe, wanted.dependence]),
    ).toBe(true);
    expect(isNear(logs(contradiction(track, weights)), wanted.contradiction)).toBe(true);
    expect(isNear(logs(loses(track, weights.dependence)), wanted.loses)).toBe(true);
    expect(isNear(logs(holds(track, weights.dependence)), wanted.holds)).toBe(true);
    const { onceInDays, since, reachedAt } = decay(live, track, weights);
    expect(isNear([onceInDays, since + 1, reachedAt + 1], wanted.decay)).toBe(true);
  });
});

describe("the weights of V1", () => {
  const { weights } = figuresOf([A], 1, L0);
  const deviation = Math.sqrt(variance(L0));
  const input = { ...weights, claimed: A, live: L0, deviation, periodsPerYear: PERIODS };

  test("how long, of one rival, is the inverse Gaussian", () => {
    const times = stopTimes({ ...weights, dependence: 1.223432861 }, [0]);
    const isClose = (truth: number, shares: readonly number[], days: number) => {
      const { share1y, share3y, medianDays } = times(truth);
      expect(distance([share1y, share3y], shares)).toBeLessThan(1e-5);
      expect(Math.abs(medianDays / days - 1)).not.toBeGreaterThan(0.006);
      expect(Number.isNaN(medianDays)).toBe(Number.isNaN(days));
    };
    isClose(0, [0.5328047087, 0.8917232165], 338);
    isClose(weights.claim / 2, [0.1297138086, 0.2345142505], NaN);
    isClose(-1, [0.8240929262, 0.9964227943], 193);
  });

  test("how long, of all rivals, finds what loses sooner", () => {
    const { minusOne } = howLong(weights).stop!;
    const { share1y, medianDays } = stopTimes(weights, [0])(-1);
    expect(minusOne.share1y).toBeGreaterThan(share1y);
    expect(minusOne.medianDays).toBeLessThan(medianDays);
  });

  test("the stop line and the fan", () => {
    for (const count of [20, 100, 900]) {
      const years = count / PERIODS;
      const sharpe = (stopLineAt(count, input) * Math.sqrt(PERIODS)) / (count * deviation);
      expect(logContradiction(sharpe, years, weights)).toBeCloseTo(Math.log(20), 9);
    }
    const one = (PERIODS / 100) * -0.5979769583; // by the formula of a straight line
    const only = stopSharpe(100 / PERIODS, { ...weights, dependence: 1.223432861 }, [0]);
    expect(only).toBeCloseTo(one / (deviation * Math.sqrt(PERIODS)), 8);
    const { p5, p25, p50, p75, p95 } = fanOf(input, [1, 365])!;
    expect(
      isNear(
        [p5, p25, p50, p75, p95].map((line) => line[0]!),
        [-0.04578497908, -0.01713330335, 0.003180131225, 0.02767942112, 0.05843009163],
      ),
    ).toBe(true);
    expect(
      isNear(
        [p5, p25, p50, p75, p95].map((line) => line[1]!),
        [0.493465114, 1.237864251, 1.738666755, 2.267518783, 3.001269821],
      ),
    ).toBe(true);
  });
});

describe("the formulas by themselves", () => {
  test.each([
    [2, 0.5449521356, 2.238964376],
    [13, 1.626492294, 2.886845142],
    [200, 2.700695084, 3.659039769],
    [1e6, 4.826965123, 5.449063916],
  ])("quantiles of the largest of %d normals", (trials, middle, upper) => {
    expect(
      isNear([quantileOfLargest(0.5, trials), quantileOfLargest(0.975, trials)], [middle, upper]),
    ).toBe(true);
    expect(quantileOfLargest(0.5, 1)).toBeCloseTo(0, 15);
  });

  test("the truth of a winner", () => {
    const of = { sharpe: 0.1, threshold: 0.08, error: 0.0365 };
    expect(isNear([truthAt(0.5, of), truthAt(0.025, of)], [0.06576391243, -0.1504116048])).toBe(
      true,
    );
  });

  test("the mixture", () => {
    expect(
      isNear(
        [logHolds(2, 1), logHolds(-1, 2), logHolds(0, 0.1)],
        [1.450914154, -1.911153585, -0.1682361183],
      ),
    ).toBe(true);
  });

  test.each([
    [1, 0, { claim: 2, error: 0.7, dependence: 1 }, 0.1952634167],
    [3, 1, { claim: 2, error: 0.7, dependence: 1 }, 0.08931641679],
    [3, 0, { claim: 1, error: 0.3, dependence: 1.5 }, 0.06539636816],
  ] as const)("the share that is stopped within %d years", (years, truth, of, wanted) => {
    const { share1y, share3y } = stopTimes(of, [0])(truth);
    expect(years === 1 ? share1y : share3y).toBeCloseTo(wanted, 5);
  });
});

test("1,500 live days take less than half a second", () => {
  const live = Float64Array.from({ length: 1500 }, (_, day) => L1[day % L1.length]!);
  const { weights } = figuresOf(P, 5, live);
  const track = liveTrack(live, { periodsPerYear: PERIODS });
  const before = performance.now();
  decay(live, track, weights);
  expect(performance.now() - before).toBeLessThan(500);
});
