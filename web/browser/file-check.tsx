import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asSentence } from "../report/words.ts";
import type { AskedBacktest } from "./check-asked.tsx";
import {
  coinField,
  EntryField,
  NO_ENTRIES,
  optionsOf,
  type CheckEntries,
  type EntriesProps,
} from "./check-fields.tsx";
import type { CheckNews, CheckOrder } from "./check-messages.ts";
import { Failed, working, type CheckState } from "./check-state.tsx";
import { foldedLiveFile, liveFileField } from "./live-file.tsx";
import { SAMPLES, sampleFile } from "./sample-files.ts";
import { runThread } from "./run-thread.ts";

/** What the page is given by its server. */
export interface CheckPlace {
  /** Address of the script that checks. */
  readonly worker: string;
  /** Tickers whose prices it has; empty where it withholds them. */
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
  /** The server's version, for saved reports. */
  readonly version: string;
}

/** The live file, and what the reader says of it. */
interface LiveSent {
  readonly file: File | undefined;
  readonly entries: CheckEntries;
}

async function sentOf(chosen: File, said: CheckEntries, { file, entries }: LiveSent) {
  const live = file && { ...optionsOf(entries), fileName: file.name };
  return {
    bytes: await chosen.arrayBuffer(),
    live: await file?.arrayBuffer(),
    options: { ...optionsOf(said), fileName: chosen.name, live },
  };
}

const NOT_LIVE: LiveSent = { file: undefined, entries: NO_ENTRIES };

/** Entries that stay for the next file. The others are about one file. */
const KEPT: ReadonlySet<string> = new Set(["nTrials", "coin", "timezone"]);

/** Runs one check after the other. */
function useChecks({ worker, coins, isSynthetic }: CheckPlace) {
  const [state, setState] = useState<CheckState>({ kind: "idle" });
  const stop = useRef(() => {});
  const start = async (chosen: File, said: CheckEntries, second: LiveSent) => {
    setState({ kind: "working", progress: undefined });
    try {
      // The code that draws a report loads during the first check, because a page without a report needs none of it.
      const done = import("./check-done.tsx");
      const isLive = second.file !== undefined || said.liveSince !== "";
      const parts = isLive
        ? {
            ...(await import("../report/live-section.tsx")),
            ...(await import("../report/reconcile-section.tsx")),
          }
        : undefined;
      const sent = await sentOf(chosen, said, second);
      const order: CheckOrder = { ...sent, coins, isSynthetic };
      const transfer = [sent.bytes, ...(sent.live ? [sent.live] : [])];
      const show = async (news: CheckNews) => {
        if (news.kind !== "asked" && news.kind !== "done") return setState(stateOf(news));
        const shown: CheckState =
          news.kind === "done"
            ? { ...news, ...(await done), ...parts }
            : { ...news, ...(await import("./check-asked.tsx")) }; // few files leave a question open
        if (stop.current === end) setState(shown);
      };
      const broken = (message: string): CheckNews => ({ kind: "broken", message });
      const end = runThread(worker, { order, transfer }, show, broken);
      stop.current = end;
    } catch (error) {
      setState(stateOf({ kind: "broken", message: String(error) }));
    }
  };
  const halt = () => {
    stop.current();
    stop.current = () => {};
  };
  const cancel = () => {
    halt();
    setState({ kind: "idle" });
  };
  return { state, start, halt, cancel };
}

