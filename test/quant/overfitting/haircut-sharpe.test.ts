import { describe, expect, test } from "vitest";
import { haircutSharpe } from "../../../quant/overfitting/haircut-sharpe.ts";
import { relativeError } from "./relative-error.ts";

const ANNUAL = Math.sqrt(12);

describe("haircutSharpe", () => {
  test("Harvey and Liu's example: 0.75 over 240 months, 200 tests: p 0.0008, 0.15, Sharpe 0.32", () => {
    const cut = haircutSharpe({ sharpe: 0.75 / ANNUAL, observations: 240, trials: 200 });
    expect(cut.pValue).toBeCloseTo(0.000796, 6);
    expect(cut.adjustedPValue).toBeCloseTo(0.1473, 4);
    expect(cut.sharpe * ANNUAL).toBeCloseTo(0.3241, 4);
    expect(cut.haircut).toBeCloseTo(1 - 0.3241 / 0.75, 3);
  });

  test("cuts nothing off a single test", () => {
    const cut = haircutSharpe({ sharpe: 0.123, observations: 777, trials: 1 });
    expect(cut).toMatchObject({ sharpe: 0.123, haircut: 0 });
    expect(relativeError(cut.adjustedPValue, cut.pValue)).toBeLessThan(1e-14);
    for (let observations = 2; observations <= 200; observations++) {
      expect(haircutSharpe({ sharpe: 0.123, observations, trials: 1 }).sharpe).toBe(0.123);
    }
  });

  test("leaves nothing of a Sharpe of 0, and has no fraction for it", () => {
    const cut = haircutSharpe({ sharpe: 0, observations: 100, trials: 5 });
    expect(cut).toMatchObject({ pValue: 1, adjustedPValue: 1, sharpe: 0 });
    expect(cut.haircut).toBeNaN();
  });

  test("is a small share where p is beyond float64", () => {
    const cut = haircutSharpe({ sharpe: 1, observations: 40_000, trials: 1000 });
    expect(cut.pValue).toBe(0);
    // t = 200, h = sqrt(t^2 - 2 ln N + ...), to first order a cut of ln N / t^2.
    expect(relativeError(cut.haircut, Math.log(1000) / 40_000)).toBeLessThan(1e-3);
  });

  test.each([
    [0.66, 2, 0.5354950335956665],
    [0.68, 2, 0.524605796461525],
    [3, 10, 0.2612398958072383],
    [5, 1e6, 0.8443221533043721],
    [8, 1e9, 0.3939416072554481],
    [11, 1e9, 0.18708939316787515],
    [12, 1000, 0.04881951707050208],
    [40, 1000, 0.00432399053219809],
    [200, 1000, 0.00017270447762394],
    [1e6, 100, 4.60517018599409e-12],
    [1e10, 1e9, 2.072326583694641e-19],
  ])("a t-ratio of %d among %d keeps its digits (mpmath, 60 digits)", (tRatio, trials, haircut) => {
    const cut = haircutSharpe({ sharpe: tRatio, observations: 1, trials });
    expect(relativeError(cut.haircut, haircut)).toBeLessThan(1e-14);
    expect(relativeError(cut.sharpe, tRatio * (1 - haircut))).toBeLessThan(1e-14);
  });

  test("grows with the trials and shrinks with the Sharpe", () => {
    const cutOf = (sharpe: number, trials: number) =>
      haircutSharpe({ sharpe, observations: 500, trials }).haircut;
    for (const sharpe of [0.001, 0.05, 0.1, 0.3, 1, 3]) {
      for (const trials of [1, 2, 10, 1000, 1e6]) {
        expect(cutOf(sharpe, trials * 2)).toBeGreaterThanOrEqual(cutOf(sharpe, trials));
        expect(cutOf(sharpe * 1.5, trials)).toBeLessThanOrEqual(cutOf(sharpe, trials));
      }
    }
  });

  test("does not apply to losses", () => {
    expect(() => haircutSharpe({ sharpe: -0.1, observations: 10, trials: 2 })).toThrow(RangeError);
  });
});
