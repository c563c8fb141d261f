import { sampleVariance } from "simple-statistics";
import { describe, expect, test } from "vitest";
import { checkLive, type LiveInput } from "../../../quant/live/check-live.ts";
import { dayOfDate } from "../../../quant/calendar.ts";
import { A, L0, L1, L2, L3, L4, P, series } from "./series.ts";

const FIRST = dayOfDate("2022-01-01")!;

const daysFrom = (first: number, length: number) =>
  Array.from({ length }, (_, index) => first + index);

/** A live record that begins on the day after the backtest, unless it is said otherwise. */
function inputOf(
  columns: readonly Float64Array[],
  live: Float64Array,
  more: Partial<LiveInput> = {},
): LiveInput {
  const bars = columns[0]!.length;
  const usual = { periodsPerYear: 365, realisedOnly: false };
  return {
    columns,
    index: 0,
    backtest: { ...usual, day: daysFrom(FIRST, bars), returns: columns[0]! },
    live: { ...usual, day: daysFrom(FIRST + bars, live.length), returns: live },
    ...more,
  };
}

const codesOf = (input: LiveInput) => checkLive(input).verdict.cautions.map(({ code }) => code);

describe("the verdict", () => {
  test.each([
    ["V1", [A], 1, L0, "stop_contradicted", 5],
    ["V2", [A], 20, L0, "below", 5],
    ["V3", P, 5, L1, "holds", 0],
    ["V4", P, 5, L2, "decayed", 0],
    ["V5", [A], 100_000, L1, "holds", 0],
    ["V6", [A], undefined, L0, "below", 5],
    ["V7", P, 20, L3, "stop_loses", 5_000],
    ["V8", P, 5, L4, "open", 0],
  ] as const)("on %s is that of the reference", (_, columns, nTrials, live, value, upTo) => {
    const { verdict, stop } = checkLive(inputOf(columns, live, { nTrials }));
    expect(verdict.value).toBe(value);
    expect(stop.contradiction.upToTrials).toBe(upTo);
  });

  test("asks for the number of trials where it isn't known, and decides nothing by the claim", () => {
    const { verdict, claim, stop } = checkLive(inputOf([A], L0));
    expect(claim.nTrials).toEqual({ value: 1, source: "assumed" });
    expect(stop.contradiction.reachedOn).not.toBeNull();
    expect(verdict.sentence).toMatch(/\. How many variants did you try\? Up to 5 /);
  });

  test("is below for a record lower than 19 in 20 of what the claim leads to expect", () => {
    const verdictOf = (mean: number) =>
      checkLive(inputOf([A], series(31, 200, mean, 0.02), { nTrials: 13 })).verdict;
    expect(verdictOf(-0.0012)).toMatchObject({
      value: "below",
      sentence: expect.stringMatching(
        /^It lost 35 % in 200 days \(10,000 -> 6,487\)\. Worse than promised, not yet proof: .* 1 in 100 is that low/,
      ),
    });
    expect(verdictOf(0.001)).toMatchObject({
      value: "open",
      sentence: expect.stringMatching(/^It made 0\.8 % .*\. Too early to tell: .* 17 in 100 are/),
    });
  });

  test("counts a panel's variants, and declared ones where they are more", () => {
    const sourceOf = (nTrials?: number) => checkLive(inputOf(P, L1, { nTrials })).claim.nTrials;
    expect(sourceOf()).toEqual({ value: 5, source: "measured" });
    expect(sourceOf(3)).toEqual({ value: 5, source: "measured" });
    expect(sourceOf(30)).toEqual({ value: 30, source: "declared" });
  });

  test("is the best of any where the chosen variant isn't the best, or more were tried", () => {
    const methodOf = (more: Partial<LiveInput>) => checkLive(inputOf(P, L1, more)).claim.method;
    const second = { place: 1, backtest: { ...inputOf(P, L1).backtest, returns: P[1]! } };
    expect(methodOf({})).toBe("beat_the_others");
    expect(methodOf({ nTrials: 20 })).toBe("best_of_any");
    expect(methodOf(second)).toBe("best_of_any");
  });

  test("is that there is no claim where luck explains all of it", () => {
    const figures = checkLive(inputOf([A], L1.slice(0, 100), { nTrials: 1_000_000 }));
    expect(figures.verdict.value).toBe("no_claim");
    expect(figures.verdict.sentence).toContain("after 1,000,000 tries nothing");
    const losing = A.map((value) => value - 0.01);
    expect(checkLive(inputOf([losing], L1.slice(0, 100), { nTrials: 1 })).verdict.sentence).toMatch(
      /There is no claim to hold it to: the backtest itself has a Sharpe ratio of -\d+\.\d\d\. Only/,
    );
    expect(figures.stop.contradiction).toMatchObject({ evidence: NaN, upToTrials: 0 });
    expect(figures.stop.contradiction.evidenceReason).toMatch(/^nothing is claimed: luck among/);
    expect(figures.decay.onceInDaysReason).toMatch(/^nothing is claimed/);
    expect(figures.howLong.stop).toBeNull();
    expect(figures.howLong.stopReason).toMatch(/^nothing is claimed/);
    expect([figures.picture.stopLine, figures.picture.othersLine]).toEqual([null, null]);
    expect(figures.picture.fan).not.toBeNull();
  });

  test("says nothing of a short record, whatever it shows", () => {
    const losing = series(5, 19, -0.2, 0.01);
    const figures = checkLive(inputOf([A], losing, { nTrials: 1 }));
    expect(figures.verdict.value).toBe("too_early");
    expect(figures.verdict.sentence).toMatch(
      /^It lost .*\. Too early to judge the edge: 19 of 20 days/,
    );
    expect(figures.stop.loses).toMatchObject({ evidence: NaN, reachedOn: null });
    expect(figures.stop.loses.evidenceReason).toMatch(/fewer than 20 live days/);
    expect(figures.howLong.stop!.none.medianDays).toBeGreaterThan(0);
    expect(figures.picture.stopLine).not.toBeNull();
    const later = checkLive(inputOf([A], series(5, 20, -0.2, 0.01), { nTrials: 1 }));
    expect(later.verdict.value).not.toBe("too_early");
    expect(later.stop.loses.evidence).toBeGreaterThan(1);
  });

  test.each([
    ["a tenth a day, evenly", (day: number) => -0.1 - 0.001 * (day % 3)],
    ["exactly the same each day", () => -0.1],
    ["little, with a few days at rest", (day: number) => (day % 5 === 0 ? 0 : -0.01)],
  ])("is a stop for an account that loses %s", (_, lossOf) => {
    const live = Float64Array.from({ length: 40 }, (_unused, day) => lossOf(day));
    const { verdict, stop, dependence } = checkLive(inputOf([A], live, { nTrials: 1 }));
    expect(verdict.value).toBe("stop_loses");
    expect(stop.contradiction.reachedOn).not.toBeNull();
    expect(dependence).toBeLessThan(10);
  });

  test.each([0, 1, 5, 40])("bears %d flat days first, which are no active ones", (flat) => {
    const live = Float64Array.from([...new Float64Array(flat), ...L4]);
    const figures = checkLive(inputOf(P, live));
    expect(figures.days).toBe(flat + 94);
    expect(figures.activeDays).toBe(94);
    for (const length of [1, 2, 3, flat + 1]) {
      const early = checkLive(inputOf(P, live.slice(0, length)));
      expect(early.verdict.value).toBe("too_early");
      expect(early.picture.stopLine!.every(Number.isFinite)).toBe(true);
      expect(early.dependence).toBeGreaterThan(0);
    }
  });

  test("is withheld where the backtest is too short, never loses, or only one record is marked to market", () => {
    const wins = A.map(Math.abs);
    const realised = (of: "backtest" | "live") => {
      const input = inputOf([A], L0, { nTrials: 1 });
      return { ...input, [of]: { ...input[of], realisedOnly: true } };
    };
    for (const [input, reason] of [
      [inputOf([A.slice(0, 15)], L0), /only 15 days of the backtest have a return/],
      [inputOf([wins], L0), /only 0 days of the backtest lost/],
      [realised("live"), /only the backtest has what open positions were worth/],
      [realised("backtest"), /only the live record has/],
    ] as const) {
      const figures = checkLive(input);
      expect(figures.verdict.value).toBe("withheld");
      expect(figures.verdict.withheldReason).toMatch(reason);
      expect(figures.verdict.sentence).toMatch(/^It .*\. No verdict: /);
      expect(figures.stop.contradiction.reachedOn).toBeNull();
      expect(figures.stop.contradiction.evidenceReason).toMatch(reason);
    }
  });

  test("never holds by realised profits alone", () => {
    const input = inputOf(P, L1);
    const realised = {
      ...input,
      backtest: { ...input.backtest, realisedOnly: true },
      live: { ...input.live, realisedOnly: true },
    };
    const { verdict, holds } = checkLive(realised);
    expect(verdict.value).toBe("open");
    expect(holds).toMatchObject({ evidence: NaN, reachedOn: null });
    expect(holds.evidenceReason).toMatch(/only realised profits/);
  });

  test("takes the rate without risk off both records", () => {
    const rate = 0.1;
    const less = (column: Float64Array) => column.map((value) => value - rate / 365);
    const given = checkLive(inputOf(P, L1, { riskFree: rate }));
    const taken = checkLive(inputOf(P.map(less), less(L1)));
    expect(given.claim.afterLuck).toBeCloseTo(taken.claim.afterLuck, 10);
    expect(given.sharpe).toBeCloseTo(taken.sharpe, 10);
    expect(given.stop.contradiction.evidence).toBeCloseTo(taken.stop.contradiction.evidence, 10);
    expect(given.decay.onceInDays / taken.decay.onceInDays).toBeCloseTo(1, 9);
    expect(given.picture.live.at(-1)).toBeCloseTo(taken.picture.live.at(-1)!, 10);
  });

  test("is the same at another leverage, which is a caution", () => {
    const plain = checkLive(inputOf(P, L1));
    const doubled = checkLive(
      inputOf(
        P,
        L1.map((value) => 3 * value),
      ),
    );
    expect(doubled.stop.contradiction.evidence).toBeCloseTo(plain.stop.contradiction.evidence, 9);
    expect(doubled.verdict.value).toBe(plain.verdict.value);
    expect(doubled.volatilityRatio).toBeCloseTo(3 * plain.volatilityRatio, 9);
    expect(doubled.verdict.cautions.map(({ code }) => code)).toContain("volatility_differs");
    expect(plain.verdict.cautions.map(({ code }) => code)).not.toContain("volatility_differs");
  });

  test("compares years of different lengths", () => {
    const input = inputOf(P, L1);
    const traded = { ...input, live: { ...input.live, periodsPerYear: 252 } };
    const figures = checkLive(traded);
    expect(figures.sharpe).toBeCloseTo(1.824272634 * Math.sqrt(252 / 365), 8);
    expect(figures.claim.afterLuck).toBeCloseTo(3.815545617, 8);
  });

  test("quotes the error rates of about its size", () => {
    const { errorRates } = checkLive(inputOf(P, L1)).verdict;
    expect(errorRates.falseStop10y).toBeGreaterThanOrEqual(errorRates.falseStop3y);
    expect(errorRates.falseStop10y).toBeLessThanOrEqual(0.1);
  });
});

