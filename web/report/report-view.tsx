import type { ComponentChildren, VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport, CheckSeries } from "../../api/check-report.ts";
import { decimal, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { choiceSection } from "./choice-section.tsx";
import { claimsSection } from "./claims-section.tsx";
import { errorRatesSection } from "./error-rates-section.tsx";
import { fallsWords } from "./falls-words.ts";
import { holdingSection } from "./holding-section.tsx";
import { inputSection } from "./input-section.tsx";
import { laterSection } from "./later-section.tsx";
import type { LiveProps } from "./live-figure.tsx";
import { luckErrorOf, luckFigure } from "./luck-figure.tsx";
import { peersSection } from "./peers-section.tsx";
import type { ReconcileProps } from "./reconcile-section.tsx";
import { reportTiles } from "./report-tiles.tsx";
import { splitsFigure } from "./splits-figure.tsx";
import { syntheticNotice, verdictWords } from "./verdict.tsx";
import { asSentence } from "./words.ts";
import { worldsFigure } from "./worlds-figure.tsx";

export interface ReportProps {
  readonly report: CheckReport;
  /** Undefined for a table of statistics, which has no series. */
  readonly series: JudgedSeries | undefined;
  /** The live days that were held to it. */
  readonly live?: JudgedSeries | undefined;
  /** What shows the live days. A page loads it where there are any. */
  readonly liveSection?: ((props: LiveProps) => VNode) | undefined;
  /** Why live differs, loaded with it. */
  readonly reconcileSection?: ((props: ReconcileProps) => VNode | null) | undefined;
  /** Saves the trades of both files, matched, where the page can. */
  readonly onSaveTrades?: (() => void) | undefined;
  readonly fileName: string;
  /** Whether prices of a made-up market went into it. */
  readonly isSynthetic: boolean;
  /** Of the heading: 2 where the page has a heading of its own. */
  readonly level?: 1 | 2;
  /** What the page asks after the verdict. */
  readonly children?: ComponentChildren;
}

/** The whole answer to "is it luck?": the verdict, its picture, holding, then the rest. */
export function reportView(props: ReportProps): VNode {
  const { report, series, live, liveSection, fileName, isSynthetic, level = 1, children } = props;
  const error = series === undefined ? undefined : luckErrorOf(series);
  const { selected } = report.input;
  return (
    <article class="report" aria-labelledby="report-title">
      {level === 1 && syntheticNotice(isSynthetic)}
      <p class="source file-name">{fileName}</p>
      {report.live &&
        live &&
        liveSection?.({ live: report.live, series: live, selected, isSynthetic })}
      {props.reconcileSection?.({ report, isSynthetic, onSave: props.onSaveTrades })}
      <div class={report.live === null ? "two answer" : "two answer beside-live"}>
        <div>
          {report.live !== null && <p class="hint">The backtest by itself</p>}
          {verdictWords(report, report.live === null ? level : 3)}
          {children}
        </div>
        {worldsFigure(report, isSynthetic)}
      </div>
      {series !== undefined && holdingSection(report, series, isSynthetic)}
      {reportTiles(report, error)}
      {report.falls !== null && <p class="falls">{fallsWords(report.falls)}</p>}
      {report.series !== null &&
        fold("Why does it begin on this day?", "five first days", startsTable(report.series))}
      {fold(
        "All figures",
        "for quants: both standard errors, every test",
        <>
          {statedSharpe(report)}
          {error !== undefined && (
            <section class="two" aria-label="Luck">
              {splitsFigure(report, isSynthetic)}
              {luckFigure(report, error)}
            </section>
          )}
          {choiceSection(report, series)}
          {laterSection(report.timing)}
          {report.series !== null && claimsSection(report, report.series)}
          {peersSection(report, isSynthetic)}
        </>,
      )}
      {fold(
        "What this can’t tell",
        "and how often it is wrong",
        <>
          {notesList(report)}
          {errorRatesSection(report.verdict)}
        </>,
      )}
      {fold("What was read", "and what was assumed", inputSection(report))}
    </article>
  );
}

function startsTable({ starts }: CheckSeries): VNode {
  return (
    <>
      <p>Choosing the best of five first days doubles luck’s share: say how many you tried.</p>
      <Table
        label="The same strategy from later first days on"
        columns={[
          { name: "begun on", isText: true, cell: ({ first }) => first },
          { name: "Sharpe ratio, a year", cell: ({ sharpe }) => decimal(sharpe, 2) },
          { name: "p-value, one try", cell: ({ p_value: p }) => significant(p) },
        ]}
        rows={starts}
      />
    </>
  );
}

function fold(name: string, hint: string, content: VNode): VNode {
  return (
    <details class="fold">
      <summary>
        {name} <span>{hint}</span>
      </summary>
      {content}
    </details>
  );
}

/** What else the verdict says. */
function notesList({ verdict: { notes } }: CheckReport): VNode | null {
  if (notes.length === 0) return null;
  return (
    <ul>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** The Sharpe ratio that the file states, and why it isn't used. */
function statedSharpe({ input }: CheckReport): VNode | null {
  const stated = input.stated?.["sharpe"];
  if (stated === undefined) return null;
  const why = input.stated_reason ?? "it is defined in another way";
  const words = `the file itself states a Sharpe ratio of ${decimal(stated, 2)}, which is not used: ${why}`;
  return <p>{asSentence(words)}</p>;
}
