import type { CheckReport, SeriesFigures } from "../../quant/check/report.ts";
import { escaped, shown, tableOf } from "./markup.ts";
import type { JudgedSeries } from "../check-file.ts";
import { equityFigures, logitFigure, luckFigure, peersSection } from "./pictures.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6a7c; --paper: #fff; --rule: #d9dfe7;
  --main: #1f5fbf; --luck: #b3541e; --good: #2f7d4f; --bad: #b23a3a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa7b8; --paper: #141920; --rule: #323c49;
  --main: #6ea8ff; --luck: #f0a06a; --good: #6cc08b; --bad: #ef8080; } }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
.verdict { font-size: 1.7rem; font-weight: 700; margin: .5rem 0 0; }
.skill { color: var(--good); } .luck-verdict { color: var(--bad); } .inconclusive { color: var(--luck); }
.sentence { font-size: 1.15rem; margin: .25rem 0 1rem; }
figure { margin: 1rem 0; } figcaption, .soft, li { color: var(--soft); font-size: .92rem; }
svg { display: block; width: 100%; height: auto; } svg text { font-size: 13px; fill: var(--soft); }
svg .grid { stroke: var(--rule); } svg polyline { fill: none; stroke-width: 2; }
svg .main { stroke: var(--main); } svg .luck { stroke: var(--luck); }
svg .mark { stroke: var(--soft); stroke-dasharray: 5 4; } svg .loss { fill: var(--bad); opacity: .55; }
svg .good { fill: var(--good); } svg .bad { fill: var(--bad); }
.wide { overflow-x: auto; } table { overflow-wrap: break-word; border-collapse: collapse; width: 100%; font-size: .92rem; margin: .5rem 0; }
th, td { text-align: left; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--rule); font-weight: 400;
  vertical-align: top; } thead th { color: var(--soft); } td { font-variant-numeric: tabular-nums; }
td:last-child { padding-right: 0; }
@media (max-width: 480px) { svg text { font-size: 22px; } body { padding-top: 1rem; } }`;

/**
 * The report as one HTML file: no script, no outside address, every picture with its table. `series` is the variant
 * that was judged; undefined for a table of statistics, which has none.
 */
export function htmlReport(report: CheckReport, series: JudgedSeries | undefined): string {
  const { input, verdict } = report;
  const title = `Check of ${input.selected ?? input.tool}`;
  const parts = [
    `<h1>${escaped(title)}</h1>`,
    `<p class="verdict ${verdict.value === "luck" ? "luck-verdict" : verdict.value}">${verdictWord(verdict.value)}</p>`,
    `<p class="sentence">${escaped(verdict.sentence)}</p>`,
    section("What was read", readTable(report) + warningList(report)),
  ];
  if (series !== undefined) parts.push(section("The account", equityFigures(series)));
  if (report.series !== null)
    parts.push(section("What can be claimed", claimsTable(report.series)));
  if (series !== undefined)
    parts.push(section("What luck reaches", luckFigure(report, series) + luckTable(report)));
  parts.push(section("Does the choice hold?", logitFigure(report) || note(report.cscv_reason)));
  const peers =
    report.peers === null
      ? note(report.peers_reason)
      : peersSection(report.peers, report.series?.sharpe ?? null);
  parts.push(section("Others on the same days", peers));
  parts.push(section("How often this verdict is wrong", note(verdict.error_rates_reason)));
  if (verdict.cautions.length > 0)
    parts.push(section("What no record shows", list(verdict.cautions)));
  parts.push(`<p class="soft">SHA-256 of the panel: ${input.sha256 ?? "none"}</p>`);
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escaped(title)}</title><style>${STYLE}</style></head><body>\n${parts.join("\n")}\n</body></html>\n`
  );
}

function verdictWord(value: CheckReport["verdict"]["value"]): string {
  if (value === "skill") return "More than luck";
  return value === "luck" ? "No evidence against luck" : "Inconclusive";
}

function section(title: string, content: string): string {
  return `<section><h2>${escaped(title)}</h2>${content}</section>`;
}

function note(text: string | null): string {
  if (text === null) return "";
  return `<p class="soft">${escaped(text[0]!.toUpperCase() + text.slice(1))}.</p>`; // never empty
}

function list(texts: readonly string[]): string {
  return `<ul>${texts.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul>`;
}

function readTable({ input }: CheckReport): string {
  const rows = [
    ["file", `${input.tool}, ${input.kind}`],
    ["bars", input.first === null ? "none" : `${input.bars}, ${input.first} to ${input.last}`],
    [
      "variants",
      `${input.variants} (${input.dropped_variants} never moved, ${input.duplicate_variants} repeated)`,
    ],
    ["judged", input.selected ?? "none"],
    ["number of trials", `${input.n_trials.value}, ${input.n_trials.source}`],
    [
      "bars a year",
      `${shown(input.periods_per_year)} (${input.periods_per_year_reason ?? "none"})`,
    ],
    ["marked to market", input.marked_to_market ? "yes" : "no"],
    ...Object.entries(input.stated ?? {}).map(([name, value]) => [
      `${name} in the file`,
      `${shown(value)}, not used: ${input.stated_reason ?? "defined in another way"}`,
    ]),
  ];
  return tableOf(["", ""], rows);
}

function warningList({ input }: CheckReport): string {
  return input.warnings.length === 0
    ? ""
    : list(input.warnings.map(({ message }) => `${message}.`));
}

function claimsTable(series: SeriesFigures): string {
  const { published, adjusted } = series;
  const both = (name: string, of: (claims: SeriesFigures["published"]) => number | null) => {
    return [name, shown(of(published)), shown(of(adjusted))];
  };
  return (
    tableOf(
      ["", "as published", "adjusted for dependence"],
      [
        ["Sharpe ratio, a year", shown(series.sharpe), shown(series.sharpe)],
        both("its standard error", (claims) => claims.standard_error),
        both("probability that the true one is above 0", (claims) => claims.psr),
        both("deflated by the trials", (claims) => claims.dsr),
        both("days of record that it takes", (claims) => claims.min_track_record_days),
        both("Sharpe ratio after the haircut", (claims) => claims.haircut_sharpe),
      ],
    ) +
    tableOf(
      ["", ""],
      [
        ["total return", shown(series.total_return_pct, " %")],
        ["deepest drawdown", shown(series.max_drawdown_pct, " %")],
        ["longest time under water", shown(series.under_water_days, " days")],
        ["worst month", shown(series.worst_month_pct, " %")],
        ["share of the profit from the best 1 % of bars", shown(series.best_bars_share)],
        ["bars with a return, with a loss", `${series.active_bars}, ${series.losing_bars}`],
      ],
    )
  );
}

function luckTable({ trials, family, family_reason: reason, verdict }: CheckReport): string {
  const rows = [
    ["p-value of the verdict", shown(verdict.p_value)],
    ["trials up to which it would pass", shown(verdict.break_even_trials)],
  ];
  if (family === null) return tableOf(["", ""], rows) + note(reason);
  return tableOf(
    ["", ""],
    [
      ...rows,
      [
        "trials counted as different things",
        `${shown(trials.implied)}, ${shown(trials.effective_rank)}`,
      ],
      ["p against cash, against the coin", `${shown(family.p_cash)}, ${shown(family.p_coin)}`],
      ["variants that pass at 5 %", `${family.survivor_count}`],
      [
        "White's and Hansen's p, for comparison",
        `${shown(family.white_p_value)}, ${shown(family.hansen_p_value)}`,
      ],
    ],
  );
}
