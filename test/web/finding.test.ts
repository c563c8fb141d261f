import type { RobustnessCheck } from "../../api/dataset-robustness.ts";
import type { Dataset } from "../../api/dataset.ts";
import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { DatasetPage } from "../../web/pages/dataset.tsx";
import { keptSentence, yearsSentence } from "../../web/pages/finding.tsx";

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

test("what was kept is told with its interval, as shares of the lead while choosing", () => {
  const data = dataset({ split_70: check(-0.021, 0.027, 0.01) });
  expect(keptSentence(data)).toBe(
    "Afterwards they kept 1\u202f% of that advantage (−7\u202f% to 9\u202f%).",
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
  expect(keptSentence(dataset(null))).toBeUndefined();
  expect(yearsSentence(dataset(null))).toBeUndefined();
});

test("a dataset without picks claims nothing", () => {
  const data = { ...dataset(null), picks_total: 0 };
  const about = { origin: "", assets: () => "", isSynthetic: false } as never;
  const page = render(DatasetPage({ data, about }));
  expect(page).toContain("has no backtests yet");
  expect(page).not.toMatch(/decided more|of the picks/);
});
