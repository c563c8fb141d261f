import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { RatingWorth } from "../../api/rating-worth.ts";
import { cellsOf } from "../../api/cells.ts";
import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import { indexLuck } from "../../quant/overfitting/index-luck.ts";
import { indexWords, knownMonths, luckSentence } from "../../web/index-months.ts";
import { Figure } from "../../web/charts/chart.tsx";
import { monthChart } from "../../web/charts/month-chart.tsx";
import { picksRows } from "../../web/pages/picks.tsx";
import { rulesChart } from "../../web/pages/strategies.tsx";
import { worthSentence, worthTitle } from "../../web/pages/worth.tsx";
import { madeUpRatingWorth } from "../support/made-up-dataset.ts";

/** Months of an answer, each with the same draws. */
function indexOf(values: readonly number[]): OverfittingIndex {
  const draws = Array.from({ length: 101 }, (_, draw) => 40 + draw / 5);
  const luck = indexLuck(values.map((value) => ({ value, draws })));
  const history = values.map((value, at) => ({
    month: `2025-${String(at + 1).padStart(2, "0")}`,
    value,
    stands_out: Math.abs(luck.deviations[at]!) > luck.bar,
    null_band: { low: 41, high: 59, draws: 101 },
  }));
  const standing = history.filter(({ stands_out: is }) => is).length;
  const counts = {
    months: luck.months,
    outside: luck.outside,
    outside_by_luck: luck.outsideByLuck,
  };
  const deviations = luck.deviations;
  return {
    history: history.map((month, at) => ({ ...month, deviations: deviations[at] })),
    luck: { ...counts, standing_out: standing, low: luck.low, high: luck.high, bar: luck.bar },
  } as never;
}

describe("the index", () => {
  test("counts months outside beside those that luck puts there, and claims none of them", () => {
    const data = indexOf([50, 59.5, 45, 52, 51, 49, 53, 47, 48, 50]);
    expect(luckSentence(data)).toBe(
      "1 of 10 months lie outside their band; luck alone puts 1.0 there. None is farther than 1.6 deviations from the mean of its draws, and luck with as many months goes to 1.6.",
    );
    const outside = knownMonths(data)[1]!;
    expect(indexWords(outside, data.luck)).toBe("59.5; luck alone makes 41 to 59");
  });

  test("names the months beyond the maxima of all, and no other", () => {
    const data = indexOf([50, 72, 45]);
    expect(luckSentence(data)).toContain(
      "Beyond what luck does with as many months stands February 2025.",
    );
  });

  test("its picture has one band, of each month's own coins, and leaves out months without", () => {
    const months = [
      { month: "2025-01", value: 50, band: null },
      { month: "2025-02", value: 51, band: { low: 40, high: 60 } },
      { month: "2025-03", value: 49, band: { low: 45, high: 55 } },
    ];
    const drawing = monthChart({ months, isSynthetic: false, title: "t", subtitle: "s" });
    const size = { width: 1040, height: 340, isNarrow: false };
    const svg = render(drawing.draw(size) as VNode);
    expect(svg.match(/fill-luck-soft/g)).toHaveLength(1);
    expect(svg).not.toContain("bound");
    const [, path] = /<path d="([^"]*)" class="fill-luck-soft"/.exec(svg)!;
    const [width] = [...svg.matchAll(/H([\d.]+)" class="grid"/g)].map(([, right]) => Number(right));
    const places = [...path!.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x));
    expect(path!.match(/M/g), "neighbours have one shape").toHaveLength(1);
    expect(Math.max(...places), "up to the newest").toBeCloseTo(width!, 0);
    expect(Math.min(...places), "from a quarter, where the second month begins").toBeCloseTo(
      width! / 4,
      -2,
    );
    expect(svg).toContain("luck alone, in 9 of 10: 45.0 to 55.0");
    expect(drawing.values).toEqual([
      "January 2025: 50.0",
      "February 2025: 51.0|luck alone: 40.0 to 60.0",
      "March 2025: 49.0|luck alone: 45.0 to 55.0",
    ]);
  });
});