describe("the two records", () => {
  const gapped = (gap: number) => {
    const input = inputOf(P, L1);
    return { ...input, live: { ...input.live, day: daysFrom(FIRST + 500 + gap, L1.length) } };
  };

  test("may lie apart, which is said and changes nothing", () => {
    expect(checkLive(gapped(0))).toMatchObject({ gapDays: 0, droppedBacktestDays: 0 });
    const apart = checkLive(gapped(30));
    expect(apart.gapDays).toBe(30);
    expect(apart.stop.contradiction.evidence).toBe(
      checkLive(gapped(0)).stop.contradiction.evidence,
    );
  });

  test("are cut on the first live day, or the one that is given", () => {
    const long = series(100, 600, 0.0045, 0.02);
    const input = inputOf([long], L1, { nTrials: 1 });
    const over = { ...input, live: { ...input.live, day: daysFrom(FIRST + 500, L1.length) } };
    const figures = checkLive(over);
    expect(figures).toMatchObject({ cut: "2023-05-16", droppedBacktestDays: 100, gapDays: 0 });
    expect(figures.claim.bars).toBe(500);
    expect(figures.overlap!.days).toBe(100);
    expect(codesOf(over)).toContain("chosen_later");
    // The first 500 bars are those of P's first column.
    expect(figures.claim.sharpe).toBeCloseTo(3.821989705, 8);

    const later = checkLive({ ...over, since: FIRST + 550 });
    expect(later).toMatchObject({ droppedLiveDays: 50, droppedBacktestDays: 50, days: 550 });
    expect(later.first).toBe(later.cut);
    const after = checkLive({ ...over, since: FIRST + 700 });
    expect(after).toMatchObject({ droppedLiveDays: 200, droppedBacktestDays: 0, days: 400 });
    expect(after.overlap).toBeNull();
  });

  test("are not the same strategy where they don't move alike on the days that both have", () => {
    const overlapping = (live: Float64Array) => {
      const long = series(100, 600, 0.0045, 0.02);
      const input = inputOf([long], live, { nTrials: 1 });
      return { ...input, live: { ...input.live, day: daysFrom(FIRST + 500, live.length) } };
    };
    const same = series(100, 600, 0.0045, 0.02)
      .slice(500)
      .map((value) => 2 * value - 0.001);
    expect(checkLive(overlapping(same)).overlap!.correlation).toBeCloseTo(1, 9);
    expect(codesOf(overlapping(same))).not.toContain("not_the_same_strategy");
    expect(codesOf(overlapping(L4))).toContain("not_the_same_strategy");
    expect(codesOf(overlapping(L4.slice(0, 19)))).not.toContain("not_the_same_strategy");
    const { overlap } = checkLive(overlapping(same));
    const promised = series(100, 600, 0.0045, 0.02).slice(500);
    const mean = promised.reduce((sum, value) => sum + value - 0.001, 0) / 100;
    expect(overlap!.difference).toBeCloseTo(365 * mean, 9);
  });

  test("need ten days of a backtest before live, and a live day", () => {
    expect(() => checkLive({ ...inputOf(P, L1), since: FIRST + 9 })).toThrow(
      /the backtest has 9 days before 2022-01-10/,
    );
    expect(() => checkLive({ ...inputOf(P, L1), since: FIRST + 5_000 })).toThrow(
      /no day from 2035-09-10 on/,
    );
  });

  test("may be longer live than in the backtest, whose error bounds what live days add", () => {
    const live = series(3, 3_000, 0, 0.02);
    const figures = checkLive(inputOf([A.slice(0, 100)], live, { nTrials: 1 }));
    const { afterLuck, error } = figures.claim;
    expect(figures.stop.contradiction.evidence).toBeLessThan(
      Math.exp((afterLuck * (afterLuck / 2 - figures.sharpe)) / error ** 2),
    );
    expect(codesOf(inputOf([A.slice(0, 100)], L1, { nTrials: 1 }))).toContain("backtest_too_short");
  });

  test("a backtest that overlaps over a tenth of its bars has no fan, and its figures stay", () => {
    const shocks = series(9, 340, 0, 0.02);
    const smooth = Float64Array.from({ length: 300 }, (_, row) => {
      return shocks.subarray(row, row + 40).reduce((sum, value) => sum + value, 0) / 40 + 0.0005;
    });
    const { picture, stop, dependence } = checkLive(inputOf([smooth], L1, { nTrials: 1 }));
    expect(picture.fan).toBeNull();
    expect(dependence).toBeGreaterThan(10);
    expect(stop.contradiction.evidence).toBeGreaterThan(0);
  });
});

