import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reportJson } from "../../api/report-json.ts";
import type { CheckProgress } from "../../quant/check/check-progress.ts";
import { decimal } from "../format.ts";
import { ReportView, type ReportProps } from "../report/report-view.tsx";
import type { Asked } from "./check-asked.tsx";
import { EntryField, type CheckEntries } from "./check-fields.tsx";
import type { CheckQuestion, ShownCheck } from "./check-messages.ts";
import { saveText } from "./save-text.ts";

/** Where a check is. */
export type CheckState =
  | { readonly kind: "idle" }
  | { readonly kind: "working"; readonly progress: CheckProgress | undefined }
  | { readonly kind: "failed"; readonly title: string; readonly message: string }
  | (CheckQuestion & { readonly Asked: typeof Asked })
  | {
      readonly kind: "done";
      readonly checked: ShownCheck;
      /** What shows live days, loaded with them. */
      readonly LiveSection?: ReportProps["LiveSection"];
    };

const STEPS: Readonly<Record<CheckProgress["step"], string>> = {
  splits: "Splitting the days into halves",
  cash: "Testing every variant against cash",
  coin: "Testing every variant against holding the coin",
  means: "Comparing with White’s and Hansen’s tests",
  peers: "Running our rules on shuffled markets",
  live: "Weighing the live days",
};

/** A name for screen readers and a count to look at. */
export function Working({
  progress,
  fileName,
  onCancel,
}: {
  readonly progress: CheckProgress | undefined;
  readonly fileName: string;
  readonly onCancel: () => void;
}): VNode {
  const step = progress === undefined ? `Reading ${fileName}` : STEPS[progress.step];
  const isCounted = progress !== undefined && progress.done > 0;
  return (
    <div class="card working">
      <p role="status">{step}</p>
      <progress
        aria-label={step}
        value={isCounted ? progress.done : undefined}
        max={progress?.total ?? 1}
      />
      <p class="hint">
        {isCounted ? `${decimal(progress.done, 0)} of ${decimal(progress.total, 0)}` : "…"}
      </p>
      <button type="button" class="quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** What is wrong, and a way on. */
export function Failed({
  title,
  message,
}: {
  readonly title: string;
  readonly message: string;
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [message]);
  return (
    <div class="card failed" role="alert" tabIndex={-1} ref={place}>
      <p>
        <b>{title}</b> {message}
      </p>
      <p>
        <a href="/docs/check#what-to-export">What to export from your tool</a>
      </p>
    </div>
  );
}

/** The report, with the ways to keep it. */
export function Done({
  checked,
  LiveSection,
  fileName,
  entries,
  onChange,
  onGo,
}: {
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
    <div ref={place} data-verdict={report.verdict.value}>
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
      </ReportView>
      <p class="actions">
        <button type="button" onClick={() => void saveReport(props)}>
          Save this report
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
          Save as JSON
        </button>
      </p>
    </div>
  );
}

/** What writes the page by itself is loaded for it. */
async function saveReport(props: Parameters<typeof ReportView>[0] & { readonly fileName: string }) {
  const { htmlReport } = await import("../report/html-report.tsx");
  saveText(`${props.fileName}-report.html`, "text/html", htmlReport(props));
}
