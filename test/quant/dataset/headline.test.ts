import { describe, expect, test } from "vitest";
import { FIGURES } from "../../../quant/dataset/figures.ts";
import { headlinesOf } from "../../../quant/dataset/headline.ts";
import type { Headline } from "../../../quant/dataset/headline.ts";
import { cellRecord, coinOfCells } from "../../support/dataset-records.ts";

/** Two coins, two templates; the last cell is flat but for one run. */
const COINS = [
  coinOfCells("aaa", [
    cellRecord("one", [
      [1, 0.5],
      [2, 0.25],
      [0.5, 1],
    ]),
    cellRecord(
      "two",
      [
        [3, 2],
        [1, -1],
      ],
      { family: "momentum", pbo: 0.25 },
    ),
  ]),
  coinOfCells("bbb", [
    cellRecord("one", [
      [-1, -2],
      [-0.5, -1],
      [-2, 0.5],
    ]),
    cellRecord(
      "two",
      [
        [NaN, NaN],
        [0.8, NaN],
      ],
      { family: "momentum", pbo: NaN },
    ),
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
    ["mean_coin_pbo", 0.6, 0.5, 2],
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
