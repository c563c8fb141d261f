import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../api/check-report.ts";
import { dayOfDate } from "../../../quant/calendar.ts";
import { L1, L2, L4 } from "../../quant/live/series.ts";
import { runCommand } from "../../support/command-line.ts";
import { csv, liveFiles } from "../../support/live-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("check-live");
const FIRST = dayOfDate("2023-05-23")!;

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const files = liveFiles();
const BACKTEST = fileOf("grid.csv", files.backtest);
const LIVE = fileOf("live.csv", files.live);
const BOTH = fileOf("both.csv", files.both);
const liveOf = (name: string, days: Float64Array) => fileOf(name, csv(["returns"], [days], FIRST));
const HOLDS = liveOf("holds.csv", L1);
const DECAYED = liveOf("decayed.csv", L2);
const OPEN = liveOf("open.csv", L4);

describe("hindsight check --live", () => {
  test("says the live verdict first, and ends with 1 for a stop", async () => {
    const { code, out } = await runCommand("check", BACKTEST, "--live", LIVE, "--n-trials", "20");
    expect(out.split("\n").slice(0, 1)).toEqual([
      expect.stringMatching(
        /^Stop: since 2023-1\d-\d\d the live days alone show a loss: of strategies/,
      ),
    ]);
    expect(out).toContain("\nLuck would rarely do this: ");
    expect(code).toBe(1);
  });

  test.each([
    [HOLDS, "stop", 0],
    [HOLDS, "open", 0],
    [DECAYED, "stop", 0],
    [DECAYED, "decayed", 1],
    [OPEN, "decayed", 0],
    [OPEN, "open", 1],
    [LIVE, "luck", 0],
    [LIVE, "decayed", 1],
  ])("%s with --fail-on %s ends with %d", async (live, failOn, code) => {
    const done = await runCommand("check", BACKTEST, "--live", live, "--fail-on", failOn);
    expect(done.code).toBe(code);
  });

  test("takes one file from a day on, and writes the report and JSON", async () => {
    const html = join(folder, "report.html");
    const args = ["--live-since", "2023-05-23", "--n-trials", "20", "--html", html, "--json"];
    const { code, out } = await runCommand("check", BOTH, ...args);
    const { live, input } = JSON.parse(out) as CheckReport;
    expect(live!.verdict.value).toBe("stop_loses");
    expect(input.options).toEqual({ n_trials: 20, live_since: "2023-05-23" });
    expect(existsSync(html)).toBe(true);
    expect(code).toBe(1);
  });

  test("asks by options of the live file, which it then reads", async () => {
    const percents = files.live.replaceAll(/,-?(\d).*/g, ",0.$1").replaceAll(",0.0", ",-0.9");
    const live = fileOf("percents.csv", percents);
    const asked = await runCommand("check", BACKTEST, "--live", live);
    expect(asked.code).toBe(2);
    expect(asked.err).toMatch(/^percents\.csv: one question is open/);
    expect(asked.err).toContain("--live-unit percent");
    const read = await runCommand("check", BACKTEST, "--live", live, "--live-unit", "percent");
    expect(read.out).toMatch(/^(Keep going|Stop|It holds|Nobody can tell)/);
  });

  test.each([
    [["--fail-on", "stop"], "--fail-on stop is about live days"],
    [["--live-since", "2023-02-30"], "dates such as 2026-01-31"],
    [["--live-format", "returns"], "live_format: there is no live record"],
    [["--live-selected", "a"], "live_selected: there is no live record"],
    [["--live", "missing.csv"], 'can\'t read "missing.csv"'],
    [["--live", LIVE, "--html", LIVE], "is the file that is checked"],
    [["--live", LIVE, "--live-since", "2022-01-10"], "the backtest has 2 days before 2022-01-10"],
  ])("with %j is refused", async (args, message) => {
    const { code, err } = await runCommand("check", BACKTEST, ...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  test("a backtest without days is refused, as nothing can be held to it", async () => {
    const trials = fileOf("trials.csv", "n1,n2,Sharpe Ratio\n4,30,-0.59\n4,40,0.29\n5,40,0.35\n");
    const { code, err } = await runCommand("check", trials, "--live", LIVE);
    expect(err).toContain("one statistic for each trial and no days");
    expect(code).toBe(2);
  });
});
