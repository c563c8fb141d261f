import { describe, expect, test } from "vitest";
import {
  assessBacktest,
  verdictOf,
  verdictSentence,
} from "../../../quant/overfitting/assess-backtest.ts";
import type { BacktestInputs } from "../../../quant/overfitting/backtest-inputs.ts";
import references from "./backtest-references.json" with { type: "json" };
import { relativeError } from "./relative-error.ts";

/**
 * Figures of the check in 120-digit arithmetic (Python, mpmath), rounded to 40 digits. They are written
 * straight from the formulas, without the rearrangements that float64 needs. Strings keep the digits; null
 * is a figure that the inputs do not determine.
 */
const REFERENCES = references as unknown as readonly {
  readonly inputs: BacktestInputs;
  readonly expected: Readonly<Record<string, string | number | null>>;
}[];

const YEAR: BacktestInputs = {
  sharpe: 2,
  timeframe: "1d",
  lengthDays: 365,
  nTrials: 100,
  skew: 0,
  kurtosis: 3,
  trialsSharpeStd: null,
};

describe("assessBacktest", () => {
  test.each(REFERENCES)("agrees with 40 digits on $inputs", ({ inputs, expected }) => {
    const got = assessBacktest(inputs) as unknown as Record<string, number | null>;
    const wrong = Object.entries(expected).filter(([name, value]) => {
      const actual = got[name];
      if (value === null || actual === null || actual === undefined) return actual !== value;
      return relativeError(actual, Number(value)) > 1e-12;
    });
    expect(wrong).toEqual([]);
  });

  test("fills in what it assumed", () => {
    const { inputs, assumptions } = assessBacktest(YEAR);
    expect(inputs).toEqual(YEAR);
    expect(assumptions.periodsPerYear).toBe(365);
    expect(assumptions.trialsSharpeStd).toBeCloseTo(Math.sqrt(365 / 364), 14);
    expect(assumptions.trialsSharpeStdSource).toBe("sampling_error_without_skill");
    expect(assumptions.notes.join(" ")).toMatch(
      /spread.*word.*independent.*autocorrelation.*Look-ahead/,
    );
    const given = assessBacktest({ ...YEAR, trialsSharpeStd: 0.7 });
    expect(given.assumptions.trialsSharpeStd).toBeCloseTo(0.7, 14);
    expect(given.assumptions.trialsSharpeStdSource).toBe("given");
    expect(given.assumptions.notes.join(" ")).toMatch(/^(?!.*spread).*word.*independent/);
    expect(given.expectedMaxSharpe).toBeCloseTo(0.7 * 2.5306, 4);
  });

  test("a given spread of sqrt(365 / 364) is what is assumed without one", () => {
    const given = assessBacktest({ ...YEAR, trialsSharpeStd: Math.sqrt(365 / 364) });
    const assumed = assessBacktest(YEAR);
    expect(given.deflatedSharpeRatio).toBeCloseTo(assumed.deflatedSharpeRatio, 14);
    expect(given.breakEvenTrials).toBe(assumed.breakEvenTrials);
  });

  test("one trial has nothing to deflate", () => {
    const alone = assessBacktest({ ...YEAR, nTrials: 1 });
    expect(alone.expectedMaxSharpe).toBe(0);
    expect(alone.deflatedSharpeRatio).toBe(alone.probabilisticSharpeRatio);
    expect(alone.fwerPValue).toBeCloseTo(1 - alone.probabilisticSharpeRatio, 14);
    expect(alone.minBacktestYears).toBe(0);
    expect(alone).toMatchObject({ haircutSharpe: 2, haircut: 0 });
  });

  test("a Sharpe of 0 or less has no length that would prove it, and nothing to cut", () => {
    const none = {
      minTrackRecordObservations: null,
      minTrackRecordDays: null,
      minBacktestYears: null,
    };
    const losing = assessBacktest({ ...YEAR, sharpe: -1 });
    expect(losing).toMatchObject({ ...none, breakEvenTrials: null, verdict: "luck" });
    expect(losing).toMatchObject({ haircutSharpe: null, haircut: null });
    expect(losing.probabilisticSharpeRatio).toBeLessThan(0.5);
    const flat = assessBacktest({ ...YEAR, sharpe: 0 });
    expect(flat).toMatchObject({ ...none, haircutSharpe: 0, haircut: null });
    expect(flat).toMatchObject({ probabilisticSharpeRatio: 0.5, fwerPValue: 1, verdict: "luck" });
  });

  test("every figure is finite or null, at the edges of what is allowed", () => {
    const edges: readonly Partial<BacktestInputs>[] = [
      { sharpe: 1e-200 },
      { sharpe: 1e100, lengthDays: 2 },
      { sharpe: -1e100 },
      { lengthDays: 1e300, timeframe: "1h" },
      { kurtosis: 1, skew: 0 },
      { kurtosis: 1e300 },
      { sharpe: 50, lengthDays: 20_000, nTrials: 1_000_000_000 },
      { trialsSharpeStd: 0 },
      { trialsSharpeStd: 1e150 },
    ];
    for (const edge of edges) {
      const figures = Object.values(assessBacktest({ ...YEAR, ...edge }));
      const numbers = figures.filter((figure) => typeof figure === "number");
      expect(numbers.filter((figure) => !Number.isFinite(figure))).toEqual([]);
    }
  });

  test("says in a sentence what it found, and what the family-wise test says", () => {
    const luck = assessBacktest(YEAR);
    expect(luck.verdict).toBe("luck");
    expect(luck.verdictSentence).toBe(
      "Explained by luck: by luck alone, the best of 100 trials would show a Sharpe of about 2.53; " +
        "this backtest shows 2.00 (deflated Sharpe ratio 0.297). By the family-wise test it is " +
        "not better than the best of 100 lucky trials at 5 % (p = 0.90).",
    );
    // For 13 trials over a year the two tests disagree between 2.66 and 3.35.
    const between = assessBacktest({ ...YEAR, sharpe: 3, nTrials: 13 });
    expect(between.verdict).toBe("inconclusive");
    expect(between.verdictSentence).toMatch(/^Inconclusive: .* it is better than the best of 13/);
    const skill = assessBacktest({ ...YEAR, sharpe: 4, nTrials: 1 });
    expect(skill.verdict).toBe("skill");
    expect(skill.verdictSentence).toMatch(
      /^Survives deflation: by luck alone, one trial .* a lucky trial/,
    );
  });

  test("the family-wise test is passed below 5 %, and not at it", () => {
    const findings = { expectedMaxSharpe: 2.5, deflatedSharpeRatio: 0.9 };
    const sentence = (fwerPValue: number) => verdictSentence(YEAR, { ...findings, fwerPValue });
    expect(sentence(0.0499)).toContain("it is better than the best of 100 lucky trials at 5 %");
    expect(sentence(0.05)).toContain("it is not better than the best of 100 lucky trials");
    expect(sentence(0.0501)).toContain("it is not better than the best of 100 lucky trials");
  });

  test("refuses inputs that have no figures, and names the one", () => {
    expect(() => assessBacktest({ ...YEAR, nTrials: 0 })).toThrow(
      expect.objectContaining({ name: "BacktestInputError", field: "nTrials" }),
    );
  });

  test("gives skill from 0.95 and luck below one half", () => {
    const psr = (sharpe: number) => assessBacktest({ ...YEAR, sharpe, nTrials: 1 });
    expect(psr(0).verdict).toBe("inconclusive"); // 0.5 to the last digit
    expect(psr(-1e-9).verdict).toBe("luck");
    expect(psr(1.65).verdict).toBe("inconclusive");
    expect(psr(1.66).verdict).toBe("skill");
    expect([0.95, 0.9499999, 0.5, 0.4999999].map(verdictOf)).toEqual([
      "skill",
      "inconclusive",
      "inconclusive",
      "luck",
    ]);
  });
});

