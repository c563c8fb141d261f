import { renderToString } from "preact-render-to-string";
import { sha256 } from "../../quant/check/sha256.ts";
import { CHART_STYLES, PAGE_STYLES, TOKENS } from "../styles.ts";
import { LiveSection } from "./live-section.tsx";
import { ReportView, type ReportProps } from "./report-view.tsx";

const STYLES = TOKENS + CHART_STYLES + PAGE_STYLES;

/** The report as one HTML file: no script, no outside address, and a policy that allows its own style alone. */
export function htmlReport(props: ReportProps): string {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(STYLES)} />
        <title>{`Check of ${props.fileName}`}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      </head>
      <body>
        <main>
          <ReportView {...props} LiveSection={LiveSection} />
        </main>
        <footer>
          <div class="foot">Made by Hindsight. For research, not financial advice.</div>
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
