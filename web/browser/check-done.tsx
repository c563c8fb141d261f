import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reportJson } from "../../api/report-json.ts";
import { ReportView, type ReportProps } from "../report/report-view.tsx";
import { EntryField, type CheckEntries } from "./check-fields.tsx";
import type { ShownCheck } from "./check-messages.ts";
import { CopyButton } from "./copy-button.tsx";
import { saveText } from "./save-text.ts";

/** The report, with the ways to keep it. */
export function Done({
  checked,
  LiveSection,
  fileName,
  entries,
  isOld,
  onChange,
  onGo,
}: {
  /** Whether a field says something else since. */
  readonly isOld: boolean;
  readonly checked: ShownCheck;
  readonly LiveSection?: ReportProps["LiveSection"];
  readonly fileName: string;
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
  readonly onGo: () => void;
}): VNode {
  const { report, series, live, isSynthetic } = checked;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>("#report-title")?.focus(), [checked]);
  const props = { report, series, live, LiveSection, isSynthetic, fileName };
  const { break_even_trials: most } = report.verdict;
  const isUncounted = report.input.variants === 1 && report.input.n_trials.source === "measured";
  const asksTrials = isUncounted && ((most ?? 0) > 0 || report.live !== null);
  return (
    <div ref={place} class={isOld ? "old" : undefined} data-verdict={report.verdict.value}>
      <ReportView {...props} level={2}>
        {asksTrials && (
          <form
            class="card"
            onSubmit={(event) => {
              event.preventDefault();
              onGo();
            }}
          >
            <EntryField
              name="nTrials"
              id="asked-nTrials"
              entries={entries}
              onChange={onChange}
              isRequired
            />
            <button type="submit">Count them</button>
          </form>
        )}
        <p class="actions">
          <CopyButton text={report.verdict.sentence} />{" "}
          <button type="button" class="quiet" onClick={() => void saveReport(props)}>
            Save HTML
          </button>{" "}
          <button
            type="button"
            class="quiet"
            onClick={() =>
              saveText(
                `${fileName}-report.json`,
                "application/json",
                `${reportJson(report, isSynthetic)}\n`,
              )
            }
          >
            Save JSON
          </button>
        </p>
      </ReportView>
    </div>
  );
}

/** What writes the page by itself is loaded for it. */
async function saveReport(props: Parameters<typeof ReportView>[0] & { readonly fileName: string }) {
  const { htmlReport } = await import("../report/html-report.tsx");
  saveText(`${props.fileName}-report.html`, "text/html", htmlReport(props));
}
