import type { CheckReport, CheckFamily, CheckPeers, CheckSeries } from "../api/check-report.ts";
import type { CheckErrorRates } from "../api/check-verdict.ts";
import { liveText } from "./live-text.ts";
import { fallsWords } from "../web/report/falls-words.ts";
import { digits, wrapped, textTable, type Row } from "./text-table.ts";

/** The full report for a terminal: the verdict in words, then the tables that it rests on. */
export function checkText(report: CheckReport): string[] {
  const { series, live } = report;
  const text = series === null ? statisticsText(report) : panelText(report, series);
  return live === null ? text : [...liveText(live), "", ...text];
}

/** The report on a table of one statistic a trial, which only tells the number of trials for another check. */
function statisticsText(report: CheckReport): string[] {
  const { verdict, input, trials } = report;
  return [
    ...wrapped(verdict.sentence),
    `Next: hindsight check equity.csv --n-trials ${input.n_trials.value}`,
    "",
    ...textTable(["read", ""], inputRows(report)),
    ...(trials.sharpe_std === null
      ? []
      : textTable(["spread of the trials' Sharpe", digits(trials.sharpe_std)], [])),
  ];
}

function panelText(report: CheckReport, series: CheckSeries): string[] {
  const { input, verdict, family, cscv } = report;
  const lines = [...wrapped(verdict.sentence)];
  for (const note of verdict.notes) lines.push(...wrapped(note));
  lines.push("");
  lines.push(...textTable(["read", ""], inputRows(report)));
  const { stated, stated_reason: reason } = input;
  if (stated?.["sharpe"] !== undefined) {
    const why = reason ?? "it is defined in another way";
    lines.push(
      ...wrapped(
        `The file states a Sharpe ratio of ${digits(stated["sharpe"])}, which isn't used: ${why}.`,
      ),
    );
  }
  lines.push("", ...textTable(["", "published", "adjusted"], claimRows(series, report.trials.n)));
  lines.push("", ...textTable(["the record", ""], recordRows(series)));
  lines.push("", ...textTable(["begun on", "Sharpe", "p, one try"], startRows(series)));
  lines.push("", ...textTable(["luck", ""], luckRows(report)));
  lines.push(...timingText(report));
  if (report.falls !== null) lines.push("", ...wrapped(fallsWords(report.falls)));
  const isMatrix = input.variants > 1;
  if (family === null && isMatrix)
    lines.push(...wrapped(`no family test: ${report.family_reason}`));
  if (cscv === null && isMatrix) lines.push(...wrapped(`no PBO: ${report.cscv_reason}`));
  if (verdict.error_rates !== null)
    lines.push("", ...textTable(["how often it is wrong", ""], rateRows(verdict.error_rates)));
  else lines.push("", ...wrapped(`how often it is wrong: ${verdict.error_rates_reason}`));
  if (report.peers === null) lines.push("", ...wrapped(`no peers: ${report.peers_reason}`));
  else lines.push("", ...textTable(["peers", ""], peersRows(report.peers)));
  for (const { message } of input.warnings) lines.push("", ...wrapped(`Note: ${message}.`));
  if (verdict.cautions.length > 0) lines.push("");
  for (const caution of verdict.cautions) lines.push(...wrapped(`- ${caution}`, "  "));
  return lines;
}

function inputRows({ input }: CheckReport): Row[] {
  const { tool, format, kind, variants, bars, first, last } = input;
  const rows: Row[] = [["file", `${tool}, ${kind} (format "${format}")`]];
  if (first !== null) rows.push(["bars", `${bars}, ${first} to ${last}`]);
  const left = [
    input.dropped_variants > 0 ? `${input.dropped_variants} that never move left out` : "",
    input.duplicate_variants > 0 ? `${input.duplicate_variants} repeated ones left out` : "",
  ].filter((text) => text !== "");
  rows.push(["variants", [String(variants), ...left].join(", ")]);
  if (input.selected !== null && variants > 1) {
    rows.push(["judged", `"${input.selected}" (the highest Sharpe unless --selected NAME)`]);
  }
  const { value, source } = input.n_trials;
  const isUnknown = variants === 1 && source === "measured";
  rows.push(["trials", isUnknown ? "not known (--n-trials NUMBER)" : `${value}, ${source}`]);
  if (input.periods_per_year !== null) {
    const year = `${digits(input.periods_per_year)} (${input.periods_per_year_reason})`;
    rows.push(["bars a year", year]);
  }
  return rows;
}

