import { liveSection } from "../web/report/live-section.tsx";
import { reconcileSection } from "../web/report/reconcile-section.tsx";
import { reportView, type ReportProps } from "../web/report/report-view.tsx";
import { pageText } from "./page-text.ts";
import { wrapped } from "./text-table.ts";

/** The whole report for a terminal: the verdict in words, then what its page shows. */
export function reportText(shown: ReportProps): string[] {
  const { live, verdict, series, input } = shown.report;
  return [
    ...wrapped((live ?? { verdict }).verdict.sentence),
    // A table of one statistic a trial only tells the number of trials for another check.
    ...(series === null
      ? [`Next: hindsight check equity.csv --n-trials ${input.n_trials.value}`]
      : []),
    ...pageText(reportView({ ...shown, liveSection, reconcileSection, level: 2 })),
  ];
}

/** What the page shows of live days, and why they differ. */
export function liveText({ report, live: series, isSynthetic }: ReportProps): string[] {
  const { live, input } = report;
  if (live === null || series === undefined) return [];
  return [
    ...wrapped(live.verdict.sentence),
    ...pageText(liveSection({ live, series, selected: input.selected, isSynthetic })),
    ...pageText(reconcileSection({ report, isSynthetic })),
    "",
  ];
}
