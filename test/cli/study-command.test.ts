import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { StudyResult } from "../../api/study.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { allowedOf } from "../../quant/strategies/legal.ts";
import { runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("study");

describe("hindsight study", () => {
  let snapshots: string;
  beforeAll(async () => {
    snapshots = join(folder, "data");
    await runSmall(snapshots, { source: memorySource(smallMarket(700)) });
  });

  const study = (...args: string[]) =>
    runCommand("study", "ma_cross", "--coin", "aaa", "--snapshots", snapshots, ...args);

  test("says the verdict first, and writes every set and the report", async () => {
    const [csv, html] = [join(folder, "sets.csv"), join(folder, "report.html")];
    const sets = ["--param", "fast=5,10", "--param", "slow=20..40:10", "--folds", "2"];
    const { code, out } = await study(...sets, "--csv", csv, "--html", html);
    expect(out).toMatch(/^(Luck|Too close|Not judged)/);
    expect(out).toContain("tries elsewhere are not seen");
    expect(readFileSync(csv, "utf8").trim().split("\r\n")).toHaveLength(7);
    expect(readFileSync(html, "utf8")).toContain("Moving-average cross on AAA: 6 settings");
    expect(code).toBe(0);
  });

  test("prints the result as JSON", async () => {
    const { out } = await study("--param", "fast=5,10", "--json", "--n-trials", "70");
    const result = JSON.parse(out) as StudyResult;
    expect(result).toMatchObject({ sets: 2, n_trials: { value: 70 } });
    expect(result.runs.map(({ params }) => params["fast"])).toEqual([5, 10]);
  });

  test("lists the templates and their parameters, and names the nearest before it asks for --param", async () => {
    const { code, out } = await runCommand("study");
    expect(code).toBe(0);
    for (const { name, parameters } of CATALOGUE) {
      const line = out.split("\n").find((each) => each.startsWith(`${name} `));
      for (const each of parameters) expect(line).toContain(`${each.name} (${allowedOf(each)})`);
    }
    for (const typed of ["sma_cross", "SMA"]) {
      const { err, ...unknown } = await runCommand("study", typed);
      expect(err).toContain(`there is no template "${typed}"; nearest: "ma_cross", "ema_cross"`);
      expect(unknown.code).toBe(2);
    }
  });

  test.each([
    [["--param", "fast=5,x"], '"fast" takes numbers such as 5, 10, 20 or 50..200:10, got "5,x"'],
    [["--param", "pace=5"], `"pace" isn't a parameter of ma_cross`],
    [["--param", "fast=5,6", "--coin", "nope"], 'no prices of "nope"'],
    [["--param", "fast=5,6", "--start", "1990-01-01"], "within the history"],
    [
      [],
      "--param is missing: ma_cross has fast (a whole number from 1 to 199), slow (a whole number from 2 to ",
    ],
  ])("refuses %j in one line", async (args, message) => {
    const { code, err } = await study(...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });
});
