/**
 * The vectors of a reference in Python that is kept apart. Evidence is the logarithm today, the highest, and the day on
 * which it was reached, counted from 1.
 */
import { describe, expect, test } from "vitest";
import { inferSharpe } from "../../../quant/check/sharpe-inference.ts";
import { claimAfterLuck, quantileOfLargest, truthAt } from "../../../quant/live/claim.ts";
import { decay } from "../../../quant/live/decay.ts";
import {
  contradiction,
  holds,
  liveTrack,
  logHolds,
  loses,
  type Evidence,
} from "../../../quant/live/evidence.ts";
import { howLong, stoppedShare } from "../../../quant/live/how-long.ts";
import { fanOf, stopLineAt } from "../../../quant/live/picture.ts";
import { variance } from "../../../quant/sample-statistics.ts";
import { A, L0, L1, L2, L3, L4, P } from "./series.ts";

const PERIODS = 365;

function figuresOf(columns: readonly Float64Array[], trials: number, live: Float64Array) {
  const inference = inferSharpe(columns[0]!);
  const claimed = { inference, columns, place: 0, periodsPerYear: PERIODS };
  const claim = claimAfterLuck(claimed, trials);
  const dependence = Math.max(claim.dependence, live.length * inferSharpe(live).standardError ** 2);
  const weights = { claim: claim.afterLuck, error: claim.error, dependence };
  const track = liveTrack(live, { periodsPerYear: PERIODS });
  return { claim, weights, track };
}

const logs = ({ today, highest, reachedAt }: Evidence) => [
  Math.log(today),
  Math.log(highest),
  reachedAt + 1,
];

interface Vector {
  readonly columns: readonly Float64Array[];
  readonly trials: number;
  readonly live: Float64Array;
  readonly claim: readonly [string, number, number, number, number];
  readonly sharpe: number;
  readonly dependence: number;
  readonly contradiction: readonly number[];
  readonly loses: readonly number[];
  readonly holds: readonly number[];
  readonly decay: readonly number[];
}

const OF_P = ["beat_the_others", 3.821989705, 3.815545617, 1.091918323, 1.67542503] as const;

const VECTORS: Readonly<Record<string, Vector>> = {
  V1: {
    columns: [A],
    trials: 1,
    live: L0,
    claim: ["only_one", 2.956592017, 2.956592017, 0.7766718428, 1.434343177],
    sharpe: -0.5283004165,
    dependence: 1.223432861,
    contradiction: [3.560095146, 3.974988072, 287],
    loses: [-0.3756856781, 0.09550789623, 0],
    holds: [-1.109247778, 0.1185638048, 0],
    decay: [7301.693996, 11, 287],
  },
  V2: {
    columns: [A],
    trials: 20,
    live: L0,
    claim: ["best_of_any", 2.956592017, 1.539815509, 0.4737567767, 0.6112692891],
    sharpe: -0.5283004165,
    dependence: 1.223432861,
    contradiction: [1.552420955, 1.844845135, 0],
    loses: [-0.3756856781, 0.09550789623, 0],
    holds: [-1.109247778, 0.1185638048, 0],
    decay: [1288.391373, 71, 0],
  },
  V3: {
    columns: P,
    trials: 5,
    live: L1,
    claim: OF_P,
    sharpe: 1.824272634,
    dependence: 1.0020644,
    contradiction: [0.1768151293, 0.6522445192, 0],
    loses: [-2.165756995, -0.1932213813, 0],
    holds: [2.035425753, 3.976139926, 211],
    decay: [1929.480969, 291, 360],
  },
  V4: {
    columns: P,
    trials: 5,
    live: L2,
    claim: OF_P,
    sharpe: 1.840624373,
    dependence: 1.043604054,
    contradiction: [0.140223109, 0.2472999296, 0],
    loses: [-2.137332651, -0.9133462411, 0],
    holds: [1.985853111, 6.918083708, 40],
    decay: [8082.22377, 306, 358],
  },
  V5: {
    columns: [A],
    trials: 100_000,
    live: L1,
    claim: ["best_of_any", 2.956592017, -0.4188405493, 0.2686173172, -0.9453208165],
    sharpe: 1.824272634,
    dependence: 1.004110229,
    contradiction: [NaN, NaN, 0],
    loses: [-2.163982837, -0.1928682904, 0],
    holds: [2.030750902, 3.966787503, 211],
    decay: [NaN, 0, 0],
  },
  V7: {
    columns: P,
    trials: 20,
    live: L3,
    claim: ["best_of_any", 3.821989705, 1.977732239, 0.6167023999, 0.7690177463],
    sharpe: -5.113568017,
    dependence: 1.241466018,
    contradiction: [6.383096233, 6.383096233, 155],
    loses: [6.329084322, 6.329084322, 180],
    holds: [-2.20627447, -0.4826933535, 0],
    decay: [44757.37265, 5, 180],
  },
  V8: {
    columns: P,
    trials: 5,
    live: L4,
    claim: OF_P,
    sharpe: 2.730212425,
    dependence: 1.067337509,
    contradiction: [-0.5880104952, 1.209376036, 0],
    loses: [-0.9537107452, 0.196573355, 0],
    holds: [0.6062991371, 0.6526104511, 0],
    decay: [39.25521477, 94, 0],
  },
};

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

