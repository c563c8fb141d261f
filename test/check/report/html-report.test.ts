import { describe, expect, test } from "vitest";
import { htmlReport } from "../../../check/report/html-report.ts";
import { histogramChart, lineChart } from "../../../check/report/chart.ts";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { checkStatistics } from "../../../quant/check/check-statistics.ts";
import type { PeersFigures } from "../../../quant/check/report.ts";
import { dailyRowsOf, normalColumns } from "../../quant/check/panels.ts";

const SOURCE = { format: "x", tool: "a <tool>", kind: "returns" } as const;
const names = ['<b>"best"</b>', "v1", "v2", "v3", "v4", "v5"];
const PANEL = buildPanel(dailyRowsOf(normalColumns(3, 500, [6, 0, 0, 0, 0, 0]), { names }));
const REPORT = checkPanel(PANEL, { source: { ...SOURCE, stated: { sharpe: 2 } }, resamples: 200 });
const SERIES = { ...PANEL, returns: PANEL.columns[0]! };

/** How often a text occurs. */
const occurs = (page: string, text: string) => page.split(text).length - 1;

describe("htmlReport", () => {
  const page = htmlReport(REPORT, SERIES);

  test("says the verdict first, and names safely", () => {
    expect(page).toContain('<p class="verdict skill">More than luck</p>');
    expect(page).toContain("Check of &lt;b&gt;&quot;best&quot;&lt;/b&gt;");
    expect(page).not.toContain("<b>");
    expect(page).toContain("a &lt;tool&gt;, returns");
  });

  test("has no script and no address, and a table for every picture", () => {
    expect(page).not.toMatch(/<script|https?:|\bon\w+=|url\(/i);
    expect(occurs(page, "<svg")).toBe(4);
    expect(occurs(page, "<details>")).toBe(4);
    expect(occurs(page, 'role="img" aria-label="')).toBe(4);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("shows peers where there are some", () => {
    const bar = { median: 0.1, p95: 1.2 };
    const peers: PeersFigures = {
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
    const withPeers = htmlReport({ ...REPORT, peers, peers_reason: null }, SERIES);
    expect(withPeers).toContain("<td>3 of 281</td>");
    expect(withPeers).toContain("25 coins, one shared market.");
    expect(occurs(withPeers, "<svg")).toBe(occurs(withPeers, "<details>"));
  });

  test("of a table of statistics has no pictures", () => {
    const plain = htmlReport(checkStatistics(Float64Array.of(1, 2), SOURCE), undefined);
    expect(occurs(plain, "<svg")).toBe(0);
    expect(plain).toContain("it shows that 2 variants were tried");
  });
});

describe("charts", () => {
  test("place points by their values", () => {
    const points = [
      [0, 0],
      [10, 5],
    ] as const;
    const chart = lineChart({
      title: "t",
      lines: [{ points, style: "main" }],
      ticks: [[10, "end"]],
    });
    expect(chart).toContain('points="64.0,240.0 708.0,12.0"');
    expect(chart).toContain('<text x="708.0" y="272" text-anchor="middle">end</text>');
  });

  test("of equal values are a level line", () => {
    const points = [
      [0, 1],
      [1, 1],
    ] as const;
    const chart = lineChart({ title: "t", lines: [{ points, style: "main" }], ticks: [] });
    expect(chart).toContain('points="64.0,126.0 708.0,126.0"');
  });

  test("have a bar for each bin, below the middle in another colour", () => {
    const chart = histogramChart("t", { edges: [-1, 0, 1], counts: [1, 2] });
    expect(chart).toMatch(/class="bad" x="64.5" y="126.0".*class="good" x="386.5" y="12.0"/);
  });
});
