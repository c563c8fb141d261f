import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../api/check-report.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { L1, L2, L4, series } from "../quant/live/series.ts";
import { runCommand } from "../support/command-line.ts";
import { csv, liveFiles } from "../support/live-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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
const BELOW = liveOf("below.csv", series(31, 60, 0, 0.02));

describe("hindsight check --live", () => {
  test("says the live verdict first, and ends with 1 for a stop", async () => {
    const { code, out } = await runCommand("check", BACKTEST, "--live", LIVE, "--n-trials", "20");
    const lines = out.replaceAll(/\n(?=\S)/g, " ");
    expect(lines).toMatch(
      /^It lost 84 % in 300 days \(10,000 -> 1,630\)\. Stop: since 2023-1\d-\d\d the live days alone show a loss: of strategies/,
    );
    expect(out).toMatch(/\naccount +10,000 -> 1,630; the stop line is at [\d,]+ today\n/);
    expect(out).toContain("\nThe backtest by itself:\nLuck would rarely do this: ");
    expect(code).toBe(1);
  });

  test.each([
    [HOLDS, "stop", 0],
    [HOLDS, "open", 0],
    [DECAYED, "stop", 0],
    [DECAYED, "decayed", 1],
    [OPEN, "decayed", 0],
    [OPEN, "open", 1],
    [OPEN, "below", 0],
    [BELOW, "stop", 0],
    [BELOW, "decayed", 0],
    [BELOW, "below", 3],
    [BELOW, "open", 1],
    [DECAYED, "below", 1],
    [LIVE, "below", 1],
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
    expect(read.out).toMatch(/^It (lost|made) [\d.]+ % in 300 days/);
  });

  test.each([
    [["--fail-on", "stop"], "--fail-on stop is about live days"],
    [["--live-since", "2023-02-30"], "dates such as 2026-01-31"],
    [["--live-format", "returns"], "live_format: there is no live record"],
    [["--live-selected", "a"], "live_selected: there is no live record"],
    [["--live", "missing.csv"], 'can\'t read "missing.csv"'],
    [["--live", LIVE, "--html", LIVE], "is the file that is checked"],
    [["--live", LIVE, "--markdown", LIVE], "(--markdown) is the file that is checked"],
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