const DIGITS = 1e-9;

describe.each(Object.entries(VECTORS))("%s", (_, wanted) => {
  const { claim, weights, track } = figuresOf(wanted.columns, wanted.trials, wanted.live);

  test("the claim after luck", () => {
    const [method, ...figures] = wanted.claim;
    expect(claim.method).toBe(method);
    expect(
      distance([claim.sharpe, claim.afterLuck, claim.error, claim.lower], figures),
    ).toBeLessThanOrEqual(DIGITS);
  });

  test("the evidence", () => {
    expect(
      distance([track.sharpe.at(-1)!, weights.dependence], [wanted.sharpe, wanted.dependence]),
    ).toBeLessThanOrEqual(DIGITS);
    expect(distance(logs(contradiction(track, weights)), wanted.contradiction)).toBeLessThanOrEqual(
      DIGITS,
    );
    expect(distance(logs(loses(track, weights.dependence)), wanted.loses)).toBeLessThanOrEqual(
      DIGITS,
    );
    expect(distance(logs(holds(track, weights.dependence)), wanted.holds)).toBeLessThanOrEqual(
      DIGITS,
    );
    const { onceInDays, since, reachedAt } = decay(wanted.live, track, weights);
    expect(distance([onceInDays, since + 1, reachedAt + 1], wanted.decay)).toBeLessThanOrEqual(
      DIGITS,
    );
  });
});

describe("the weights of V1", () => {
  const { weights } = figuresOf([A], 1, L0);
  const deviation = Math.sqrt(variance(L0));
  const input = { ...weights, claimed: A, live: L0, deviation, periodsPerYear: PERIODS };

  test("how long", () => {
    const { stop, holdsDays } = howLong(weights);
    const { none, half, minusOne } = stop!;
    const of = ({ share1y, share3y, medianDays }: typeof none) => [share1y, share3y, medianDays];
    expect(distance(of(none), [0.5328047087, 0.8917232165, 338])).toBeLessThanOrEqual(DIGITS);
    expect(distance(of(half), [0.1297138086, 0.2345142505, NaN])).toBeLessThanOrEqual(DIGITS);
    expect(distance(of(minusOne), [0.8240929262, 0.9964227943, 193])).toBeLessThanOrEqual(DIGITS);
    expect(holdsDays).toEqual({ claim: 301, one: 2812, two: 641, three: 293 });
  });

  test("the stop line and the fan", () => {
    expect(distance([stopLineAt(100, input)], [-0.5979769583])).toBeLessThanOrEqual(DIGITS);
    const { p5, p25, p50, p75, p95 } = fanOf(input, [1, 365])!;
    expect(
      distance(
        [p5, p25, p50, p75, p95].map((line) => line[0]!),
        [-0.04578497908, -0.01713330335, 0.003180131225, 0.02767942112, 0.05843009163],
      ),
    ).toBeLessThanOrEqual(DIGITS);
    expect(
      distance(
        [p5, p25, p50, p75, p95].map((line) => line[1]!),
        [0.493465114, 1.237864251, 1.738666755, 2.267518783, 3.001269821],
      ),
    ).toBeLessThanOrEqual(DIGITS);
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
      distance([quantileOfLargest(0.5, trials), quantileOfLargest(0.975, trials)], [middle, upper]),
    ).toBeLessThanOrEqual(DIGITS);
    expect(quantileOfLargest(0.5, 1)).toBeCloseTo(0, 15);
  });

  test("the truth of a winner", () => {
    const of = { sharpe: 0.1, threshold: 0.08, error: 0.0365 };
    expect(
      distance([truthAt(0.5, of), truthAt(0.025, of)], [0.06576391243, -0.1504116048]),
    ).toBeLessThanOrEqual(DIGITS);
  });

  test("the mixture", () => {
    expect(
      distance(
        [logHolds(2, 1), logHolds(-1, 2), logHolds(0, 0.1)],
        [1.450914154, -1.911153585, -0.1682361183],
      ),
    ).toBeLessThanOrEqual(DIGITS);
  });

  test.each([
    [1, 0, { claim: 2, error: 0.7, dependence: 1 }, 0.1952634167],
    [3, 1, { claim: 2, error: 0.7, dependence: 1 }, 0.08931641679],
    [Infinity, 1, { claim: 2, error: 0.7, dependence: 1 }, 0.1109438674],
    [3, 0, { claim: 1, error: 0.3, dependence: 1.5 }, 0.06539636816],
  ])("the share that is stopped within %d years", (years, truth, of, wanted) => {
    expect(distance([stoppedShare(years, truth, of)], [wanted])).toBeLessThanOrEqual(DIGITS);
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