function claimRows({ sharpe, published, adjusted }: CheckSeries, trials: number): Row[] {
  const row = (
    name: string,
    of: (claims: CheckSeries["published"]) => number | null,
    text = digits,
  ): Row => [name, text(of(published)), text(of(adjusted))];
  return [
    ["Sharpe, a year", digits(sharpe), digits(sharpe)],
    row("standard error", (claims) => claims.standard_error),
    row("PSR: 1 - p of no edge, for one try", (claims) => claims.psr, chance),
    row(`DSR: 1 - p beyond the luck of ${trials}`, (claims) => claims.dsr, chance),
    row("days needed to show it", (claims) => claims.min_track_record_days),
    row("Sharpe after the haircut", (claims) => claims.haircut_sharpe, decimals),
  ];
}

function startRows({ starts }: CheckSeries): Row[] {
  return starts.map(({ first, sharpe, p_value: p }) => [first, digits(sharpe), digits(p)]);
}

function recordRows(series: CheckSeries): Row[] {
  const share = series.best_bars_share;
  return [
    ["total return", percent(series.total_return_pct)],
    ["deepest drawdown", percent(series.max_drawdown_pct)],
    ["longest under water", `${digits(series.under_water_days)} days`],
    ["worst month", percent(series.worst_month_pct)],
    ["profit from the best 1 % of bars", share === null ? "none" : percent(100 * share)],
    ["shorter than it looks, by a factor of", digits(series.dependence_ratio)],
  ];
}

function luckRows({ trials, cscv, family, verdict }: CheckReport): Row[] {
  const rows: Row[] = [["p-value", digits(verdict.p_value)]];
  rows.push(["skill up to this many trials", breakEven(verdict.break_even_trials, trials.n)]);
  if (trials.sharpe_std !== null)
    rows.push(["spread of the trials' Sharpe", digits(trials.sharpe_std)]);
  if (trials.effective_rank !== null) {
    rows.push(["different things tried, at least", digits(trials.effective_rank)]);
  }
  if (trials.expected_sharpe !== null)
    rows.push(["Sharpe to expect of it, a year", decimals(trials.expected_sharpe)]);
  if (family !== null) rows.push(...familyRows(family));
  if (cscv !== null) {
    rows.push([`PBO, ${cscv.blocks} blocks`, digits(cscv.pbo)]);
    rows.push(["probability of loss", digits(cscv.probability_of_loss)]);
  }
  return rows;
}

/** What was tested for prices that were known too early. A caution says why nothing was. */
function timingText({ timing }: CheckReport): string[] {
  const { later, fills, levels } = timing ?? {};
  const lines: string[] = [];
  if (later) {
    const { sent, one, two } = later;
    const each = (name: string, text: (earned: typeof sent) => string): Row => [
      name,
      ...[sent, one, two].map((earned) => (earned === null ? "none" : text(earned))),
    ];
    const rows: Row[] = [
      each("Sharpe, a year", ({ sharpe }) => digits(sharpe)),
      each("total return, later without fees", ({ return_pct: made }) => percent(made)),
      each("deepest drawdown", ({ max_drawdown_pct: fall }) => percent(fall)),
      [
        `score, found from ${digits(later.score_needed)} on`,
        "",
        digits(later.score_1),
        digits(later.score_2),
      ],
      ["changes of position", "", String(later.changes_1), String(later.changes_2)],
      [
        "large moves that tell a position",
        later.told === null ? "none" : percent(100 * later.told),
      ],
      ["usual size, interest of a bar", `${digits(later.size)}, ${digits(later.cash)}`],
    ];
    const { variants_tested: tested, variants_found: found } = later;
    if (tested !== null) rows.push(["variants tested, found", `${tested}, ${found}`]);
    const title = `positions taken later: ${words(later.status)}`;
    lines.push("", ...textTable([title, "as sent", "one bar", "two bars"], rows));
  }
  if (fills) {
    const rows = (["entry", "exit"] as const).map((side): Row => {
      const { status, tested, near, other, p_value: p } = fills[side];
      return [side, words(status), ...[tested, near, other].map(String), digits(p)];
    });
    const titles = ["fills", "", "tested", "at the edge", "outside", "p"];
    lines.push("", ...textTable(titles, rows));
  }
  if (levels) {
    const { status, tested, profit_first: first, take_pct: take, stop_pct: stop } = levels;
    const titles = ["stop and profit on one day", words(status)];
    const sizes: Row = ["usual profit, usual stop", `${percent(take)}, ${percent(stop)}`];
    const days: Row = ["days, with the profit first", `${tested}, ${first}`];
    lines.push("", ...textTable(titles, [sizes, days, ["p", digits(levels.p_value)]]));
  }
  return lines;
}

