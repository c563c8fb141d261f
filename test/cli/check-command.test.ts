import { execFileSync } from "node:child_process";
import {
  linkSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { dateOfDay } from "../../quant/calendar.ts";
import type { CheckReport } from "../../api/check-report.ts";
import { bytesOf } from "../../cli/check-files.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { readHistory } from "../../snapshots/history.ts";
import { returnsCsv, TRADES_CSV } from "../support/check-files.ts";
import { runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { normalColumns } from "../quant/check/panels.ts";

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
    const short = await runCommand("check", GOOD);
    expect(short.out).toMatch(
      /^Luck would rarely do this: with 6 tries, luck alone does this well less than\nonce in 1,000 times\./,
    );
    const lines = short.out.trimEnd().split("\n");
    const facts = lines.slice(lines.indexOf("") + 1, lines.lastIndexOf(""));
    expect(facts.length, "at most five").toBeLessThanOrEqual(5);
    expect(facts[0]).toMatch(/^judged +"v0" of 6, 500 bars, 2020-01-01 to/);
    expect(short.out).not.toContain("\u001B");
    const { code, out } = await runCommand("check", GOOD, "--full");
    expect(out.startsWith(short.out.split("\n\n")[0]!)).toBe(true);
    expect(out).toMatch(/^Measured on 750 bars of 13 variants/m);
    expect(out).toMatch(/calls luck skill, at worst on the shapes tried +[0-9.]+ %/);
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
      "falls",
      "cscv",
      "cscv_reason",
      "family",
      "family_reason",
      "peers",
      "peers_reason",
      "holding",
      "luck_quantiles",
      "verdict",
      "timing",
      "live",
      "reconciliation",
      "reconciliation_reason",
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
    const asked = await runCommand("check", TRADES, "--n-trials", "3", "--json");
    expect([asked.code, asked.out]).toEqual([2, expect.stringMatching(/^{"error":{"code":"more_/)]);
    expect(asked.err).toMatch(/^trades\.csv: one question is open\n\nThis is a list of trades/);
    const command = `hindsight check ${TRADES} --n-trials 3 --json --starting-capital ...`;
    expect(asked.err).toContain(`\nThe whole command:\n  ${command}\n`);
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

  test("an unknown coin and a missing snapshot are refused, fewer days are not", async () => {
    const unknown = await runCommand("check", following, "--coin", "aab", "--snapshots", root);
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('no prices of "aab"')]);
    const days = await runCommand("check", GOOD, "--coin", "aaa", "--snapshots", root);
    expect([days.code, days.out]).toEqual([
      0,
      expect.stringMatching(/holding\s+aaa\s+over the\s+same\s+days\s+doesn't explain it/),
    ]);
    const none = await runCommand("check", GOOD, "--coin", "aaa", "--snapshots", folder);
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining("no snapshot was published"),
    ]);
  });
});

describe("what is no file, or too large a one, is refused", () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const large = fileOf("large.csv", "date,a\n");
  truncateSync(large, 512 * 1024 * 1024 + 1);

  test.each([
    ["/dev/zero", "it is a device or a socket, not a file"],
    [folder, "it is a folder"],
    [pipe, "it is a pipe; write what comes from it to a file, and check that"],
    [large, "is larger than 512 MiB: no export is"],
  ])("%s", async (path, message) => {
    const { code, out, err } = await runCommand("check", path);
    expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
  });

  test("also one that grows, or whose size is not known", async () => {
    expect(Buffer.concat(await bytesOf(POOR)).equals(readFileSync(POOR))).toBe(true);
    await expect(bytesOf("/proc/self/status", 100)).rejects.toThrow("is larger than");
  });
});

describe("names of a file that act on a terminal", () => {
  const acting = "\u001b]52;c;eA==\u0007\u009b2J\u202e\u2066\rx\nVerdict: skill";
  const named = fileOf(
    "named.csv",
    readFileSync(GOOD, "utf8").replace(/date,v0,v1/, `date,"${acting}","${acting} 2"`),
  );
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  const acts = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  test("are escaped in the verdict, so that nothing but the program says it", async () => {
    const { out } = await runCommand(
      "check",
      named,
      "--selected",
      acting,
      "--n-trials",
      "6",
      "--full",
    );
    expect(out).toContain(
      "\\u001b]52;c;eA==\\u0007\\u009b2J\\u202e\\u2066\\u000dx\\u000aVerdict: skill",
    );
    expect(out).not.toMatch(acts);
    expect(out.match(/^Verdict: /gm)).toBeNull();
    expect(out).toMatch(/^Luck would rarely do this: /);
  });

  test("are escaped in JSON, which says the same", async () => {
    const { out } = await runCommand("check", named, "--selected", acting, "--json");
    expect(out).not.toMatch(acts);
    expect((JSON.parse(out) as CheckReport).input.selected).toBe(acting);
  });

  test("are escaped in errors", async () => {
    const { err } = await runCommand("check", GOOD, "--selected", acting);
    expect(err).toContain("\\u001b]52");
    expect(err).not.toMatch(acts);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("names of a file that are as long as the file", () => {
  const trades = [{ profit_abs: 1, open_date: "2024-01-02", close_date: "2024-01-03" }];
  const run = { backtest_start: "2024-01-01", backtest_end: "2024-02-20", starting_balance: 1000 };
  const fileWith = (of: object) =>
    fileOf("named.json", JSON.stringify({ strategy: { ["n".repeat(2e6)]: of } }));

  test.each([
    ["of a variant", { ...run, trades }, "a name has 2000000 characters, more than 1000"],
    ["in an error", run, '..." lacks trades'],
    ["in a question", { ...run, starting_balance: undefined, trades }, "--starting-capital"],
  ])("%s", async (_, of, message) => {
    const { code, err } = await runCommand("check", fileWith(of));
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(err.length).toBeLessThan(1300);
  });
});

describe("standard input", () => {
  const given = (text: string) =>
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([Buffer.from(text)]) as never);
  afterEach(() => void vi.restoreAllMocks());

  test("is read for -, and answered as the file is", async () => {
    given(readFileSync(GOOD, "utf8"));
    const { code, out } = await runCommand("check", "-");
    expect(code).toBe(0);
    expect(out).toBe((await runCommand("check", GOOD)).out);
  });

  test("is named in a question, and stays in the command that answers it", async () => {
    given(TRADES_CSV);
    const { code, err } = await runCommand("check", "-");
    expect([code, err]).toEqual([2, expect.stringMatching(/^standard input: /)]);
    expect(err).toContain("hindsight check - --starting-capital");
  });

  test("is one of the two files", async () => {
    const { code, err } = await runCommand("check", "-", "--live", "-");
    expect([code, err]).toEqual([2, expect.stringContaining("not both")]);
  });
});

describe("what the system says of a file is told in words", () => {
  test.each([
    ["none.csv", "it is not there"],
    ["good.csv/none.csv", "a part of the path is a file"],
    ["n".repeat(300), "its name is too long"],
  ])("%s", async (name, words) => {
    for (const args of [[join(folder, name)], [GOOD, "--live", join(folder, name)]]) {
      const { code, out, err } = await runCommand("check", ...args);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(words);
      expect(err).not.toMatch(/\bE[A-Z]{4,}\b/);
    }
  });
});

describe("--html", () => {
  const own = temporaryFolder("check-html");

  test("writes the report as a page, in the place of an earlier one", async () => {
    const path = join(own, "report.html");
    writeFileSync(path, "earlier");
    const { code } = await runCommand("check", GOOD, "--html", path);
    expect(code).toBe(0);
    expect(readFileSync(path, "utf8")).toContain("<h2>What can be claimed</h2>");
    expect(readdirSync(own)).toEqual(["report.html"]);
  });

  test("never writes over the file that is checked, by whatever name", async () => {
    const text = readFileSync(POOR, "utf8");
    const [linked, named] = [join(own, "linked.csv"), join(own, "named.csv")];
    linkSync(POOR, linked);
    symlinkSync(POOR, named);
    for (const path of [POOR, linked, named]) {
      const { code, out, err } = await runCommand("check", POOR, "--html", path);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain("is the file that is checked");
    }
    expect(readFileSync(POOR, "utf8")).toBe(text);
    const device = await runCommand("check", POOR, "--html", "/dev/null");
    expect([device.code, device.err]).toEqual([2, expect.stringContaining("is not a file")]);
  });

  test("that can't be written is exit 2, once the verdict was printed", async () => {
    const before = readdirSync(own);
    const path = join(own, "none", "report.html");
    const { code, out, err } = await runCommand("check", GOOD, "--html", path);
    expect([code, out]).toEqual([2, expect.stringMatching(/^Luck would rarely do this/)]);
    expect(err).toContain("the report can't be written: its folder is not there");
    expect(readdirSync(own)).toEqual(before);
  });
});
