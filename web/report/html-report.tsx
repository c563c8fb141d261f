import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { sha256 } from "../../quant/check/sha256.ts";
import { CHART_STYLES, PAGE_STYLES, TOKENS } from "../styles.ts";
import { liveSection } from "./live-section.tsx";
import { reconcileSection } from "./reconcile-section.tsx";
import { reportView, type ReportProps } from "./report-view.tsx";
import { studyView, type StudyProps } from "./study-view.tsx";

const STYLES = TOKENS + CHART_STYLES + PAGE_STYLES;

/** What made a saved report, and when. */
export interface MadeBy {
  readonly version: string;
  /** ISO date. */
  readonly date: string;
  /** Where another file can be checked. */
  readonly link?: string;
}

/** The report of a check as one HTML file. */
export function htmlReport(props: ReportProps, made?: MadeBy): string {
  const view = reportView({ ...props, liveSection, reconcileSection });
  return htmlFile(`Check of ${props.fileName}`, view, made);
}

/** The report of a study as one HTML file. */
export function htmlStudy(props: StudyProps, made?: MadeBy): string {
  const { strategy, coin } = props.result;
  return htmlFile(`Study of ${strategy} on ${coin}`, studyView(props), made);
}

/** A page by itself: without script or outside address, under a policy that allows its own style alone. */
function htmlFile(title: string, report: VNode, made: MadeBy | undefined): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(STYLES)} />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <main>{report}</main>
        <footer>
          <div class="foot">
            Made by Hindsight{made && ` ${made.version} on ${made.date}`}
            {made?.link !== undefined && (
              <>
                {" at "}
                <a href={made.link}>{made.link}</a>
              </>
            )}
            . For research, not financial advice.
          </div>
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(page)}\n`;
}

function policyOf(styles: string): string {
  const digest = sha256(new TextEncoder().encode(styles));
  const bytes = digest.match(/../g)!.map((pair) => Number.parseInt(pair, 16)); // 64 digits
  return `default-src 'none'; style-src 'sha256-${btoa(String.fromCharCode(...bytes))}'`;
}
