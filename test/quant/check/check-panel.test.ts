import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../quant/check/report.ts";
import { expectedMaximum } from "../../../quant/overfitting/deflated-sharpe.ts";
import { checkOf, normalColumns, normals } from "./panels.ts";

const NULLS = Array<number>(11).fill(0);

describe("the verdict", () => {
  test("of variants without an edge is not skill; of a planted one it is", () => {
    const nothing = checkOf(normalColumns(3, 750, [0, ...NULLS]));
    expect(nothing.verdict.value).not.toBe("skill");
    const columns = normalColumns(3, 750, [4, ...NULLS]);
    const planted = checkOf(columns);
    expect(planted.verdict.value).toBe("skill");
    expect(planted.input.selected).toBe("v0");
    expect(planted.family!.survivors).toEqual(["v0"]);
    expect(planted.verdict.sentence).toMatch(
      /^Luck would rarely do this: with 12 tries, luck alone does this well .* in 1\S+\. .* name the coin/,
    );
    const ofTwo = checkOf(columns, { traded: ["btc", "eth"] });
    expect(ofTwo.verdict.sentence).toContain("name its coins");
  });

  test("of one series asks for the trials, and says how many it bears", () => {
    const columns = normalColumns(3, 750, [2]);
    const asked = checkOf(columns);
    expect(asked.verdict.value).toBe("inconclusive");
    expect(asked.verdict.withheldReason).toContain("number of variants");
    const most = asked.verdict.breakEvenTrials!;
    expect(most).toBeGreaterThan(1);
    const luck = asked.verdict.luckTrials;
    const number = (value: number) => value.toLocaleString("en-US");
    expect(asked.verdict.notes[0]).toContain(
      `Up to ${number(most)} it passes, from ${number(luck)} luck does it often, in between it is too close to call.`,
    );
    expect(checkOf(columns, { nTrials: most }).verdict.value).toBe("skill");
    expect(checkOf(columns, { nTrials: most + 1 }).verdict.value).toBe("inconclusive");
    expect(checkOf(columns, { nTrials: luck - 1 }).verdict.value).toBe("inconclusive");
    expect(checkOf(columns, { nTrials: luck }).verdict.value).toBe("luck");
  });

  test("counts declared trials above those measured", () => {
    const columns = normalColumns(3, 750, [4, ...NULLS]);
    const p = checkOf(columns).verdict.pValue!;
    const more = checkOf(columns, { nTrials: 120 }).verdict.pValue!;
    expect(more).toBeCloseTo(1 - (1 - p) ** 10, 12);
    expect(checkOf(columns, { nTrials: 3 }).verdict.pValue).toBe(p);
  });

  test("is withheld with few active or losing bars", () => {
    const seldom = normalColumns(5, 400, [9]).map((column) =>
      column.map((value, row) => (row % 21 === 0 ? Math.abs(value) : 0)),
    );
    const few = checkOf(seldom, { nTrials: 1 });
    expect(few.verdict.withheldReason).toContain("only 0 bars lost");
    const rare = seldom.map((column) => column.map((value, row) => (row % 42 === 0 ? value : 0)));
    expect(checkOf(rare, { nTrials: 1 }).verdict.withheldReason).toContain(
      "only 10 bars with a return",
    );
  });

  test("of realised profits is never skill", () => {
    const source = { format: "x", tool: "x", kind: "trades", realisedOnly: true } as const;
    const { verdict } = checkOf(normalColumns(3, 750, [4, ...NULLS]), { source });
    expect([verdict.value, verdict.withheldReason]).toEqual([
      "inconclusive",
      expect.stringContaining("averages down"),
    ]);
  });

  test("knows the drift of the coin from skill", () => {
    const [coin] = normalColumns(9, 750, [3]) as [Float64Array];
    const own = normals(12);
    const followers = NULLS.map(() => coin.map((value) => value + 0.004 * own()));
    expect(checkOf(followers).verdict.value).toBe("skill");
    const against = checkOf(followers, { coin: { name: "btc", returns: coin } });
    expect(against.verdict.value).not.toBe("skill");
    expect(against.family!.pCoin).toBeGreaterThan(against.family!.pCash);
    const single = checkOf([followers[0]!], { coin: { name: "btc", returns: coin }, nTrials: 1 });
    expect(single.verdict.value).not.toBe("skill");
    const itself = checkOf([coin], { coin: { name: "btc", returns: coin }, nTrials: 1 });
    expect(itself.verdict.withheldReason).toBe("this is holding btc and nothing else");
    const short = checkOf([coin.map((value) => -value)], { coin: { name: "btc", returns: coin } });
    expect(short.verdict.withheldReason).toBe("this is shorting btc and nothing else");
    // Jensen's alpha is of excess returns: always invested as the coin is, the rate counts against neither.
    const rate = { coin: { name: "btc", returns: coin }, nTrials: 1, riskFree: 0.05 };
    const { pValue } = checkOf([followers[0]!], rate).verdict;
    expect(pValue).toBeCloseTo(single.verdict.pValue!, 2);
  });

  test("PBO above one half changes the sentence only", () => {
    const report = checkOf(normalColumns(2, 400, [0, ...NULLS]));
    const random = report.cscv!.pbo! > 0.5;
    expect(report.verdict.sentence.includes("Which variant was picked")).toBe(random);
  });
});

