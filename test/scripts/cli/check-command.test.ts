import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import type { CheckReport } from "../../../api/check-report.ts";
import { readHistory } from "../../../snapshots/history.ts";
import { currentSnapshot } from "../../../scripts/cli/current-snapshot.ts";
import { returnsCsv, TRADES_CSV } from "../../support/check-files.ts";
import { runCommand } from "../../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { normalColumns } from "../../quant/check/panels.ts";

const folder = temporaryFolder("check");

/** Writes a CSV of daily returns from 2020-01-01 on and gives its path. */
function returnsFile(name: string, columns: readonly Float64Array[]): string {
  return fileOf(name, returnsCsv(18_262, columns));
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const NULLS = [0, 0, 0, 0, 0];
const GOOD = returnsFile("good.csv", normalColumns(3, 500, [6, ...NULLS]));
const POOR = returnsFile("poor.csv", normalColumns(4, 500, [-2]));
const TRADES = fileOf("trades.csv", TRADES_CSV);

describe("hindsight check", () => {
  test("says the verdict and its sentence first", async () => {
    const { code, out } = await runCommand("check", GOOD);
    const [verdict, sentence] = out.split("\n");
    expect(verdict).toBe("Verdict: skill");
    expect(sentence).toMatch(/^Luck alone would rarely do this: the best of 6 variants/);
    expect(out).toMatch(/measured on +750 bars, 13 variants/);
    expect(out).toMatch(/calls luck skill, at worst +[0-9.]+ %/);
    expect(code).toBe(0);
  });

  test("prints the report as JSON", async () => {
    const { out } = await runCommand(
      "check",
      GOOD,
      "--json",
      "--selected",
      "v2",
      "--n-trials",
      "60",
    );
    const report = JSON.parse(out) as CheckReport;
    expect(report.input).toMatchObject({
      bars: 500,
      variants: 6,
      selected: "v2",
      n_trials: { value: 60, source: "declared" },
      first: "2020-01-01",
    });
    expect(String(report.series!.sharpe).replace(/\D/g, "").length).toBeLessThanOrEqual(11);
    expect(Object.keys(report)).toEqual([
      "input",
      "series",
      "trials",
      "cscv",
      "cscv_reason",
      "family",
      "family_reason",
      "peers",
      "peers_reason",
      "verdict",
    ]);
  });

  test("ends with 1 on luck and, where wanted, on anything but skill", async () => {
    expect((await runCommand("check", POOR)).code).toBe(1);
    const one = returnsFile("one.csv", normalColumns(3, 500, [1.5]));
    expect((await runCommand("check", one)).code).toBe(0);
    expect((await runCommand("check", one, "--fail-on", "inconclusive")).code).toBe(1);
    expect((await runCommand("check", GOOD, "--fail-on", "inconclusive")).code).toBe(0);
  });

  test("ends with 2 on a file that it refuses, and asks for what is missing by its option", async () => {
    const words = fileOf("words.csv", "date,a\n2024-01-01,much\n2024-01-02,more\n");
    const refused = await runCommand("check", words);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toContain('line 2, column "a": "much" is not a number');
    const asked = await runCommand("check", TRADES);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain("(--starting-capital)");
    const given = await runCommand("check", TRADES, "--starting-capital", "10000");
    expect(given.code).toBe(0);
    expect(given.out).toContain("send the daily equity curve");
    expect((await runCommand("check", join(folder, "none.csv"))).code).toBe(2);
    expect((await runCommand("check", GOOD, "--n-trials", "0")).code).toBe(2);
    expect((await runCommand("check", GOOD, "--risk-free", "4")).code).toBe(2);
    expect((await runCommand("check", GOOD, "--timezone", "Mars/X")).code).toBe(2);
  });

  test("reads an optimiser's table", async () => {
    const table = fileOf("heat.csv", "n1,n2,Sharpe Ratio\n1,2,0.5\n1,3,0.7\n");
    const { code, out } = await runCommand("check", table, "--json");
    expect(code).toBe(0);
    expect((JSON.parse(out) as CheckReport).trials.n).toBe(2);
  });
});

describe("with --coin", () => {
  const root = temporaryFolder("check");
  let following = "";
  beforeAll(async () => {
    await runSmall(root, { source: memorySource(smallMarket(1000)) });
    const { coins } = await readHistory(await currentSnapshot(root));
    const { close, day } = coins.get("aaa")!.bars;
    const rows = Array.from({ length: 400 }, (_, row) => {
      const at = close.length - 400 + row;
      const coin = close[at]! / close[at - 1]! - 1;
      return `${dateOfDay(day[at]!)},${0.5 * coin + 0.002 * Math.sin(7 * row)}`;
    });
    following = fileOf("following.csv", ["date,a", ...rows].join("\n"));
  });

  test("the verdict is against holding the coin, too", async () => {
    const args = ["check", following, "--coin", "AAA", "--snapshots", root, "--n-trials", "1"];
    const { out } = await runCommand(...args);
    expect(out).not.toContain("A long position in a rising market");
    const { verdict } = JSON.parse((await runCommand(...args, "--json")).out) as CheckReport;
    const cash = JSON.parse(
      (await runCommand("check", following, "--n-trials", "1", "--json")).out,
    ) as CheckReport;
    expect(verdict.p_value!).toBeGreaterThanOrEqual(cash.verdict.p_value!);
  });

  test("an unknown coin, other days and a missing snapshot are refused", async () => {
    const unknown = await runCommand("check", following, "--coin", "aab", "--snapshots", root);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('no prices of "aab"')]);
    const days = await runCommand("check", GOOD, "--coin", "aaa", "--snapshots", root);
    expect([days.code, days.err]).toEqual([2, expect.stringContaining("are known from")]);
    const none = await runCommand("check", GOOD, "--coin", "aaa", "--snapshots", folder);
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining("no snapshot was published"),
    ]);
  });
});

test("--html writes the report as a page", async () => {
  const path = join(folder, "report.html");
  const { code } = await runCommand("check", GOOD, "--html", path);
  expect(code).toBe(0);
  expect(readFileSync(path, "utf8")).toContain("<h2>What can be claimed</h2>");
});
