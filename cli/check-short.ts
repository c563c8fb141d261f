import type { CheckReport } from "../api/check-report.ts";
import { wrapped } from "./text-table.ts";

const COLOURS = { skill: 36, inconclusive: 39, luck: 33 } as const;

/** The opening line with its event bold and in the colour of the verdict. */
export function coloured(line: string, { event, value }: CheckReport["verdict"]): string {
  return line.startsWith(event)
    ? `\u001B[1;${COLOURS[value]}m${event}\u001B[0m${line.slice(event.length)}`
    : line;
}

const LABEL_WIDTH = 14;
/** The verdict rests on these; the others are for who wants to know more. */
export const FACTS_MAX = 5;

/** The short report: the verdict and at most five facts that it rests on. */
export function shortText(report: CheckReport): string[] {
  const lines = factsOf(report).map(([name, text]) => `${name.padEnd(LABEL_WIDTH)}${text}`);
  return [
    ...wrapped(report.verdict.sentence),
    "",
    ...lines.slice(0, FACTS_MAX),
    "",
    "All figures: --full. As a page: --html report.html.",
  ];
}

/** What a verdict rests on, the most important first. */
export function factsOf(report: CheckReport) {
  const { input, series, trials, verdict, timing, holding, luck_quantiles: worlds } = report;
  const facts: [name: string, text: string][] = [];
  const isUnknown = input.variants === 1 && input.n_trials.source === "measured";
  const tries = isUnknown
    ? "not known: give --n-trials NUMBER"
    : `${trials.n}, ${input.n_trials.source}`;
  const ofMany = input.variants > 1 ? ` of ${input.variants}` : "";
  const isNamed = input.selected !== null && (ofMany !== "" || (input.columns ?? []).length > 0);
  const subject = isNamed ? `"${input.selected}"${ofMany}` : input.tool;
  const span = input.first === null ? "" : `, ${input.bars} bars, ${input.first} to ${input.last}`;
  facts.push(["judged", `${subject}${span}`]);
  facts.push(["tries", tries]);
  if (series !== null && series.sharpe !== null) {
    const median = worlds?.[Math.floor(worlds.length / 2)];
    const beside =
      median === undefined
        ? ""
        : `, half of all worlds without skill show more than ${digits(median)}`;
    facts.push(["Sharpe ratio", `${digits(series.sharpe)} a year${beside}`]);
  }
  if (holding === null && series !== null)
    facts.push([
      "made",
      `${percent(series.total_return_pct)}, worst fall ${percent(series.max_drawdown_pct)}`,
    ]);
  if (holding !== null) {
    const { name, own, held } = holding;
    facts.push([
      "made",
      `${percent(own.return_pct)} against ${percent(held.return_pct)} by holding ${name}, worst fall ${percent(own.max_drawdown_pct)} against ${percent(held.max_drawdown_pct)}`,
    ]);
  }
  const later = timing?.later;
  if (later?.status === "found") {
    const [name, left] =
      later.score_1 >= later.score_2 ? ["a day later", later.one] : ["2 days later", later.two];
    const [was, is] = [later.sent, left].map((options) => digits(options?.sharpe ?? NaN));
    facts.push([name as string, `Sharpe ratio ${is} instead of ${was}`]);
  }
  const most = verdict.break_even_trials;
  if (most !== null && most > 0)
    facts.push(["would pass", `up to ${most.toLocaleString("en-US")} tries`]);
  return facts;
}

const digits = (value: number) => String(Number(value.toPrecision(2)));

function percent(value: number | null): string {
  return value === null ? "not known" : `${Number(value.toPrecision(2)).toLocaleString("en-US")} %`;
}
