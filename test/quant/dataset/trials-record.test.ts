import { describe, expect, test } from "vitest";
import { RUNS_PER_COIN } from "../../../quant/dataset/definition.ts";
import { trialsOf } from "../../../quant/dataset/trials-record.ts";
import {
  correlationMatrix,
  meanCorrelation,
} from "../../../quant/overfitting/correlation-matrix.ts";
import { effectiveRank } from "../../../quant/overfitting/effective-trials.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const DAYS = 100;
/** 89 days: twelve whole weeks behind five days. */
const [FROM, TO] = [5, 94];

/** All runs of a coin, of which only the first ones move: noise of their own on top of a shared one. */
function runsOf(moving: number): { returns: Float64Array[]; moves: boolean[] } {
  const uniform = seededUniform(5);
  const shared = Float64Array.from({ length: DAYS }, () => uniform() - 0.5);
  const returns = Array.from({ length: RUNS_PER_COIN }, (_, run) =>
    run < moving ? shared.map((value) => value + uniform() - 0.5) : new Float64Array(DAYS),
  );
  return { returns, moves: returns.map((_, run) => run < moving) };
}

/** Sums of the last twelve whole weeks. */
function weeks(run: Float64Array): Float64Array {
  const days = Array.from(run.subarray(FROM, TO)).slice(-84);
  return Float64Array.from({ length: 12 }, (_, week) =>
    days.slice(7 * week, 7 * week + 7).reduce((sum, value) => sum + value, 0),
  );
}

describe("trialsOf", () => {
  // Fewer runs than weeks, and more.
  test.each([2, 9, 40])(
    "counts those of a coin by the correlations of all %d runs that move",
    (moving) => {
      const { returns, moves } = runsOf(moving);
      const { coin } = trialsOf(returns, { from: FROM, to: TO }, moves);
      const daily = correlationMatrix(
        returns.slice(0, moving).map((run) => run.subarray(FROM, TO)),
      );
      expect(coin.trials).toBe(moving);
      const rho = meanCorrelation(daily);
      expect(coin.meanCorrelation).toBeCloseTo(rho, 12);
      expect(coin.impliedTrials).toBeCloseTo(rho + (1 - rho) * moving, 10);
      const weekly = correlationMatrix(returns.slice(0, moving).map(weeks));
      expect(coin.effectiveRank).toBeCloseTo(effectiveRank(weekly), 10);
    },
  );

  test("leaves a run whose weeks are all the same out of the effective rank", () => {
    const { returns, moves } = runsOf(9);
    const { coin: without } = trialsOf(returns, { from: FROM, to: TO }, moves);
    returns[9] = Float64Array.from({ length: DAYS }, (_, day) => (day % 7 === 0 ? 0.5 : 0));
    moves[9] = true;
    const { coin } = trialsOf(returns, { from: FROM, to: TO }, moves);
    expect(coin.trials).toBe(10);
    expect(coin.effectiveRank).toBe(without.effectiveRank);
    const only = trialsOf(
      returns.fill(returns[10]!, 0, 9),
      { from: FROM, to: TO },
      moves.map((_, run) => run === 9),
    );
    expect(only.coin).toMatchObject({ trials: 1, effectiveRank: NaN });
  });

  test("is one for a single run, and none, without correlations, where no run moves", () => {
    const one = runsOf(1);
    const alone = { trials: 1, meanCorrelation: NaN, impliedTrials: 1, effectiveRank: 1 };
    const { cells, coin } = trialsOf(one.returns, { from: FROM, to: TO }, one.moves);
    expect([cells[0], coin]).toEqual([alone, alone]);
    const none = { trials: 0, meanCorrelation: NaN, impliedTrials: NaN, effectiveRank: NaN };
    expect(cells[1]).toEqual(none);
    const still = runsOf(0);
    expect(trialsOf(still.returns, { from: FROM, to: TO }, still.moves).coin).toEqual(none);
  });
});