/** Takes a file and shows its report. The file stays in the browser. */
export function FileCheck(setting: CheckPlace): VNode {
  const { state, start, halt, cancel } = useChecks(setting);
  const [entries, setEntries] = useState(NO_ENTRIES);
  const [file, setFile] = useState<File>();
  const [live, setLive] = useState<LiveSent>(NOT_LIVE);
  const used = useRef(NO_ENTRIES); // of the last check
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<CheckEntries>) => setEntries((old) => ({ ...old, ...part }));
  const check = (chosen: File, said = entries, second = live) => {
    halt();
    used.current = said;
    setFile(chosen);
    if (form.current?.reportValidity() === false) cancel(); // no old report beside what is refused
    else void start(chosen, said, second);
  };
  const takeFile = (chosen: File) => {
    const answered = state.kind === "asked" ? state.questions.map(({ option }) => option) : [];
    const said = forNextFile(entries, used.current, answered);
    setEntries(said);
    check(chosen, said);
  };
  const checkAgain = (part: Partial<CheckEntries> = {}) => {
    const said = { ...entries, ...part };
    setEntries(said);
    if (file !== undefined) check(file, said);
  };
  const goLive = (second: LiveSent) => {
    setLive(second);
    if (file !== undefined) check(file, entries, second);
  };
  const name = file?.name ?? "";
  const fields = { entries, onChange: change };
  const asked = { ...fields, fileName: name, onGo: checkAgain };
  const backtest = { fileName: name, entries };
  const ofLive = askedOfLive(live, backtest, { change: setLive, go: goLive });
  const onLive = (file: File | undefined) => goLive({ ...NOT_LIVE, file });
  const liveFile = liveFileField(live.file, onLive, fields);
  const folded = file && foldedLiveFile(live.file?.name, liveFile, checkAgain);
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
            {fileFields(setting.coins, fields)}
            {file === undefined && liveFile}
            {file !== undefined && <button type="submit">Check again</button>}
          </div>
        </form>
      </details>
      {state.kind !== "done" && folded}
      {state.kind === "working" && working(state.progress, name, cancel)}
      {state.kind === "failed" && <Failed {...state} />}
      {state.kind === "asked" && (
        <state.Asked question={state} {...(state.isLive ? ofLive : asked)} />
      )}
      {state.kind === "done" && (
        <state.Done
          {...state}
          {...asked}
          version={setting.version}
          isOld={!isSame(entries, used.current)}
          below={folded}
        />
      )}
    </>
  );
}

/** Props of the questions about the live file. */
function askedOfLive(
  live: LiveSent,
  backtest: AskedBacktest,
  onLive: { readonly change: (live: LiveSent) => void; readonly go: (live: LiveSent) => void },
) {
  const withPart = (part: Partial<CheckEntries>) => {
    return { ...live, entries: { ...live.entries, ...part } };
  };
  return {
    entries: live.entries,
    onChange: (part: Partial<CheckEntries>) => onLive.change(withPart(part)),
    onGo: (part: Partial<CheckEntries>) => onLive.go(withPart(part)),
    fileName: live.file?.name ?? "",
    backtest,
  };
}

function isSame(entries: CheckEntries, used: CheckEntries): boolean {
  return (Object.keys(entries) as (keyof CheckEntries)[]).every(
    (name) => entries[name] === used[name],
  );
}

/** The line that opens the form: what is checked. */
function chosenWords(file: string, { coin, nTrials }: CheckEntries): string {
  const tries = nTrials === "" ? [] : [`${nTrials} tries`];
  return [file, coin === "" ? "coin not named" : coin, ...tries, "change"].join(" · ");
}

/** The entries for the next file: without what was said of the last one, but with what was typed since. */
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

function stateOf(news: Exclude<CheckNews, { readonly kind: "asked" | "done" }>): CheckState {
  if (news.kind === "progress") return { kind: "working", progress: news.progress };
  if (news.kind === "refused") {
    const title = "This file can’t be checked:";
    return { kind: "failed", title, message: asSentence(news.message) };
  }
  const message = `${news.message}. The command "hindsight check" may do better.`;
  return { kind: "failed", title: "The check broke off:", message };
}

/** What is said of every file, before any question. */
function fileFields(coins: readonly string[], fields: EntriesProps): VNode {
  return (
    <>
      <EntryField name="nTrials" {...fields} />
      {coins.length > 0 && coinField(coins, fields)}
      <details>
        <summary>More to say about the file</summary>
        <EntryField name="starts" {...fields} />
        <EntryField name="selected" {...fields} />
        <EntryField name="startingCapital" {...fields} />
        <EntryField name="timezone" {...fields} />
      </details>
    </>
  );
}

/** Takes a file that is dropped anywhere on the page. Returns whether one is over it. */
function useDrops(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    const listen = (
      kind: "dragover" | "dragleave" | "drop",
      listener: (event: DragEvent) => void,
    ) => document.addEventListener(kind, listener, end);
    listen("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    listen("dragleave", (event) => {
      if (event.relatedTarget === null) setOver(false);
    });
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      const dropped = event.dataTransfer?.files[0];
      if (dropped !== undefined) onFile(dropped);
    });
    return () => end.abort();
  }); // `onFile` is a new function at each rendering
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
        {SAMPLES.map((sample, index) => (
          <>
            {index > 0 && ", "}
            <button type="button" class="link" onClick={() => onFile(sampleFile(sample))}>
              {sample.words}
            </button>
          </>
        ))}
      </p>
    </div>
  );
}
