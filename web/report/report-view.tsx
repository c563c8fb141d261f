import type { ComponentChildren, ComponentType, VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport } from "../../api/check-report.ts";
import { luckOf } from "../charts/luck-chart.tsx";
import { decimal } from "../format.ts";
import { ChoiceSection } from "./choice-section.tsx";
import { ClaimsSection } from "./claims-section.tsx";
import { EquitySection } from "./equity-section.tsx";
import { ErrorRatesSection } from "./error-rates-section.tsx";
import { InputSection } from "./input-section.tsx";
import type { LiveProps } from "./live-figure.tsx";
import { LuckFigure, luckErrorOf, triesTold } from "./luck-figure.tsx";
import { PeersSection } from "./peers-section.tsx";
import { ReportTiles } from "./report-tiles.tsx";
import { SplitsFigure } from "./splits-figure.tsx";
import { Verdict } from "./verdict.tsx";

export interface ReportProps {
  readonly report: CheckReport;
  /** Undefined for a table of statistics, which has no series. */
  readonly series: JudgedSeries | undefined;
  /** The live days that were held to it. */
  readonly live?: JudgedSeries | undefined;
  /** What shows them: it is loaded where there are any. */
  readonly LiveSection?: ComponentType<LiveProps> | undefined;
  readonly fileName: string;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic: boolean;
  /** Of the heading: 2 where the page has one of its own. */
  readonly level?: 1 | 2;
  /** What the page asks after the verdict. */
  readonly children?: ComponentChildren;
}

/** The whole answer to "is it luck?": on the page and in a saved file. */
export function ReportView(props: ReportProps): VNode {
  const { report, series, live, LiveSection, fileName, isSynthetic, level = 1, children } = props;
  const Heading = `h${level}` as const;
  const error = series === undefined ? undefined : luckErrorOf(series);
  return (
    <article class="report" aria-labelledby="report-title">
      {isSynthetic && (
        <p class="notice" role="note">
          Made-up prices: what is said of the coin comes from a demo market.
        </p>
      )}
      <Heading id="report-title" class="report-title" tabIndex={-1}>
        {fileName}
      </Heading>
      <p class="lead">{leadOf(report)}</p>
      {report.live !== null && live !== undefined && LiveSection !== undefined && (
        <LiveSection
          live={report.live}
          series={live}
          selected={report.input.selected}
          isSynthetic={isSynthetic}
        />
      )}
      {report.live !== null && <h2>The backtest by itself</h2>}
      <Verdict verdict={report.verdict} />
      {error !== undefined && <p>{sharpeWords(report, error)}</p>}
      {children}
      <ReportTiles report={report} error={error} />
      {error !== undefined && (
        <section class="two" aria-label="Luck">
          <SplitsFigure report={report} isSynthetic={isSynthetic} />
          <LuckFigure report={report} error={error} />
        </section>
      )}
      {series !== undefined && <EquitySection series={series} isSynthetic={isSynthetic} />}
      <ChoiceSection report={report} series={series} isSynthetic={isSynthetic} />
      {report.series !== null && <ClaimsSection report={report} series={report.series} />}
      <PeersSection report={report} isSynthetic={isSynthetic} />
      <ErrorRatesSection verdict={report.verdict} />
      <InputSection report={report} />
    </article>
  );
}

function leadOf({ input }: CheckReport): string {
  const { tool, kind, bars, first, last, variants, selected } = input;
  const parts = [`${tool} ${kind}`];
  if (first !== null) parts.push(`${decimal(bars, 0)} bars, ${first} to ${last}`);
  if (variants > 1) parts.push(`${decimal(variants, 0)} variants`);
  if (variants > 1 && selected !== null) parts.push(`judged: ${selected}`);
  return parts.join(" · ");
}

/** The Sharpe ratio beside what luck shows, and beside what the file says of itself. */
function sharpeWords({ input, series, trials }: CheckReport, error: number): string {
  const tries = triesTold(trials.n);
  const bar = decimal(luckOf(tries, error).expected, 2);
  const words =
    `Its Sharpe ratio is ${decimal(series?.sharpe, 2)} a year; the best of ${decimal(tries, 0)} tries without skill ` +
    `shows about ${bar}.`;
  const stated = input.stated?.["sharpe"];
  if (stated === undefined) return words;
  const why = input.stated_reason ?? "it is defined in another way";
  return `${words} The file itself states ${decimal(stated, 2)}, which is not used: ${why}.`;
}
