import type { RobustnessCheck } from "../../api/dataset-robustness.ts";
import type { Dataset } from "../../api/dataset.ts";
import { picksOf } from "../../quant/dataset/pick.ts";
import { premiumOf } from "../../quant/robustness/cell-premium.ts";
import { cellRecord, coinOfCells } from "../support/dataset-records.ts";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { datasetPage } from "../../web/pages/dataset.tsx";
import { Figure } from "../../web/charts/chart.tsx";
import { chosenSentence, findingChart, yearsSentence } from "../../web/pages/finding.tsx";

const DAYS = { firstDay: 1000, splitDay: 1700, lastDay: 1999 };
const NONE = { low: null, high: null, p: null };

function check(low: number, high: number, kept: number): RobustnessCheck {
  return {
    premium_in_sample: 0.3,
    premium_out_of_sample: 0.3 * kept,
    share_kept: kept,
    low,
    high,
    picks: 851,
    coins: 40,
    permuted_blocks_5: NONE,
    permuted_blocks_60: NONE,
    annual_growth_pct: undefined,
  };
}

function dataset(robustness: Record<string, RobustnessCheck> | null): Dataset {
  const headline = { overall: {}, by_template: {}, by_coin: {}, by_family: {}, robustness };
  return { headline } as unknown as Dataset;
}

/** A pick and the settings that it was chosen among, by their Sharpe ratios. */
function pick(own: readonly [number, number | null], settings: readonly [number, number]) {
  return {
    in_sample: { sharpe: own[0] },
    out_of_sample: { sharpe: own[1] },
    variants: { mean_in_sample_sharpe: settings[0], mean_out_of_sample_sharpe: settings[1] },
  };
}

const PICKS = [pick([1, 0.2], [0.6, 0.3]), pick([2, 0.5], [1.8, 0.38]), pick([9, null], [1, 1])];

test("what choosing was worth is one statistic: the mean lead, before and after", () => {
  const picked = { ...dataset({ split_70: check(-0.021, 0.027, 0.05) }), picks: PICKS } as never;
  expect(chosenSentence(picked)).toBe(
    "While choosing, the picks had a mean Sharpe ratio of 1.50 against 1.20 of all their settings, a lead of 0.30. " +
      "Afterwards it was 0.35 against 0.34: a lead of 0.010, 3\u202f% of it (95 % interval, rather too narrow: −7\u202f% to 9\u202f%).",
  );
});

test("the picture, its title and its table show the leads that the sentence tells", () => {
  const about = { templates: 1, coins: 2, variants: 13, runs_total: 39, as_of: "2025-12-31" };
  const data = { ...dataset(null), picks: PICKS, picks_total: 3, dataset: about } as never;
  const html = render(Figure(findingChart(data)!));
  expect(html).toContain("The lead of choosing, and what was left of it");
  expect(html).toContain("of the 2 of 3 choices that traded afterwards");
  expect(html).toContain("best of 13: 1.50, then 0.35; all 13: 1.20, then 0.34");
  expect(html).toMatch(/lead of the best<\/td><td>0.300<\/td><td>0.010</);
});

test("the lead of the picks is the premium that the robustness checks compute", () => {
  const cell = cellRecord("a", "1 -> 0.2, 0.5 -> 0.4, NaN -> 9, 0.2 -> NaN, 0.9 -> -1");
  const [record] = picksOf([{ ...coinOfCells("btc", [cell]), ...DAYS }]);
  const sharpes = {
    inSample: cell.runs.map(({ segments }) => segments.inSample.sharpe),
    outOfSample: cell.runs.map(({ segments }) => segments.outOfSample.sharpe),
  };
  const premium = premiumOf(cell.pick, sharpes);
  const { inSample, outOfSample } = record!.run.segments;
  expect(inSample.sharpe - record!.variantsMean.inSample).toBeCloseTo(premium.inSample, 12);
  expect(outOfSample.sharpe - record!.variantsMean.outOfSample).toBeCloseTo(
    premium.outOfSample,
    12,
  );
});

/** A check with the p-values of both kinds of shuffle. */
const shuffled = (of: RobustnessCheck, short: number, long: number): RobustnessCheck => ({
  ...of,
  permuted_blocks_5: { low: -0.05, high: 0.05, p: short },
  permuted_blocks_60: { low: -0.06, high: 0.06, p: long },
});

test("what was left of the lead is claimed where no check leaves room for half of it", () => {
  const titleOf = (years: RobustnessCheck) => {
    const asked = { split_50: check(-0.01, 0.03, 0.04), split_70: check(-0.02, 0.03, 0.01), years };
    const data = { ...dataset(asked), picks: PICKS, picks_total: 3, dataset: {} } as never;
    return findingChart(data)!.drawing.title;
  };
  expect(titleOf(check(0.01, 0.04, 0.08))).toBe("Of the lead of choosing, 1 to 8\u202f% was left");
  expect(titleOf(check(0.01, 0.16, 0.08))).toBe("The lead of choosing, and what was left of it");
});

test("each year is named, with what it kept and how often luck keeps as much", () => {
  const data = dataset({
    split_70: check(-0.02, 0.03, 0.01),
    year_2022: { ...shuffled(check(0.04, 0.13, 0.24), 0.005, 0.02), coins: 14 },
    year_2023: shuffled(check(0.02, 0.09, 0.18), 0.05, 0.015),
    year_2024: check(-0.03, 0.03, 0),
    years: check(0.01, 0.04, 0.08),
  });
  expect(yearsSentence(data)).toBe(
    "Tested year by year: 24\u202f% in 2022 (p 0.02), 18\u202f% in 2023 (p 0.05), 0\u202f% in 2024. Whether the years or the coins differ can’t be told: 14 coins in 2022, 40 in 2024.",
  );
});

test("without the checks nothing is claimed", () => {
  expect(chosenSentence({ ...dataset(null), picks: [] })).toBeUndefined();
  expect(yearsSentence(dataset(null))).toBeUndefined();
});

test("a dataset without picks claims nothing", () => {
  const data = { ...dataset(null), picks: [], picks_total: 0 };
  const about = { origin: "", assets: () => "", isSynthetic: false };
  const page = render(datasetPage({ about, dataset: () => data } as never));
  expect(page).toContain("has no backtests yet");
  expect(page).not.toMatch(/explains|of the picks/);
});