describe("warnings", () => {
  const warningsOf = (inputs: Partial<BacktestInputs>) =>
    assessBacktest({ ...YEAR, ...inputs }).warnings;

  test("none for a year of normal returns", () => {
    expect(warningsOf({})).toEqual([]);
  });

  test("fewer than thirty bars", () => {
    expect(warningsOf({ lengthDays: 30 })).toEqual([]);
    expect(warningsOf({ lengthDays: 29 })).toEqual([expect.stringContaining("29 bars")]);
    expect(warningsOf({ lengthDays: 203, timeframe: "1w" })).toEqual([
      expect.stringContaining("29 bars"),
    ]);
  });

  test("moments that no sample has, but not those on the bound", () => {
    expect(warningsOf({ skew: 1.1, kurtosis: 2.21 })).toEqual([]); // 1 + 1.1 * 1.1 is above 2.21 in float64
    expect(warningsOf({ skew: 0.1, kurtosis: 1.01 })).toEqual([]);
    expect(warningsOf({ skew: -2, kurtosis: 4.9 })).toEqual([
      "No sample has a kurtosis of 4.9 with a skew of -2: it is at least 1 + skew^2 = 5. Is it the excess kurtosis?",
    ]);
  });

  test("a variance term that all but vanishes", () => {
    const inputs = { sharpe: 3.8, skew: 10, kurtosis: 101 };
    expect(warningsOf(inputs)).toEqual([expect.stringContaining("all but vanishes")]);
    // At a daily Sharpe of 0.2: 1 - 0.2 x 9 + 0.04 / 4 x (kurtosis - 1).
    const near = { sharpe: 0.2 * Math.sqrt(365), skew: 9 };
    expect(warningsOf({ ...near, kurtosis: 91.5 })).toEqual([]); // 0.105
    expect(warningsOf({ ...near, kurtosis: 90.5 })).toEqual([
      "Skew and kurtosis are so near their bound that the Sharpe estimate's variance all but " +
        "vanishes (factor 0.095): any Sharpe would look certain.",
    ]);
  });
});
