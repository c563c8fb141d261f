import { describe, expect, test } from "vitest";
import { CheckReport } from "../../../api/check-report.ts";
import type { StudyResult } from "../../../api/study.ts";
import { checkFile } from "../../../check/check-file.ts";
import { liveDrawing } from "../../../web/report/live-figure.tsx";
import { studyCard, verdictCard } from "../../../web/report/verdict-card.ts";
import { verdictText } from "../../../web/report/verdict-text.ts";

import { liveFiles } from "../../support/live-files.ts";

const NO_MARKET = { marketFor: async () => undefined };
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
    const card = verdictCard(REPORT, { isSynthetic: true, link: LINK });
    expect(card.match(/<circle/g)).toHaveLength(100);
    for (const text of [
      "Luck does this often.",
      "−1.23",
      "made-up prices",
      "hindsight.example/check",
    ])
      expect(card).toContain(text);
    expect(card).not.toMatch(/var\(|@media|<such>/);
    const live = verdictCard(LIVE, { isSynthetic: false, link: LINK });
    expect(live).toContain("Worse than promised, not yet proof.");
    expect(live).toContain("It lost 63 %");
    expect(live).not.toMatch(/<circle|made-up|Luck does/);
  });

  test("with its live days shows the account, the stop line and what became of the money", async () => {
    const options = { liveSince: "2023-05-23" };
    const checked = await checkFile(Buffer.from(liveFiles().both), options, NO_MARKET);
    const report = CheckReport.from(checked.report);
    const card = verdictCard(report, { isSynthetic: false, link: LINK }, checked.live);
    expect(card).toContain("Stop: it loses live.");
    expect(card).toMatch(/It lost 84 % in 300 days \(10,000 → 1,630\)\.</);
    expect(card.match(/class="stop-ring"/g)).toHaveLength(1);
    expect(card).not.toMatch(/var\(|NaN|of 100 worlds/);
    const none = await checkFile(
      Buffer.from(liveFiles().both),
      { ...options, nTrials: 1e9 },
      NO_MARKET,
    );
    const told = CheckReport.from(none.report).live!;
    const unclaimed = { ...told, verdict: { ...told.verdict, value: "no_claim" } } as const;
    const of = { live: unclaimed, series: none.live!, isSynthetic: false };
    expect(liveDrawing(of).drawing.title, "nothing is claimed").toBe("The live record");
    expect(liveDrawing(of).lines.fan).toBeNull();
  });
});

describe("a study's card", () => {
  test("has its verdict with the hundred worlds, or why there is none, and what it was of", () => {
    const study = { strategy: "ma_cross", coin: "btc", check: REPORT, check_reason: null };
    const of = { isSynthetic: false, link: LINK };
    const card = studyCard(study as unknown as StudyResult, of);
    expect(card.match(/<circle/g)).toHaveLength(100);
    expect(card).toContain("Luck does this often.");
    expect(card).toContain("Moving-average cross on BTC · Sharpe ratio −1.23 a year");
    const none = { ...study, check: null, check_reason: "no setting moved" };
    const without = studyCard(none as unknown as StudyResult, of);
    expect(without).toContain("no setting moved");
    expect(without).not.toContain("<circle");
  });
});
