import type { VNode } from "preact";
import { render } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { RatingWorth } from "../../api/rating-worth.ts";
import { cellsOf } from "../../api/cells.ts";
import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import { indexLuck } from "../../quant/overfitting/index-luck.ts";
import { indexMeaning, knownMonths, luckSentence } from "../../web/index-months.ts";
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
  return { history, luck: { ...counts, standing_out: standing } } as never;
}

describe("the index", () => {
  test("counts months outside beside those that luck puts there, and claims none of them", () => {
    const data = indexOf([50, 59.5, 45, 52, 51, 49, 53, 47, 48, 50]);
    expect(luckSentence(data)).toBe(
      "1 of 10 months lie outside their band; luck alone puts 1.0 there. None stands out beyond what luck does with as many months.",
    );
    const outside = knownMonths(data)[1]!;
    expect(indexMeaning(outside)).toBe("above 50, as luck makes it");
  });

  test("names the months beyond the maxima of all, and no other", () => {
    const data = indexOf([50, 72, 45]);
    expect(luckSentence(data)).toContain(
      "Beyond what luck does with as many months stands February 2025.",
    );
    expect(knownMonths(data).map(indexMeaning)).toEqual([
      "a coin flip",
      "higher than luck explains",
      "below 50, as luck makes it",
    ]);
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
  const worthOf = (deviations: number) => {
    const rows = madeUpRatingWorth().map((row) =>
      row["rating"] === "strong_buy" ? { ...row, deviations } : row,
    );
    return RatingWorth.of({ origin, classes: rows.map(cellsOf) });
  };

  test("is claimed only of a class beyond the bar, with how often luck does as much", () => {
    expect(worthTitle(worthOf(2.6))).toBe(
      "After “strong buy”, coins made 2.1 points more than the board in 30 days; the other ratings can’t be told from luck",
    );
    expect(worthSentence(worthOf(2.6))).toContain("luck makes 3 times in 100");
    expect(worthTitle(worthOf(2.4))).toBe("The rating was worth nothing that luck doesn’t explain");
    expect(worthSentence(worthOf(2.4))).not.toContain("large gains");
  });

  test("is not told where it is not known", () => {
    expect(worthTitle(RatingWorth.of({ origin, classes: [] }))).toContain("not known yet");
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
    "The picks of 1 of 2 rules did better than the mean of their settings",
  );
});
