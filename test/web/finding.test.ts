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
      "Afterwards it was 0.35 against 0.34: a lead of 0.010, 3\u202f% of it (95 % interval −7\u202f% to 9\u202f%).",
  );
});

test("the picture, its title and its table show the leads that the sentence tells", () => {
  const about = { templates: 1, coins: 2, variants: 13, runs_total: 39, as_of: "2025-12-31" };
  const data = { ...dataset(null), picks: PICKS, picks_total: 3, dataset: about } as never;
  const html = render(Figure(findingChart(data)!));
  expect(html).toContain("The advantage of choosing is gone when it is needed");
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

test("years that speak against the finding are named, with what they kept", () => {
  const data = dataset({
    split_70: check(-0.02, 0.03, 0.01),
    year_2022: check(0.04, 0.13, 0.24),
    year_2023: check(0.02, 0.09, 0.18),
    year_2024: check(-0.03, 0.03, 0),
    years: check(0.01, 0.04, 0.08),
  });
  expect(yearsSentence(data)).toBe(
    "Tested year by year, it was more: 24\u202f% in 2022, 18\u202f% in 2023; in 2024 what was kept can’t be told from nothing.",
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
  expect(page).not.toMatch(/decided more|of the picks/);
});
