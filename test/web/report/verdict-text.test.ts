import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../api/check-report.ts";
import { verdictCard } from "../../../web/report/verdict-card.ts";
import { verdictText } from "../../../web/report/verdict-text.ts";

const LINK = "https://hindsight.example/check";
const SENTENCE = "Luck does this often: of 100 <such> tries & more, 34 do.";
const REPORT = {
  live: null,
  verdict: { event: "Luck does this often", sentence: SENTENCE },
  input: { first: "2023-01-01", last: "2024-12-30", bars: 730, bar_seconds: 86_400 },
  series: { sharpe: -1.234 },
  trials: { n: 1_000 },
  luck_quantiles: Array.from({ length: 100 }, (_, at) => at / 50),
} as unknown as CheckReport;
const LIVE = {
  ...REPORT,
  live: {
    verdict: { value: "below", sentence: "It lost 63 % in 240 days (10,000 -> 3,676)." },
    sharpe: -3.5,
    days: 240,
    first: "2025-01-01",
    claim: { n_trials: { value: 1, source: "declared" } },
    stop: { contradiction: { reached_on: null } },
    how_long: { stop: null },
  },
} as unknown as CheckReport;

describe("a verdict that is copied", () => {
  test("is its sentence, Sharpe ratio, period, tries and a link", () => {
    expect(verdictText(REPORT, LINK).split("\n")).toEqual([
      SENTENCE,
      "Sharpe ratio −1.23 a year · 2.0 years, 2023-01-01 to 2024-12-30 · the best of 1,000 tries",
      LINK,
    ]);
  });

  test("beside live days is theirs, and nothing of the backtest's", () => {
    expect(verdictText(LIVE, LINK).split("\n")).toEqual([
      "It lost 63 % in 240 days (10,000 -> 3,676).",
      "Sharpe ratio −3.50 a year · 240 live days since 2025-01-01 · one try",
      LINK,
    ]);
  });

  test("is drawn with the hundred worlds; beside live days without them", () => {
    const card = verdictCard(REPORT, true, LINK);
    expect(card.match(/<circle/g)).toHaveLength(100);
    for (const text of [
      "Luck does this often.",
      "−1.23",
      "made-up prices",
      "hindsight.example/check",
    ])
      expect(card).toContain(text);
    expect(card).not.toMatch(/var\(|@media|<such>/);
    const live = verdictCard(LIVE, false, LINK);
    expect(live).toContain("Worse than promised, not yet proof.");
    expect(live).toContain("It lost 63 %");
    expect(live).not.toMatch(/<circle|made-up|Luck does/);
  });
});
