import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { asSentence } from "../report/words.ts";
import {
  CoinField,
  EntryField,
  NO_ENTRIES,
  optionsOf,
  type CheckEntries,
} from "./check-fields.tsx";
import type { CheckNews } from "./check-messages.ts";
import { Asked, Done, Failed, Working, type CheckState } from "./check-state.tsx";
import { runCheck } from "./run-check.ts";

/** What the server says of itself in the page. */
export interface CheckPlace {
  /** Address of the script that checks. */
  readonly worker: string;
  /** Tickers whose prices it has; empty where it withholds them. */
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
}

/** What is said of one file; of the next it counts if it was entered since. */
const OF_ONE_FILE = [
  "format",
  "selected",
  "startingCapital",
  "column",
  "leaveOut",
  "benchmark",
  "flows",
  "dates",
  "unit",
  "allIn",
] as const;

/** Takes a file and shows the report on it. The file stays in the browser. */
export function FileCheck({ worker, coins, isSynthetic }: CheckPlace): VNode {
  const [state, setState] = useState<CheckState>({ kind: "idle" });
  const [entries, setEntries] = useState(NO_ENTRIES);
  const [file, setFile] = useState<File>();
  const stop = useRef(() => {});
  const used = useRef(NO_ENTRIES); // of the last check
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<CheckEntries>) => setEntries((old) => ({ ...old, ...part }));

  const onNews = (news: CheckNews) => setState(stateOf(news));
  const check = async (chosen: File, said = entries) => {
    stop.current();
    used.current = said;
    setFile(chosen);
    if (form.current?.reportValidity() === false) return;
    setState({ kind: "working", progress: undefined });
    try {
      const bytes = await chosen.arrayBuffer();
      const order = { bytes, options: optionsOf(said), coins, isSynthetic };
      stop.current = runCheck(worker, order, onNews);
    } catch (error) {
      setState(stateOf({ kind: "broken", message: String(error) }));
    }
  };
  const takeFile = (chosen: File) => {
    const stale = OF_ONE_FILE.filter((name) => entries[name] === used.current[name]);
    const said = { ...entries, ...Object.fromEntries(stale.map((name) => [name, ""])) };
    setEntries(said);
    void check(chosen, said);
  };
  const checkAgain = () => {
    if (file !== undefined) void check(file);
  };
  const cancel = () => {
    stop.current();
    setState({ kind: "idle" });
  };
  const name = file?.name ?? "";
  const asked = { entries, onChange: change, onGo: checkAgain };
  return (
    <>
      <form
        ref={form}
        class="two"
        onSubmit={(event) => {
          event.preventDefault();
          checkAgain();
        }}
      >
        <DropZone onFile={takeFile} />
        <div>
          <EntryField name="nTrials" entries={entries} onChange={change} />
          {coins.length > 0 && <CoinField coins={coins} entries={entries} onChange={change} />}
          <details>
            <summary>More to say about the file</summary>
            <EntryField name="selected" entries={entries} onChange={change} />
            <EntryField name="startingCapital" entries={entries} onChange={change} />
            <EntryField name="timezone" entries={entries} onChange={change} />
          </details>
          {file !== undefined && <button type="submit">Check again</button>}
        </div>
      </form>
      <p class="unseen" aria-live="polite">
        {state.kind === "done" ? state.checked.report.verdict.sentence : ""}
      </p>
      {state.kind === "working" && (
        <Working progress={state.progress} fileName={name} onCancel={cancel} />
      )}
      {state.kind === "failed" && <Failed title={state.title} message={state.message} />}
      {state.kind === "asked" && <Asked question={state} {...asked} />}
      {state.kind === "done" && <Done checked={state.checked} fileName={name} {...asked} />}
    </>
  );
}

function stateOf(news: CheckNews): CheckState {
  if (news.kind === "progress") return { kind: "working", progress: news.progress };
  if (news.kind === "refused") {
    return {
      kind: "failed",
      title: "This file can’t be checked:",
      message: asSentence(news.message),
    };
  }
  if (news.kind === "broken") {
    const message = `${news.message}. The command "hindsight check" may do better.`;
    return { kind: "failed", title: "The check broke off:", message };
  }
  return news;
}

function DropZone({ onFile }: { readonly onFile: (file: File) => void }): VNode {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer?.files[0];
        if (dropped !== undefined) onFile(dropped);
      }}
    >
      <label for="check-file">
        <b>Drop the file that your tool wrote</b>
      </label>
      <input
        id="check-file"
        type="file"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          if (chosen !== undefined) onFile(chosen);
          event.currentTarget.value = ""; // the same file can be chosen again
        }}
      />
      <p>
        freqtrade, vectorbt, backtesting.py, TradingView, MetaTrader 5, QuantConnect, nautilus,
        jesse, zipline, or a table of dates with returns or equity
      </p>
    </div>
  );
}