describe("the picture", () => {
  test("has at most 60 days, to the end of the first year or of the record, today among them", () => {
    for (const length of [1, 5, 94, 210, 364, 365, 366, 420, 600]) {
      const live = Float64Array.from({ length }, (_, day) => L1[day]!);
      const { picture } = checkLive(inputOf(P, live));
      const { day } = picture;
      expect(day.length).toBeLessThanOrEqual(60);
      expect(day.at(-1)).toBe(Math.max(365, length));
      expect(day).toContain(length);
      expect(day.every((each, place) => place === 0 || each > day[place - 1]!)).toBe(true);
      const sum = live.reduce((total, value) => total + value, 0);
      expect(picture.live[day.indexOf(length)]).toBeCloseTo(sum, 12);
      expect(Number.isNaN(picture.live.at(-1))).toBe(length < 365);
    }
  });

  test("has its stop line where the evidence of today is 20", () => {
    const { picture, claim, dependence } = checkLive(inputOf(P, L1));
    const deviation = Math.sqrt(sampleVariance([...L1]));
    const last = picture.stopLine!.at(-1)!;
    const sharpe = (last / 600 / deviation) * Math.sqrt(365);
    const spread = claim.error ** 2 + (dependence * 365) / 600;
    const ratios = [0, -1, -2].map((rival) => {
      const log = ((claim.afterLuck - rival) * ((claim.afterLuck + rival) / 2 - sharpe)) / spread;
      return Math.exp(log);
    });
    expect(ratios.reduce((sum, ratio) => sum + ratio) / 3).toBeCloseTo(20, 9);
  });
});
