import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { checkStatistics } from "../../../quant/check/check-statistics.ts";
import { CheckReport, type CheckPeers } from "../../../api/check-report.ts";
import { htmlReport } from "../../../web/report/html-report.tsx";
import { dailyRowsOf, normalColumns } from "../../quant/check/panels.ts";

const SOURCE = { format: "x", tool: "a <tool>", kind: "returns" } as const;
const names = ['<b>"best"</b>', "v1", "v2", "v3", "v4", "v5"];
const PANEL = buildPanel(dailyRowsOf(normalColumns(3, 500, [6, 0, 0, 0, 0, 0]), { names }));
const SENT = { source: { ...SOURCE, stated: { sharpe: 2 } }, resamples: 200 };
const REPORT = CheckReport.from(checkPanel(PANEL, SENT));
const series = { ...PANEL, returns: PANEL.columns[0]! };
const PROPS = { report: REPORT, series, fileName: "my <grid>.csv", isSynthetic: false };

/** How often a text occurs. */
const occurs = (page: string, text: string) => page.split(text).length - 1;

describe("htmlReport", () => {
  const page = htmlReport(PROPS);

  test("says the verdict first, and names safely", () => {
    expect(page).toMatch(/<h1[^>]*class="event skill"[^>]*>.*Luck would rarely do this\.<\/h1>/);
    expect(page).toContain("my &lt;grid>.csv</p>");
    expect(page).toContain("Judged: <b>&lt;b>");
    expect(page).not.toContain('<b>"best"');
    expect(page).toContain("a &lt;tool>, returns");
  });

  test("says what the curve was chosen from, in the words of who chose", () => {
    expect(page).toMatch(/<b>The best of 6: 1,000 became [\d,]+, with a fall of/);
    expect(page).toContain("a &lt;tool> returns · the best of 6 ·");
    const titleWith = (input: Partial<typeof REPORT.input>) => {
      const told = { ...REPORT, input: { ...REPORT.input, ...input } };
      return /<b>([^<]*1,000 became [^<]*)<\/b>/.exec(htmlReport({ ...PROPS, report: told }))![1]!;
    };
    const own = { options: { selected: "v1" } };
    expect(titleWith(own)).toMatch(/^One of 6, as you chose: 1,000 became/);
    expect(titleWith({ variants: 1 })).toMatch(/^1,000 became/);
    const tries = { variants: 1, n_trials: { value: 40, source: "declared" } } as const;
    expect(titleWith(tries)).toMatch(/^The best of 40 tries: 1,000 became/);
  });

  test("shortens the name of a market where a table has no room for it", () => {
    const of = { return_pct: 10, max_drawdown_pct: -20, sharpe: 1, active_share: 1 };
    const holding = { name: "vanguard_total_world_index", own: of, held: of } as never;
    const held = htmlReport({ ...PROPS, report: { ...REPORT, holding } });
    expect(held).toContain(">holding VANGUARD_…</th>");
    expect(held).toContain("a steady share of VANGUARD_TOTAL_WORLD_INDEX");
  });

  test("has no script and no address, and a table for every picture", () => {
    // The name of the SVG language is an address that is never asked.
    const sent = page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
    expect(sent).not.toMatch(/<script|https?:|\bon\w+=|url\(|\bstyle=/i);
    expect(occurs(page, "<figure")).toBe(4);
    expect(occurs(page, "<details>")).toBe(4);
    expect(occurs(page, 'class="chart')).toBe(9); // wide and narrow, and one for tablets
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("allows its one style by its hash and nothing else", () => {
    expect(occurs(page, "<style>")).toBe(1);
    const style = /<style>(.*?)<\/style>/s.exec(page)![1]!;
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-${hash}'"`);
  });

  test("marks made-up prices on the report and on every chart", () => {
    const made = htmlReport({ ...PROPS, isSynthetic: true });
    expect(made).toContain("Made-up prices");
    expect(occurs(page, "made-up prices")).toBe(0);
    expect(occurs(made, "made-up prices")).toBe(7); // but not on what luck alone shows
  });

  test("shows what the file states and why it isn't used", () => {
    expect(page).toContain("sharpe that the file states");
    expect(page).toContain("not used: defined in another way");
  });

  test("shows which column is what, and what was said beside the file", () => {
    const columns = [
      { name: "equity", role: "value of the account", use: "judged" },
      { name: "<spy>", role: "market", use: "left_out" },
    ] as const;
    const options = { starting_capital: 1000, leave_out: ["rsi", "(5, 20)"] };
    const input = { ...REPORT.input, columns, options };
    const told = htmlReport({ ...PROPS, report: { ...REPORT, input } });
    expect(told).toContain("<summary>Which column is what</summary>");
    expect(told).toMatch(/&lt;spy><\/td><td[^>]*>market<\/td><td[^>]*>left out</);
    expect(told).toMatch(/leave out, as you said<\/td><td>rsi, \(5, 20\)</);
    expect(page).not.toContain("Which column is what");
  });

  test("shows peers where there are some", () => {
    const bar = { median: 0.1, p95: 1.2 };
    const peers: CheckPeers = {
      coin: "btc",
      same_days: {
        runs: 280,
        rank: 3,
        hold: { sharpe: 0.5, return_pct: 40, max_drawdown_pct: -50 },
        luck_bar: { n_1: bar, n_13: bar, n_286: bar },
      },
      afterwards: { runs: 200, coins: 25, median: 0.1, low: -1, high: 1.5, share_below_zero: 0.45 },
      afterwards_note: "25 coins, one shared market",
    };
    const withPeers = htmlReport({ ...PROPS, report: { ...REPORT, peers, peers_reason: null } });
    expect(withPeers).toContain("it ranks 3 of 281 among the settings of our rules");
    expect(withPeers).toContain("had 0.10 afterwards (−1.00 to 1.50 for nine in ten)");
    expect(withPeers).toContain("25 coins, one shared market.");
    expect(occurs(withPeers, "<figure")).toBe(5);
    expect(occurs(withPeers, "<details>")).toBe(5);
  });

  test("names the variants that no p-value was computed for", () => {
    const family = { ...REPORT.family!, untested: ["a<b", "c"], untested_reason: "they differ" };
    const mixed = htmlReport({ ...PROPS, report: { ...REPORT, family } });
    expect(mixed).toContain("<p>2 are not tested, because they differ: a&lt;b; c.</p>");
    const longer = { ...family, untested: ["c"], block_length_set_by: "selected" } as const;
    const one = htmlReport({ ...PROPS, report: { ...REPORT, family: longer } });
    expect(one).toContain("<p>1 is not tested, because they differ: c.</p>");
    expect(one).toContain("the variant that is judged");
  });

  test("shows the error rates and the size that they were measured at", () => {
    const rates = {
      variants: 13,
      bars: 750,
      panels: 1000,
      false_skill: 0.051,
      power_1: 0.2,
      power_2: 0.7,
      false_luck_1: 0.1,
      false_luck_2: 0,
    };
    const verdict = { ...REPORT.verdict, error_rates: rates };
    const measured = htmlReport({ ...PROPS, report: { ...REPORT, verdict } });
    expect(measured).toContain("<td>5.1\u202f%</td>");
    expect(measured).toContain("Measured on 750 bars of 13 variants");
  });

  test("of a table of statistics has no pictures", () => {
    const report = CheckReport.from(checkStatistics(Float64Array.of(1, 2), SOURCE));
    const plain = htmlReport({ ...PROPS, report, series: undefined });
    expect(occurs(plain, 'class="chart')).toBe(0);
    expect(plain).toMatch(/class="event withheld".*Not judged\./);
    expect(plain).toContain("it shows that 2 variants were tried");
    expect(checkStatistics(Float64Array.of(1, 2), SOURCE, 9).trials.n, "told of more").toBe(9);
  });

  test("of a single series says what a whole family would add", () => {
    const one = buildPanel(dailyRowsOf(normalColumns(3, 500, [1])));
    const report = CheckReport.from(checkPanel(one, { source: SOURCE }));
    const page = htmlReport({ ...PROPS, report, series: { ...one, returns: one.columns[0]! } });
    expect(page).toContain("Send everything that your optimiser tried");
    expect(page).toContain("if you tried as many");
    const told = CheckReport.from(checkPanel(one, { source: SOURCE, nTrials: 1 }));
    const declared = htmlReport({
      ...PROPS,
      report: told,
      series: { ...one, returns: one.columns[0]! },
    });
    expect(declared, "one try was declared").not.toMatch(/10 tries|tried 10|tried as many/);
    expect(declared).toContain("A single try without skill shows about 0");
  });
});
