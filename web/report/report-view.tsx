import type { ComponentChildren, ComponentType, VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport } from "../../api/check-report.ts";
import { decimal } from "../format.ts";
import { ChoiceSection } from "./choice-section.tsx";
import { ClaimsSection } from "./claims-section.tsx";
import { ErrorRatesSection } from "./error-rates-section.tsx";
import { HoldingSection } from "./holding-section.tsx";
import { InputSection } from "./input-section.tsx";
import type { LiveProps } from "./live-figure.tsx";
import { LuckFigure, luckErrorOf } from "./luck-figure.tsx";
import { PeersSection } from "./peers-section.tsx";
import { ReportTiles } from "./report-tiles.tsx";
import { SplitsFigure } from "./splits-figure.tsx";
import { Verdict } from "./verdict.tsx";
import { asSentence } from "./words.ts";
import { WorldsFigure } from "./worlds-figure.tsx";

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

/** The whole answer to "is it luck?": on the page and in a saved file. The verdict, its picture, holding, then the rest. */
export function ReportView(props: ReportProps): VNode {
  const { report, series, live, LiveSection, fileName, isSynthetic, level = 1, children } = props;
  const error = series === undefined ? undefined : luckErrorOf(series);
  return (
    <article class="report" aria-labelledby="report-title">
      {isSynthetic && level === 1 && (
        <p class="notice" role="note">
          Made-up prices: what is said of the coin comes from a demo market.
        </p>
      )}
      <p class="source file-name">{fileName}</p>
      {report.live !== null && live !== undefined && LiveSection !== undefined && (
        <LiveSection
          live={report.live}
          series={live}
          selected={report.input.selected}
          isSynthetic={isSynthetic}
        />
      )}
      <div class="two answer">
        <div>
          <Verdict report={report} level={level} />
          {children}
        </div>
        <WorldsFigure report={report} isSynthetic={isSynthetic} />
      </div>
      {series !== undefined && (
        <HoldingSection holding={report.holding} series={series} isSynthetic={isSynthetic} />
      )}
      <ReportTiles report={report} error={error} />
      <Fold name="All figures" hint="for quants: both standard errors, every test">
        <Stated report={report} />
        {error !== undefined && (
          <section class="two" aria-label="Luck">
            <SplitsFigure report={report} isSynthetic={isSynthetic} />
            <LuckFigure report={report} error={error} />
          </section>
        )}
        <ChoiceSection report={report} series={series} />
        {report.series !== null && <ClaimsSection report={report} series={report.series} />}
        <PeersSection report={report} isSynthetic={isSynthetic} />
      </Fold>
      <Fold name="What this can’t tell" hint="and how often it is wrong">
        <Notes report={report} />
        <ErrorRatesSection verdict={report.verdict} />
      </Fold>
      <Fold name="What was read" hint="and what was assumed">
        <InputSection report={report} />
      </Fold>
    </article>
  );
}

function Fold({
  name,
  hint,
  children,
}: {
  readonly name: string;
  readonly hint: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <details class="fold">
      <summary>
        {name} <span>{hint}</span>
      </summary>
      {children}
    </details>
  );
}

/** What else the verdict says. */
function Notes({ report }: { readonly report: CheckReport }): VNode | null {
  const { notes } = report.verdict;
  if (notes.length === 0) return null;
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** What the file says of itself, and why it isn't used. */
function Stated({ report: { input } }: { readonly report: CheckReport }): VNode | null {
  const stated = input.stated?.["sharpe"];
  if (stated === undefined) return null;
  const why = input.stated_reason ?? "it is defined in another way";
  return (
    <p>
      {asSentence(
        `the file itself states a Sharpe ratio of ${decimal(stated, 2)}, which is not used: ${why}`,
      )}
    </p>
  );
}
