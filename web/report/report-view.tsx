import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport } from "../../quant/check/report.ts";
import { decimal } from "../format.ts";
import { ChoiceSection } from "./choice-section.tsx";
import { ClaimsSection } from "./claims-section.tsx";
import { EquitySection } from "./equity-section.tsx";
import { ErrorRatesSection } from "./error-rates-section.tsx";
import { InputSection } from "./input-section.tsx";
import { LuckFigure, luckErrorOf } from "./luck-figure.tsx";
import { PeersSection } from "./peers-section.tsx";
import { ReportTiles } from "./report-tiles.tsx";
import { SplitsFigure } from "./splits-figure.tsx";
import { Verdict } from "./verdict.tsx";

export interface ReportProps {
  readonly report: CheckReport;
  /** Undefined for a table of statistics, which has no series. */
  readonly series: JudgedSeries | undefined;
  readonly fileName: string;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic: boolean;
}

/** The whole answer to "is it luck?": on the page and in a saved file. */
export function ReportView({ report, series, fileName, isSynthetic }: ReportProps): VNode {
  const error = series === undefined ? undefined : luckErrorOf(series);
  return (
    <article class="report" aria-labelledby="report-title">
      {isSynthetic && (
        <p class="notice" role="note">
          Made-up prices: what is said of the coin comes from a demo market.
        </p>
      )}
      <h1 id="report-title" tabIndex={-1}>
        {fileName}
      </h1>
      <p class="lead">{leadOf(report)}</p>
      <Verdict verdict={report.verdict} />
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
  if (variants > 1 && selected !== null) parts.push(`best: ${selected}`);
  return parts.join(" · ");
}
