import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { StrategyTemplate } from "../../api/strategies.ts";
import { csvOf } from "../../api/csv.ts";
import { runsTable } from "../../api/study.ts";
import { Figure } from "../charts/chart.tsx";
import { linesChart } from "../charts/lines-chart.tsx";
import { decimal } from "../format.ts";
import { StudyView } from "../report/study-view.tsx";
import { saveText } from "./save-text.ts";
import { countSets, inputsQuery, type StudyInputs } from "./study-asked.ts";
import type { SingleCurve, StudyNews, StudyOrder } from "./study-messages.ts";

export interface StudyPlace {
  readonly worker: string;
  /** Tickers whose daily prices the page may load. */
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
  readonly template: StrategyTemplate;
  readonly first: StudyInputs;
}

const COST_MAX = 10;

/** The form of a study and its report. Nothing runs before the button is pressed. */
export function StudyForm({ worker, coins, isSynthetic, template, first }: StudyPlace): VNode {
  const [inputs, setInputs] = useState(first);
  const [news, setNews] = useState<StudyNews>();
  const [isRunning, setRunning] = useState(false);
  const thread = useRef<Worker>();
  /** What ran in this tab, by rule and coin. */
  const tried = useRef(new Map<string, Set<string>>());
  const counted = countSets(template, inputs);
  const before = tried.current.get(inputs.coin) ?? new Set<string>();
  const change = (part: Partial<StudyInputs>) => setInputs({ ...inputs, ...part });
  const fault = "fault" in counted ? counted.fault : costFault(inputs);

  function stop() {
    thread.current?.terminate();
    setRunning(false);
  }

  function run() {
    if ("fault" in counted || fault !== undefined) return;
    history.replaceState(null, "", inputsQuery(inputs));
    stop();
    setRunning(true);
    setNews(undefined);
    const order: StudyOrder = {
      strategy: template.name,
      coin: inputs.coin,
      values: counted.values,
      start: inputs.start,
      end: inputs.end,
      feeRate: Number(inputs.fee) / 100,
      slippageRate: Number(inputs.slippage) / 100,
      folds: counted.sets > 1 ? Number(inputs.folds) : 0,
      elsewhere: Number(inputs.elsewhere),
      before: [...before],
    };
    const own = new Worker(worker, { type: "module" });
    thread.current = own;
    own.addEventListener("message", ({ data }: MessageEvent<StudyNews>) => {
      setNews(data);
      if (data.kind === "progress") return;
      own.terminate();
      setRunning(false);
      if (data.kind === "done") tried.current.set(inputs.coin, new Set([...before, ...data.tried]));
    });
    own.addEventListener("error", ({ message }) => {
      setNews({ kind: "refused", message: message || "the thread did not start" });
      stop();
    });
    own.postMessage(order);
  }

  return (
    <>
      <form
        class="card asked"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div class="picks pairs">
          <label class="field">
            <span>Coin</span>
            <select
              value={inputs.coin}
              onInput={(event) => change({ coin: event.currentTarget.value })}
            >
              {coins.map((coin) => (
                <option key={coin} value={coin}>
                  {coin.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
          <TextField
            words="From (after 200 days, if empty)"
            type="date"
            value={inputs.start}
            onText={(start) => change({ start })}
          />
          <TextField
            words="To (the last day, if empty)"
            type="date"
            value={inputs.end}
            onText={(end) => change({ end })}
          />
          {template.parameters.map(({ name, title, unit, min, max }) => (
            <TextField
              key={name}
              words={`${title}${unit === "" ? "" : `, ${unit}`} (${decimalOf(min)} to ${decimalOf(max)})`}
              value={inputs.values[name] ?? ""}
              onText={(text) => change({ values: { ...inputs.values, [name]: text } })}
            />
          ))}
          <TextField words="Fee a trade, %" value={inputs.fee} onText={(fee) => change({ fee })} />
          <TextField
            words="Slippage a trade, %"
            value={inputs.slippage}
            onText={(slippage) => change({ slippage })}
          />
          <TextField
            words="Tests of the walk forward"
            value={inputs.folds}
            onText={(folds) => change({ folds })}
          />
          <TextField
            words={`Tried elsewhere, too (${before.size} are known from this tab)`}
            value={inputs.elsewhere}
            onText={(elsewhere) => change({ elsewhere })}
          />
        </div>
        <p class="hint" aria-live="polite">
          {fault ?? countWords(counted)}
        </p>
        <button type="submit" disabled={fault !== undefined || isRunning}>
          {"sets" in counted ? `Run ${counted.sets} ${counted.sets === 1 ? "set" : "sets"}` : "Run"}
        </button>{" "}
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {isRunning && <Progress news={news} />}
        {news?.kind === "refused" && <p role="alert">{news.message}</p>}
      </form>
      {news?.kind === "done" && (
        <StudyView result={news.result} isSynthetic={isSynthetic} level={2}>
          {news.curve !== undefined && <Growth curve={news.curve} isSynthetic={isSynthetic} />}
          <p>
            <button
              type="button"
              onClick={() => saveText("study.csv", "text/csv", csvOf(runsTable(news.result)))}
            >
              Save the sets as CSV
            </button>{" "}
            <button
              type="button"
              onClick={() =>
                saveText("study.json", "application/json", JSON.stringify(news.result))
              }
            >
              Save all as JSON
            </button>
          </p>
        </StudyView>
      )}
    </>
  );
}

const decimalOf = (value: number) => decimal(value, Number.isInteger(value) ? 0 : 3);

function countWords(counted: ReturnType<typeof countSets>): string {
  if (!("sets" in counted)) return "";
  const left =
    counted.illegal > 0
      ? ` ${counted.illegal} combinations are left out, as they are not legal.`
      : "";
  return `${counted.sets} ${counted.sets === 1 ? "set runs" : "sets run"} here in your browser, and on 19 shufflings of the days.${left} Lists are written 5, 10, 20, ranges 50..200:10.`;
}

/** What is wrong with the fields that are no parameters; undefined if nothing is. */
function costFault({ fee, slippage, elsewhere, folds }: StudyInputs): string | undefined {
  const isCost = (text: string) =>
    text.trim() !== "" && Number(text) >= 0 && Number(text) <= COST_MAX;
  if (!isCost(fee) || !isCost(slippage)) return `Fee and slippage are from 0 to ${COST_MAX} %.`;
  if (!/^\d{1,9}$/.test(elsewhere)) return "Tries elsewhere are a whole number.";
  return /^\d{1,3}$/.test(folds) ? undefined : "Tests are a whole number; 0 for no walk forward.";
}

function TextField({
  words,
  value,
  type = "text",
  onText,
}: {
  readonly words: string;
  readonly value: string;
  readonly type?: "text" | "date";
  readonly onText: (text: string) => void;
}): VNode {
  return (
    <label class="field">
      <span>{words}</span>
      <input type={type} value={value} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  );
}

const STEPS: Readonly<Record<string, string>> = {
  grid: "running every set",
  shufflings: "the same on shuffled days",
};

function Progress({ news }: { readonly news: StudyNews | undefined }): VNode {
  const { step, done, total } =
    news?.kind === "progress" ? news.progress : { step: "grid", done: 0, total: 1 };
  return (
    <p role="status">
      {`${STEPS[step] ?? "how often luck does as well"}: ${done} of ${total}`}
      <progress value={done} max={total} aria-label="Progress" />
    </p>
  );
}

function Growth({
  curve,
  isSynthetic,
}: {
  readonly curve: SingleCurve;
  readonly isSynthetic: boolean;
}): VNode {
  const [run = 0, hold = 0] = [curve.run.at(-1), curve.hold.at(-1)];
  const drawing = linesChart(
    [
      { name: "holding", values: curve.hold, colour: "context" },
      { name: "this set", values: curve.run, colour: "accent" },
    ],
    {
      title: run > hold ? "This set ended above holding" : "Holding ended above this set",
      subtitle: "What 1,000 became, after costs; holding pays none",
      description: `The set ended at ${decimal(run, 0)}, holding at ${decimal(hold, 0)}.`,
      isSynthetic,
      dates: curve.dates,
      label: (value) => decimal(value, 0),
      isLogarithmic: true,
      rule: 1000,
    },
  );
  return <Figure drawing={drawing} />;
}
