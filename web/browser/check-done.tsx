import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reportJson } from "../../api/report-json.ts";
import type { MadeBy } from "../report/html-report.tsx";
import { reportView, type ReportProps } from "../report/report-view.tsx";
import { EntryField, type CheckEntries, type EntriesProps } from "./check-fields.tsx";
import type { ShownCheck } from "./check-messages.ts";
import { verdictText } from "../report/verdict-text.ts";
import { CopyButton } from "./copy-button.tsx";
import { saveText } from "./save-text.ts";

interface DoneProps extends EntriesProps {
  readonly checked: ShownCheck;
  /** Whether a field has changed since the check. */
  readonly isOld: boolean;
  readonly liveSection?: ReportProps["liveSection"];
  readonly reconcileSection?: ReportProps["reconcileSection"];
  readonly fileName: string;
  readonly version: string;
  readonly onGo: (part?: Partial<CheckEntries>) => void;
  /** What stands below the ways to keep it. */
  readonly below: VNode | undefined;
}

/** The report, with the ways to keep it. */
export function Done(props: DoneProps): VNode {
  const { checked, isOld, liveSection, reconcileSection, fileName, entries, onChange, onGo } =
    props;
  const { report, series, live, isSynthetic } = checked;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>("#report-title")?.focus(), [checked]);
  const shown = { report, series, live, liveSection, reconcileSection, isSynthetic, fileName };
  const { matched } = checked;
  const onSaveTrades = matched && (() => void saveTrades(fileName, matched));
  const { break_even_trials: most } = report.verdict;
  const isUncounted = report.input.variants === 1 && report.input.n_trials.source === "measured";
  const asksTrials = isUncounted && ((most ?? 0) > 0 || report.live !== null);
  const link = location.origin + location.pathname;
  const made = { version: props.version, date: new Date().toISOString().slice(0, 10), link };
  const saveJson = () => {
    const json = `${reportJson(report, isSynthetic)}\n`;
    saveText(`${fileName}-report.json`, "application/json", json);
  };
  const children = (
    <>
      {asksTrials && (
        <form
          class="card"
          onSubmit={(event) => {
            event.preventDefault();
            onGo();
          }}
        >
          <EntryField name="nTrials" id="asked-nTrials" isRequired {...{ entries, onChange }} />
          <button type="submit">Count them</button>
        </form>
      )}
      {report.timing?.later?.status === "found" && (
        <label class="said-fills">
          <input
            type="checkbox"
            checked={entries.fills !== ""}
            onChange={(event) => onGo({ fills: event.currentTarget.checked ? "intraday" : "" })}
          />{" "}
          Each fill came after its signal, within the day
        </label>
      )}
      <p class="actions">
        <CopyButton text={verdictText(report, link)} />{" "}
        <button type="button" class="quiet" onClick={() => void saveHtml(shown, made)}>
          Save HTML
        </button>{" "}
        <button type="button" class="quiet" onClick={saveJson}>
          Save JSON
        </button>{" "}
        <button type="button" class="quiet" onClick={() => void saveCard(shown, link)}>
          Save picture
        </button>
      </p>
      {props.below}
    </>
  );
  return (
    <div ref={place} class={isOld ? "old" : undefined} data-verdict={report.verdict.value}>
      {reportView({ ...shown, onSaveTrades, level: 2, children })}
    </div>
  );
}

async function saveTrades(fileName: string, rows: NonNullable<ShownCheck["matched"]>) {
  const { matchedCsv } = await import("../../api/matched-trades.ts");
  saveText(`${fileName}-trades.csv`, "text/csv", matchedCsv(rows));
}

/** The verdict as others would see it. The file never left the browser, so its picture is drawn here. */
async function saveCard({ report, isSynthetic, fileName, live }: ReportProps, link: string) {
  const [{ verdictCard }, { savePicture }] = await Promise.all([
    import("../report/verdict-card.ts"),
    import("./save-picture.ts"),
  ]);
  const svg = verdictCard(report, { isSynthetic, link }, live);
  await savePicture(`${fileName}-verdict.png`, svg);
}

/** Few readers save a report, so what writes the file is loaded then. */
async function saveHtml(props: ReportProps, made: MadeBy): Promise<void> {
  const { htmlReport } = await import("../report/html-report.tsx");
  saveText(`${props.fileName}-report.html`, "text/html", htmlReport(props, made));
}
