import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Done as ShowDone } from "./check-done.tsx";
import { asSentence } from "../report/words.ts";
import { Asked } from "./check-asked.tsx";
import {
  CoinField,
  EntryField,
  NO_ENTRIES,
  optionsOf,
  type CheckEntries,
} from "./check-fields.tsx";
import type { CheckNews } from "./check-messages.ts";
import { Failed, Working, type CheckState } from "./check-state.tsx";
import { SAMPLES, sampleFile } from "./sample-files.ts";
import { runCheck } from "./run-check.ts";

/** What the server says of itself in the page. */
export interface CheckPlace {
  /** Address of the script that checks. */
  readonly worker: string;
  /** Tickers whose prices it has; empty where it withholds them. */
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
}

/** What stays from file to file; the rest is said of one. */
const KEPT: ReadonlySet<string> = new Set(["nTrials", "coin", "timezone"]);

/** Takes a file and shows the report on it. The file stays in the browser. */
export function FileCheck({ worker, coins, isSynthetic }: CheckPlace): VNode {
  const [state, setState] = useState<CheckState>({ kind: "idle" });
  const [entries, setEntries] = useState(NO_ENTRIES);
  const [file, setFile] = useState<File>();
  const [Done, setDone] = useState<typeof ShowDone>();
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
      // What draws a report comes while the file is checked: a page without one needs none of it.
      void import("./check-done.tsx").then((loaded) => setDone(() => loaded.Done));
      const bytes = await chosen.arrayBuffer();
      const options = { ...optionsOf(said), fileName: chosen.name };
      const order = { bytes, options, coins, isSynthetic };
      stop.current = runCheck(worker, order, onNews);
    } catch (error) {
      setState(stateOf({ kind: "broken", message: String(error) }));
    }
  };
  const takeFile = (chosen: File) => {
    const answered = state.kind === "asked" ? state.questions.map(({ option }) => option) : [];
    const said = forNextFile(entries, used.current, answered);
    setEntries(said);
    void check(chosen, said);
  };
  const checkAgain = (part: Partial<CheckEntries> = {}) => {
    const said = { ...entries, ...part };
    setEntries(said);
    if (file !== undefined) void check(file, said);
  };
  const cancel = () => {
    stop.current();
    setState({ kind: "idle" });
  };
  const name = file?.name ?? "";
  const fields = { entries, onChange: change };
  const asked = { ...fields, fileName: name, onGo: checkAgain };
  return (
    <>
      <details class={file && "chosen"} open={state.kind === "idle" || state.kind === "failed"}>
        <summary hidden={file === undefined}>{chosenWords(name, entries)}</summary>
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
            <FileFields coins={coins} {...fields} />
            {file !== undefined && <button type="submit">Check again</button>}
          </div>
        </form>
      </details>
      <p class="unseen" aria-live="polite">
        {state.kind === "done" ? state.checked.report.verdict.sentence : ""}
      </p>
      {state.kind === "working" && (
        <Working progress={state.progress} fileName={name} onCancel={cancel} />
      )}
      {state.kind === "failed" && <Failed title={state.title} message={state.message} />}
      {state.kind === "asked" && <Asked question={state} {...asked} />}
      {state.kind === "done" && Done !== undefined && <Done checked={state.checked} {...asked} />}
    </>
  );
}

/** What is checked, in one line that opens the form. */
function chosenWords(file: string, { coin, nTrials }: CheckEntries): string {
  const tries = nTrials === "" ? [] : [`${nTrials} tries`];
  return [file, coin === "" ? "coin not named" : coin, ...tries, "change"].join(" · ");
}

/** Without what was said of the file before, be it as an answer: what was typed since counts for the next. */
function forNextFile(
  entries: CheckEntries,
  used: CheckEntries,
  answered: readonly string[],
): CheckEntries {
  const names = Object.keys(entries) as (keyof CheckEntries)[];
  const stale = names.filter(
    (name) => !KEPT.has(name) && (entries[name] === used[name] || answered.includes(name)),
  );
  return { ...entries, ...Object.fromEntries(stale.map((name) => [name, NO_ENTRIES[name]])) };
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

/** What is said of every file, before any question. */
function FileFields({
  coins,
  ...fields
}: {
  readonly coins: readonly string[];
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
}): VNode {
  return (
    <>
      <EntryField name="nTrials" {...fields} />
      {coins.length > 0 && <CoinField coins={coins} {...fields} />}
      <details>
        <summary>More to say about the file</summary>
        <EntryField name="selected" {...fields} />
        <EntryField name="startingCapital" {...fields} />
        <EntryField name="timezone" {...fields} />
      </details>
    </>
  );
}

/** A file dropped anywhere on the page counts. */
function useDrops(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const dropped = event.dataTransfer?.files[0];
      if (dropped !== undefined) latest.current(dropped);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}

function DropZone({ onFile }: { readonly onFile: (file: File) => void }): VNode {
  const isOver = useDrops(onFile);
  return (
    <div class={isOver ? "drop over" : "drop"}>
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
      <p>
        No file at hand? See a report on made-up returns:{" "}
        {SAMPLES.map((sample, place) => (
          <>
            {place > 0 && ", "}
            <button type="button" class="link" onClick={() => onFile(sampleFile(sample))}>
              {sample.words}
            </button>
          </>
        ))}
      </p>
    </div>
  );
}
