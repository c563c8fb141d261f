import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CheckProgress } from "../../quant/check/check-progress.ts";
import { decimal } from "../format.ts";
import type { ReportProps } from "../report/report-view.tsx";
import type { Asked } from "./check-asked.tsx";
import type { Done } from "./check-done.tsx";
import type { CheckQuestion, ShownCheck } from "./check-messages.ts";

/** How far a check is. */
export type CheckState =
  | { readonly kind: "idle" }
  | { readonly kind: "working"; readonly progress: CheckProgress | undefined }
  | { readonly kind: "failed"; readonly title: string; readonly message: string }
  | (CheckQuestion & { readonly Asked: typeof Asked })
  | {
      readonly kind: "done";
      readonly checked: ShownCheck;
      /** What shows the report, loaded with the first check. */
      readonly Done: typeof Done;
      /** What shows live days, loaded where there are any. */
      readonly liveSection?: ReportProps["liveSection"];
      readonly reconcileSection?: ReportProps["reconcileSection"];
    };

const STEPS: Readonly<Record<CheckProgress["step"], string>> = {
  splits: "Splitting the days into halves",
  cash: "Testing every variant against cash",
  coin: "Testing every variant against holding the coin",
  means: "Comparing with White’s and Hansen’s tests",
  peers: "Running our rules on shuffled markets",
  live: "Weighing the live days",
};

/** What the check is doing, and how far it is. */
export function working(
  progress: CheckProgress | undefined,
  fileName: string,
  onCancel: () => void,
): VNode {
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
export function Failed({ title, message }: Readonly<Record<"title" | "message", string>>): VNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [message]);
  return (
    <div class="card failed" role="alert" tabIndex={-1} ref={element}>
      <p>
        <b>{title}</b> {message}
      </p>
      <p>
        <a href="/docs/check#what-to-export">What to export from your tool</a>
      </p>
    </div>
  );
}