const words = (status: string) => status.replace("_", " ");

/** With zero, even the trials that were counted are too many. */
function breakEven(most: number | null, trials: number): string {
  if (most !== 0) return most === null ? "none" : most.toLocaleString("en-US");
  return trials === 1 ? "none, not even one" : `none, ${trials} are too many`;
}

function rateRows(rates: CheckErrorRates): Row[] {
  const both = (one: number, two: number) => `${percent(100 * one)}, ${percent(100 * two)}`;
  return [
    [
      "measured on",
      `${rates.bars} bars, ${rates.variants === 1 ? "1 variant" : `${rates.variants} variants`}, ${rates.panels} panels or more a shape`,
    ],
    ["calls luck skill, at worst on the shapes tried", percent(100 * rates.false_skill)],
    ["finds a true Sharpe of 1, of 2", both(rates.power_1, rates.power_2)],
    ["calls that luck", both(rates.false_luck_1, rates.false_luck_2)],
  ];
}

function familyRows(family: CheckFamily): Row[] {
  const { survivors, untested } = family;
  const some = (names: readonly string[]) =>
    names.length === 0
      ? "none"
      : `${names.length}: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""}`;
  const setBy = family.block_length_set_by === "selected" ? "the one that is judged" : "the median";
  return [
    ["p against cash", digits(family.p_cash)],
    ...(family.p_coin === null ? [] : [["p against the coin", digits(family.p_coin)] as const]),
    ["variants that pass at 5 %", some(survivors)],
    ...(untested.length === 0 ? [] : [["not tested, too dependent", some(untested)] as const]),
    ["bars in a block", `${family.block_length}, as ${setBy} needs`],
    ["White, Hansen on means", `${digits(family.white_p_value)}, ${digits(family.hansen_p_value)}`],
  ];
}

function peersRows({
  coin,
  same_days: same,
  afterwards,
  afterwards_note: note,
}: CheckPeers): Row[] {
  const { runs, rank, hold, luck_bar: bar } = same;
  const rows: Row[] = [
    [`rank among our runs on ${coin}, same days`, `${rank} of ${runs + 1}`],
    ["holding the coin", `Sharpe ${digits(hold.sharpe)}, return ${percent(hold.return_pct)}`],
    [
      "luck reaches, best of 1, 13, 286",
      [bar.n_1, bar.n_13, bar.n_286].map(({ median }) => digits(median)).join(", "),
    ],
    [
      "and in one of twenty markets",
      [bar.n_1, bar.n_13, bar.n_286].map(({ p95 }) => digits(p95)).join(", "),
    ],
  ];
  if (afterwards === null) return [...rows, ["what came next", note]];
  const { median, low, high, share_below_zero: below } = afterwards;
  return [
    ...rows,
    ["what came next, Sharpe", `${digits(median)} (${digits(low)} to ${digits(high)})`],
    ["below 0", `${percent(100 * (below ?? NaN))} of ${afterwards.runs} runs; ${note}`],
  ];
}

/** A Sharpe ratio in decimals: near 0, a power of ten would say nothing. */
function decimals(value: number | null): string {
  return value === null ? "none" : String(Number(value.toFixed(3)));
}

function chance(value: number | null): string {
  return value !== null && value > 0.9999 ? "> 0.9999" : digits(value);
}

function percent(value: number | null): string {
  return value === null ? "none" : `${Number(value.toPrecision(4))} %`;
}
