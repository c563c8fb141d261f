import { describe, expect, test } from "vitest";
import { FIGURES } from "../../../quant/dataset/figures.ts";
import { headlinesOf, type Headline } from "../../../quant/dataset/headline.ts";
import { cellRecord, coinOfCells } from "../../support/dataset-records.ts";

/** Two coins, two templates; all runs but one of the last cell are flat. */
const COINS = [
  coinOfCells("aaa", [
    cellRecord("one", "1 -> 0.5, 2 -> 0.25, 0.5 -> 1"),
    cellRecord("two", "3 -> 2, 1 -> -1", { family: "momentum", pbo: 0.25 }),
  ]),
  coinOfCells("bbb", [
    cellRecord("one", "-1 -> -2, -0.5 -> -1, -2 -> 0.5"),
    cellRecord("two", "NaN -> NaN, 0.8 -> NaN", { family: "momentum", pbo: NaN }),
  ]),
];
const HEADLINES = headlinesOf(COINS);
const ALL = HEADLINES[0]!;

function figure(headline: Headline, name: string) {
  const found = headline.figures.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no figure ${name}`);
  return [found.value, found.coinFlip, found.count];
}

describe("headlinesOf", () => {
  test("has the whole, each template, coin and family, and each template on each coin", () => {
    expect(
      HEADLINES.map(({ scope, template, coin, family }) => [scope, template, coin, family]),
    ).toEqual([
      ["all", "", "", ""],
      ["template", "one", "", ""],
      ["template", "two", "", ""],
      ["coin", "", "aaa", ""],
      ["coin", "", "bbb", ""],
      ["family", "", "", "trend"],
      ["family", "", "", "momentum"],
      ["cell", "one", "aaa", ""],
      ["cell", "two", "aaa", ""],
      ["cell", "one", "bbb", ""],
      ["cell", "two", "bbb", ""],
    ]);
  });

  test("has every documented figure in every scope, in the documented order", () => {
    const names = FIGURES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { figures } of HEADLINES) expect(figures.map(({ name }) => name)).toEqual(names);
  });

  test("a figure that is documented without a coin flip never has one", () => {
    const without = FIGURES.filter(({ coinFlip }) => coinFlip === null).map(({ name }) => name);
    for (const headline of HEADLINES) {
      const flips = without.map((name) => figure(headline, name)[1]);
      expect(flips).toEqual(without.map(() => NaN));
    }
  });

  test.each([
    // picks: 2 -> 0.25, 3 -> 2, -0.5 -> -1, 0.8 -> none
    ["median_in_sample_sharpe", 1.4, 0.8, 4],
    ["median_out_of_sample_sharpe", 0.25, 0.375, 3],
    ["median_sharpe_difference", 1, 0.75, 3],
    ["median_haircut_pct", (87.5 + 100 / 3) / 2, 50, 2],
    ["share_keeping_half", 0.5, 0.6, 2],
    ["share_out_of_sample_loss", 0.25, 3 / 9, 4],
    // holding: return 0.05, Sharpe 0.4
    ["share_beating_buy_hold_return", 0.25, (2 + 2 * 0.5) / 9, 4],
    ["share_beating_buy_hold_sharpe", 1 / 3, 0.5, 3],
    ["share_beating_default", 0.5, (0 + 1 + 0 + 1 + 1) / 5, 2],
    ["share_beating_random", (0 + 1 + 0.5) / 3, 0.5, 3],
    // ranks: 3 of 3 (middle 2), 1 of 2 (middle 1.5), 2 of 3
    ["mean_out_of_sample_rank", 2, (2 + 1.5 + 2) / 3, 3],
    ["share_below_median", 1 / 3, (1 / 3 + 1 / 2 + 1 / 3) / 3, 3],
    ["share_at_median", 1 / 3, (1 / 3 + 0 + 1 / 3) / 3, 3],
    ["mean_pbo", (0.5 + 0.25 + 0.5) / 3, 0.5, 3],
    ["pbo_p05", 0.25 + 0.1 * 0.25, NaN, 3],
    ["pbo_p95", 0.5, NaN, 3],
    ["mean_coin_pbo", 0.6, 0.5, 2],
    // -2, -1, -0.5, 0.5, 0.8, 1, 1, 2, 3 and -2, -1, -1, 0.25, 0.5, 0.5, 1, 2
    ["all_runs_median_in_sample_sharpe", 0.8, 0.8, 9],
    ["all_runs_median_out_of_sample_sharpe", 0.375, 0.375, 8],
    ["mean_rank_correlation", (-1 + 1 - 0.5) / 3, 0, 3],
    // picks 2 -> 0.25, 3 -> 2, -0.5 -> -1: distances 0.5, 1.5, -2 from 1.5 and -2/12, 19/12, -17/12 from 5/12
    ["r_squared", 5.125 ** 2 / (6.5 * ((4 + 361 + 289) / 144)), 1 / 2, 3],
    ["flat_runs", 1, NaN, 10],
    ["flat_in_sample_runs", 1, NaN, 10],
    ["flat_out_of_sample_runs", 2, NaN, 10],
    ["median_fees_pct", 5, NaN, 10],
    ["coin_effective_rank", 5, NaN, 2],
  ])("%s is %d beside %d, of %d", (name, value, coinFlip, count) => {
    const [got, gotFlip, gotCount] = figure(ALL, name);
    expect(got).toBeCloseTo(value, 10);
    expect(gotFlip!.toFixed(10)).toBe(coinFlip.toFixed(10)); // "NaN" where there is none
    expect(gotCount).toBe(count);
  });

  test("beating the others counts each of them once and not the pick itself", () => {
    const cell = cellRecord("one", "2 -> 1, 1 -> 0.5, 0.5 -> 2, 0.1 -> -1");
    const [whole] = headlinesOf([coinOfCells("aaa", [cell])]);
    expect(figure(whole!, "share_beating_random")).toEqual([2 / 3, 0.5, 1]);
  });

  test("half is kept from a half on, and of nothing there is no half and no haircut", () => {
    const keeping = (inSample: number, outOfSample: number) => {
      const cell = cellRecord("one", `${inSample} -> ${outOfSample}, ${inSample - 1} -> -1`);
      const [whole] = headlinesOf([coinOfCells("aaa", [cell])]);
      const [haircut] = figure(whole!, "median_haircut_pct");
      return [figure(whole!, "share_keeping_half")[0], haircut];
    };
    expect(keeping(1, 0.5)).toEqual([1, 50]);
    expect(keeping(1, 0.4375)).toEqual([0, 56.25]);
    expect(keeping(0, 1)).toEqual([NaN, NaN]);
    expect(keeping(-0.5, 1)).toEqual([NaN, NaN]);
  });

  test("each part covers its own template, coin and family", () => {
    const medians = HEADLINES.map((one) => figure(one, "median_in_sample_sharpe")[0]);
    const [one, two] = [(2 - 0.5) / 2, (3 + 0.8) / 2];
    const [aaa, bbb] = [(2 + 3) / 2, (-0.5 + 0.8) / 2];
    const expected = [1.4, one, two, aaa, bbb, one, two, 2, 3, -0.5, 0.8];
    for (const [place, median] of expected.entries())
      expect(medians[place]).toBeCloseTo(median, 12);
  });

  // Deflated Sharpe ratios and chances of the picks by mpmath, straight from the formulas: 0.984, 0.998, 1
  // and 0.297 against 13 trials; 0.834, 0.952, 1 and 0.04 against 286; 0.776, 0.927, 1 and 0.03 against
  // 572, the runs of two coins.
  describe("of four picks, 3.3 -> 3, 3.9 -> 1.5, 9 -> 2.5 and 1 -> -1 over 500 days each", () => {
    const [whole] = headlinesOf([
      coinOfCells("aaa", [
        cellRecord("one", "3.3 -> 3, 3.2 -> 0"),
        cellRecord("two", "3.9 -> 1.5, 0 -> 0"),
      ]),
      coinOfCells("bbb", [
        cellRecord("one", "9 -> 2.5, -1 -> 0"),
        cellRecord("two", "1 -> -1, 0.5 -> 0"),
      ]),
    ]);

    test.each([
      ["survivors_n_13", 3, 4 * 0.00527435051657718, 4],
      ["survivors_n_286", 2, 4 * 3.92020114662449e-5, 4],
      ["survivors_n_11440", 1, 4 * 0.0123446708809556, 4], // the chance among 8 runs, which is all this dataset has
      // The spread of 3.3 and 3.2 is almost nothing; that of any other set is far above that of trials
      // without skill.
      ["survivors_trials_variance_n_13", 1, 4 * 0.00527435051657718, 4],
      ["survivors_trials_variance_n_286", 0, 4 * 3.92020114662449e-5, 4],
      ["survivors_trials_variance_n_11440", 0, 4 * 0.0123446708809556, 4],
      // p out-of-sample 0.00024, 0.04, 0.0018 and 0.88; times 4 x (1 + 1/2 + 1/3 + 1/4) over 1, 3, 2 and 4
      ["out_of_sample_psr_95", 3, 4 * 0.05, 4],
      ["benjamini_yekutieli_survivors", 2, 0, 4],
    ])("%s is %d beside %d, of %d", (name, value, coinFlip, count) => {
      const [got, gotFlip, gotCount] = figure(whole!, name);
      expect([got, gotCount]).toEqual([value, count]);
      expect(gotFlip).toBeCloseTo(coinFlip, 12);
    });
  });

  test("counts of templates, of coins and of families add up to the whole", () => {
    const names = [
      "flat_runs",
      "flat_in_sample_runs",
      "flat_out_of_sample_runs",
      "survivors_n_13",
      "survivors_trials_variance_n_13",
      "out_of_sample_psr_95",
    ];
    for (const scope of ["template", "coin", "family", "cell"]) {
      const parts = HEADLINES.filter((headline) => headline.scope === scope);
      for (const name of names) {
        const [sum, flips] = [0, 1].map((side) =>
          parts.reduce((total, part) => total + figure(part, name)[side]!, 0),
        );
        expect(sum, `${name} by ${scope}`).toBe(figure(ALL, name)[0]);
        expect(flips!.toFixed(10), `coin flip of ${name}`).toBe(figure(ALL, name)[1]!.toFixed(10));
      }
    }
  });

  test("runs that moved in one period only have no rank and no pair, and two pairs have no R squared", () => {
    const [whole, ...parts] = headlinesOf([
      coinOfCells("aaa", [
        cellRecord("one", "3 -> 0.5, 2 -> NaN, 1 -> 1, NaN -> 4", { pbo: 0.1 }),
        // The pick did not move out-of-sample, so its cell is not counted in the ranks.
        cellRecord("two", "0.8 -> NaN, 0.1 -> 1, 0.2 -> -1", { pbo: 0.9 }),
      ]),
    ]);
    // In the first cell, 4, 1 and 0.5 out-of-sample have ranks 1 to 3: the middle is 2.
    expect(figure(whole!, "mean_out_of_sample_rank")).toEqual([3, 2, 1]);
    expect(figure(whole!, "share_below_median")).toEqual([1, 1 / 3, 1]);
    expect(figure(whole!, "share_at_median")).toEqual([0, 1 / 3, 1]);
    expect(figure(whole!, "r_squared")).toEqual([NaN, NaN, 1]);
    const ofOne = parts.find(({ scope, template }) => scope === "cell" && template === "one")!;
    expect(figure(ofOne, "all_runs_r_squared")).toEqual([NaN, NaN, 2]);
    // 3 -> 0.5, 1 -> 1, 0.1 -> 1, 0.2 -> -1: means 1.075 and 0.375.
    const [value, flip, count] = figure(whole!, "all_runs_r_squared");
    expect(value).toBeCloseTo(
      (2.4 - 4 * 1.075 * 0.375) ** 2 / ((10.05 - 4 * 1.075 ** 2) * (3.25 - 4 * 0.375 ** 2)),
      12,
    );
    expect([flip, count]).toEqual([1 / 3, 4]);
    expect(figure(whole!, "pbo_p05")[0]).toBeCloseTo(0.14, 12);
    expect(figure(whole!, "pbo_p95")[0]).toBeCloseTo(0.86, 12);
  });

  test("figures of all of a coin's runs as one set exist only where all of them are", () => {
    const scopes = HEADLINES.filter((one) => !Number.isNaN(figure(one, "mean_coin_pbo")[0]!));
    expect(scopes.map(({ scope }) => scope)).toEqual(["all", "coin", "coin"]);
  });

  test("a dataset without coins has no value anywhere and counts nothing", () => {
    const [nothing, ...more] = headlinesOf([]);
    expect(more).toEqual([]);
    expect(figure(nothing!, "median_in_sample_sharpe")).toEqual([NaN, NaN, 0]);
    expect(figure(nothing!, "flat_runs")).toEqual([0, NaN, 0]);
  });
});