describe("what the rating was worth", () => {
  const origin = { prices: "csv", snapshot: "s", asOf: 20_000, stale: false, synthetic: false };
  /** Strong buys alone are far from luck; `of` changes their row. */
  const worthOf = (of: Record<string, number>) => {
    const rows = madeUpRatingWorth().map((row) =>
      row["rating"] === "strong_buy" ? { ...row, ...of } : row,
    );
    return RatingWorth.from({
      origin,
      classes: rows.map((row) => cellsOf({ ...row, ...ofAll(of) })),
    });
  };
  const ofAll = ({ p_half = 0.03, p_twice = 0.03 }: Record<string, number>) => ({
    p_half,
    p_twice,
  });
  const LASTS = { mean_excess_without_coin: 0.01, mean_excess_without_year: 0.012 };

  test("is claimed only if no number of shifts, no coin and no year decides it", () => {
    const claimed =
      "After “strong buy”, the farthest of five ratings, coins made 2.1 points more than the board in 30 days";
    expect(worthTitle(worthOf(LASTS))).toBe(claimed);
    for (const fault of [
      { p_half: 0.053 },
      { p_twice: 0.0501 },
      { mean_excess_without_coin: -0.001 },
      { mean_excess_without_year: 0 },
    ])
      expect(worthTitle(worthOf({ ...LASTS, ...fault }))).toBe(
        "No rating has told what comes next",
      );
    expect(worthSentence(worthOf({}))).toBe(
      "The largest of five differences followed “strong buy”: +2.1 points against the board in 30 days. Luck makes one as large 3 times in 100. " +
        "Without BTC it is +0.5 points, without 2021 −0.1 points, and the median coin and day made −6.8 points. Costs are not taken off.",
    );
  });

  test("is not told where it is not known", () => {
    expect(worthTitle(RatingWorth.from({ origin, classes: [] }))).toContain("not known yet");
  });
});

test("picks are compared with the mean of the settings that they were chosen among", () => {
  const pick = (template: string, own: number, mean: number) => ({
    template,
    coin: "btc",
    in_sample: { sharpe: 2 },
    out_of_sample: { sharpe: own },
    variants: { mean_in_sample_sharpe: 1, mean_out_of_sample_sharpe: mean },
    buy_hold: {},
  });
  const picks = [pick("ma_cross", 0.5, 0.4), pick("rsi_trend", 0.1, 0.3), pick("cci", 0.3, 0.35)];
  const html = render(Figure(picksRows(picks as never, "template")!));
  expect(html).toContain("1 of 3 picks did better than the mean of their 13 settings");
  expect(html).toContain("0.40 mean of the 13, 0.50 pick");
});

test("the picks of a rule are compared with their settings, not with the market before", () => {
  const pick = (template: string, after: number, mean: number) => ({
    template,
    out_of_sample: { sharpe: after },
    variants: { mean_out_of_sample_sharpe: mean },
  });
  const medians = { a: 0.5, b: 0.1 };
  const dataset = {
    picks: [pick("a", 0.5, 0.3), pick("b", 0.1, 0.2), pick("b", 0.1, 0.6)],
    headline: {
      overall: { rules_above_settings: { value: 1, coin_flip: 1, n: 2, range: [0, 2] } },
      by_template: Object.fromEntries(
        Object.entries(medians).map(([name, value]) => [
          name,
          { median_in_sample_sharpe: { value: 2 }, median_out_of_sample_sharpe: { value } },
        ]),
      ),
    },
  };
  const templates = ["a", "b"].map((name) => ({ name, title: name, family: "trend" }));
  const chart = rulesChart(templates as never, dataset as never)!;
  expect(chart.drawing.title).toBe(
    "The picks of 1 of 2 rules did better than the mean of their settings; a setting fixed blindly: 0 to 2",
  );
});