describe("the figures", () => {
  const report = checkOf(normalColumns(3, 750, [4, ...NULLS]));

  test("fit together", () => {
    const { series, trials, cscv, family } = report as Required<CheckReport>;
    const { published, adjusted } = series!;
    expect(series!.sharpe).toBeCloseTo((series!.mean! / series!.std!) * Math.sqrt(365), 12);
    expect(adjusted.standardError! >= published.standardError!).toBe(true);
    expect(series!.dependenceRatio).toBeCloseTo(
      (adjusted.standardError! / published.standardError!) ** 2,
      12,
    );
    expect(trials.dsr!.n).toBe(adjusted.dsr);
    expect([trials.n, cscv!.blocks, cscv!.rowsUsed]).toEqual([12, 16, 736]);
    expect(cscv!.logits.counts.reduce((a, b) => a + b, 0)).toBe(12_870);
    expect(cscv!.logits.edges).toHaveLength(cscv!.logits.counts.length + 1);
    expect(family!.pValue).toBe(family!.pCash);
  });

  test("DSR as published has the variance of trials without an edge", () => {
    const { published, kurtosis, skew, mean, std } = report.series!;
    expect(published.dsr! < published.psr!).toBe(true);
    const sharpe = mean! / std!;
    const bar = expectedMaximum(12) / Math.sqrt(749);
    const z =
      (sharpe - bar) / Math.sqrt((1 - skew! * sharpe + ((kurtosis! - 1) / 4) * sharpe ** 2) / 749);
    expect(z).toBeGreaterThan(0);
    expect(published.dsr! > 0.5).toBe(true);
  });

  test("there are no tests of a matrix for one series, few variants or few bars", () => {
    const [one] = normalColumns(1, 300, [0]) as [Float64Array];
    const single = checkOf([one]);
    expect([single.cscv, single.family]).toEqual([null, null]);
    expect(single.cscvReason).toBe("PBO needs 5 variants that move, there are 1");
    const short = checkOf(normalColumns(1, 150, [0, 0, 0, 0, 0]));
    expect(short.cscvReason).toBe("PBO needs 160 bars, there are 150");
    const slow = normalColumns(1, 200, [0, 0]).map((column) => smoothed(column, 60));
    const dependent = checkOf(slow);
    expect(dependent.familyReason).toContain("the record is too short");
    expect(dependent.verdict.value).toBe("inconclusive");
  });

  test("the risk-free rate counts against cash", () => {
    const columns = normalColumns(3, 750, [2]);
    const plain = checkOf(columns).series!;
    const rate = checkOf(columns, { riskFree: 0.0365 }).series!;
    expect(rate.mean).toBeCloseTo(plain.mean! - 0.0001, 12);
    expect(rate.totalReturn).toBe(plain.totalReturn);
  });

  test("an unknown selected variant is refused with those there are", () => {
    expect(() => checkOf(normalColumns(3, 100, [2, 1]), { selected: "x" })).toThrow(
      /no variant that moves is called "x"; there are "v1", "v0"|"v0", "v1"/,
    );
  });
});

describe("properties", () => {
  const panels = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    columns: fc.integer({ min: 2, max: 7 }),
  });
  const withoutNames = (report: CheckReport) => [
    report.verdict,
    report.cscv,
    report.family?.pValue,
  ];

  test("the same panel gives the same answer", () => {
    fc.assert(
      fc.property(panels, ({ seed, columns }) => {
        const made = () => checkOf(normalColumns(seed, 200, Array(columns).fill(1)));
        expect(made()).toEqual(made());
      }),
      { numRuns: 5 },
    );
  });

  test("the order of the columns changes nothing", () => {
    fc.assert(
      fc.property(panels, ({ seed, columns }) => {
        const made = normalColumns(seed, 200, Array(columns).fill(1));
        const names = made.map((_, place) => `n${place}`);
        const one = checkOf(made, {}, { names });
        const other = checkOf(made.toReversed(), {}, { names: names.toReversed() });
        const place = { sha256: one.input.sha256 }; // the digest is of the columns as they come
        const family = other.family && {
          ...other.family,
          survivors: other.family.survivors.toReversed(),
          untested: other.family.untested.toReversed(),
        };
        expect({ ...other, family, input: { ...other.input, ...place } }).toEqual(one);
      }),
      { numRuns: 10 },
    );
  });

  test("the size of the position changes no ratio and no p-value", () => {
    fc.assert(
      fc.property(panels, ({ seed, columns }) => {
        const made = normalColumns(seed, 200, Array(columns).fill(1));
        const one = checkOf(made);
        const half = checkOf(made.map((column) => column.map((value) => value / 2))); // exact in float64
        expect(withoutNames(half)).toEqual(withoutNames(one));
        expect(half.series!.sharpe).toBe(one.series!.sharpe);
        expect(half.series!.published).toEqual(one.series!.published);
        expect(half.series!.adjusted).toEqual(one.series!.adjusted);
      }),
      { numRuns: 10 },
    );
  });
});

test("a watcher counts the variants of each test, and changes no figure", () => {
  const columns = normalColumns(3, 250, [1, 0, 0]);
  const seen: string[] = [];
  const watched = checkOf(columns, {
    onProgress: ({ step, done, total }) => seen.push(`${step} ${done}/${total}`),
  });
  const counted = (step: string) => [1, 2, 3].map((done) => `${step} ${done}/3`);
  expect(seen).toEqual(["splits 0/3", ...counted("cash"), ...counted("means")]);
  expect(watched).toEqual(checkOf(columns));
});

test.each([1, 2, 3, 4])(
  "progress never passes its total, whichever test decides: panel %d",
  (seed) => {
    checkOf(normalColumns(seed, 250, [1, 0, 0]), {
      onProgress: ({ done, total }) => expect(done).toBeLessThanOrEqual(total),
    });
  },
);

function smoothed(column: Float64Array, bars: number): Float64Array {
  return column.map((_, row) => {
    const part = column.subarray(Math.max(0, row - bars), row + 1);
    return part.reduce((sum, value) => sum + value, 0) / bars;
  });
}
