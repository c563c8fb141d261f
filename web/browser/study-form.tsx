import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { StrategyTemplate } from "../../api/strategies.ts";
import { csvOf } from "../../api/csv.ts";
import { runsTable, type StudyResult } from "../../api/study.ts";
import { Figure } from "../charts/chart.tsx";
import { linesChart } from "../charts/lines-chart.tsx";
import { plain } from "../claim.ts";
import { decimal } from "../format.ts";
import { studyOfPath, studyPath } from "../luck-point.ts";
import { studyView } from "../report/study-view.tsx";
import { inputField, selectField } from "./field.tsx";
import { runThread } from "./run-thread.ts";
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

/** The form of a study and its report. Nothing runs before the button is pressed, or a link says so. */
export function StudyForm(place: StudyPlace & { readonly runs?: boolean }): VNode {
  const { isSynthetic, template, first, runs = false } = place;
  const [inputs, setInputs] = useState(first);
  const { news, isRunning, before, run, stop } = useStudies(place.worker, inputs.coin);
  const counted = countSets(template, inputs);
  const fault = "fault" in counted ? counted.fault : costFault(inputs);
  const submit = () => {
    if ("fault" in counted || fault !== undefined) return;
    history.replaceState(null, "", `/strategies/${template.name}${inputsQuery(inputs)}`);
    run(orderOf(template.name, inputs, counted));
  };
  useEffect(() => {
    if (runs) submit();
  }, []);
  const isShown = news?.kind === "done" && fault === undefined;
  return (
    <>
      <form
        class="card asked"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {studyFields(place, inputs, before.size, (part) => setInputs({ ...inputs, ...part }))}
        <p class="hint" aria-live="polite">
          {fault ?? countWords(counted)}
        </p>
        <button type="submit" disabled={fault !== undefined || isRunning}>
          {"sets" in counted ? `Run ${counted.sets} ${settingsWord(counted.sets)}` : "Run"}
        </button>{" "}
        {isRunning && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {isRunning && progressOf(news)}
        {news?.kind === "refused" && <p role="alert">{news.message}</p>}
      </form>
      {isShown && <Outcome done={news} isSynthetic={isSynthetic} />}
    </>
  );
}

/** Runs studies in a thread, one at a time, and remembers which sets of a coin ran in this tab. */
function useStudies(worker: string, coin: string) {
  const [news, setNews] = useState<StudyNews>();
  const [isRunning, setRunning] = useState(false);
  const end = useRef(() => {});
  const tried = useRef(new Map<string, ReadonlySet<string>>());
  const before = tried.current.get(coin) ?? new Set<string>();
  const stop = () => {
    end.current();
    setRunning(false);
  };
  const show = (told: StudyNews) => {
    setNews(told);
    setRunning(told.kind === "progress");
    if (told.kind === "done") tried.current.set(coin, new Set([...before, ...told.tried]));
  };
  const run = (asked: Omit<StudyOrder, "before">) => {
    stop();
    setRunning(true);
    setNews(undefined);
    const order: StudyOrder = { ...asked, before: [...before] };
    end.current = runThread<StudyNews>(worker, { order }, show, (message) => {
      return { kind: "refused", message };
    });
  };
  return { news, isRunning, before, run, stop };
}

function orderOf(
  strategy: string,
  inputs: StudyInputs,
  { sets, values }: { readonly sets: number; readonly values: StudyOrder["values"] },
): Omit<StudyOrder, "before"> {
  const { coin, start, end } = inputs;
  return {
    strategy,
    coin,
    values,
    start,
    end,
    feeRate: Number(inputs.fee) / 100,
    slippageRate: Number(inputs.slippage) / 100,
    folds: sets > 1 ? Number(inputs.folds) : 0,
    elsewhere: Number(inputs.elsewhere),
  };
}

function studyFields(
  { coins, template }: StudyPlace,
  inputs: StudyInputs,
  known: number,
  change: (part: Partial<StudyInputs>) => void,
): VNode {
  // Each input has the name under which the address keeps it.
  const text = (name: Exclude<keyof StudyInputs, "values">, words: string, type = "text") =>
    inputField(words, { name, type, value: inputs[name] }, (typed) => change({ [name]: typed }));
  return (
    <div class="picks pairs">
      {selectField(
        "Coin",
        coins.map((coin) => [coin, coin.toUpperCase()]),
        { name: "coin", value: inputs.coin },
        (coin) => change({ coin }),
      )}
      {text("start", "From (after 200 days, if empty)", "date")}
      {text("end", "To (the last day, if empty)", "date")}
      {template.parameters.map(({ name, title, unit, min, max }) =>
        inputField(
          `${title}${unit === "" ? "" : `, ${unit}`} (${decimalOf(min)} to ${decimalOf(max)})`,
          { name: `p.${name}`, type: "text", value: inputs.values[name] ?? "" },
          (typed) => change({ values: { ...inputs.values, [name]: typed } }),
        ),
      )}
      {text("fee", "Fee a trade, %")}
      {text("slippage", "Slippage a trade, %")}
      {text("folds", "Tests of the walk forward")}
      {text("elsewhere", `Tried elsewhere, too (${known} are known from this tab)`)}
    </div>
  );
}

type Done = Extract<StudyNews, { readonly kind: "done" }>;

/** The report, with the ways to keep it. It is below the form, so it takes the focus. */
function Outcome({ done, isSynthetic }: { readonly done: Done; readonly isSynthetic: boolean }) {
  const { result, curve } = done;
  useEffect(() => {
    document.getElementById("study-title")?.focus();
    // A link to it is previewed with what came of it. The query runs it again.
    history.replaceState(null, "", pathOf(result) + location.search);
  }, [result]);
  const saveCsv = () => saveText("study.csv", "text/csv", csvOf(runsTable(result)));
  const saveJson = () => saveText("study.json", "application/json", JSON.stringify(result));
  return (
    <>
      {studyView({
        result,
        isSynthetic,
        level: 2,
        children: curve && growthFigure(curve, isSynthetic),
      })}
      <p class="actions">
        <button type="button" class="quiet" onClick={saveCsv}>
          Save the settings as CSV
        </button>{" "}
        <button type="button" class="quiet" onClick={saveJson}>
          Save all as JSON
        </button>{" "}
        <button type="button" class="quiet" onClick={() => void saveCard(result, isSynthetic)}>
          Save picture
        </button>
      </p>
    </>
  );
}

const DAYS_A_YEAR = 365.25;
const MS_A_DAY = 86_400_000;

/** The page of a study that ran, which has its own preview; that of the rule, where nothing came of it or it is too short. */
function pathOf({ strategy: template, coin, best, n_trials, start_date, end_date }: StudyResult) {
  const days = (Date.parse(end_date) - Date.parse(start_date)) / MS_A_DAY + 1;
  const years = days / DAYS_A_YEAR;
  const sharpe = best?.run.sharpe ?? NaN;
  const path = studyPath({ template, coin, sharpe, years, trials: n_trials.value });
  return studyOfPath(path) === undefined ? `/strategies/${template}` : path;
}

async function saveCard(result: StudyResult, isSynthetic: boolean): Promise<void> {
  const [{ studyCard }, { savePicture }] = await Promise.all([
    import("../report/verdict-card.ts"),
    import("./save-picture.ts"),
  ]);
  const link = `${location.origin}/strategies/${result.strategy}`;
  await savePicture("study.png", studyCard(result, { isSynthetic, link }));
}

const settingsWord = (count: number) => (count === 1 ? "setting" : "settings");
const decimalOf = (value: number) => decimal(value, Number.isInteger(value) ? 0 : 3);

function countWords(counted: ReturnType<typeof countSets>): string {
  if (!("sets" in counted)) return "";
  const left =
    counted.illegal > 0
      ? ` ${counted.illegal} combinations are left out, as they are not legal.`
      : "";
  return `${counted.sets} ${counted.sets === 1 ? "setting runs" : "settings run"} here in your browser, and on 19 shuffles of the days.${left} Lists are written 5, 10, 20, ranges 50..200:10.`;
}

/** What is wrong with costs, tries or tests; undefined if nothing is. */
function costFault({ fee, slippage, elsewhere, folds }: StudyInputs): string | undefined {
  const isCost = (text: string) =>
    text.trim() !== "" && Number(text) >= 0 && Number(text) <= COST_MAX;
  if (!isCost(fee) || !isCost(slippage)) return `Fee and slippage are from 0 to ${COST_MAX} %.`;
  if (!/^\d{1,9}$/.test(elsewhere)) return "Tries elsewhere are a whole number.";
  return /^\d{1,3}$/.test(folds) ? undefined : "Tests are a whole number; 0 for no walk forward.";
}

const STEPS: Readonly<Record<string, string>> = {
  grid: "running every setting",
  shufflings: "the same on shuffled days",
};

function progressOf(news: StudyNews | undefined): VNode {
  const { step, done, total } =
    news?.kind === "progress" ? news.progress : { step: "grid", done: 0, total: 1 };
  return (
    <p role="status">
      {`${STEPS[step] ?? "how often luck does as well"}: ${done} of ${total}`}
      <progress value={done} max={total} aria-label="Progress" />
    </p>
  );
}

function growthFigure(curve: SingleCurve, isSynthetic: boolean): VNode {
  const [run = 0, hold = 0] = [curve.run.at(-1), curve.hold.at(-1)];
  const drawing = linesChart(
    [
      { name: "holding", values: curve.hold, tone: "context" },
      { name: "this setting", values: curve.run, tone: "accent" },
    ],
    {
      title: plain(`This setting ended at ${decimal(run, 0)}, holding at ${decimal(hold, 0)}`),
      subtitle: "What 1,000 became, after costs; holding pays none",
      description: `The setting ended at ${decimal(run, 0)}, holding at ${decimal(hold, 0)}.`,
      isSynthetic,
      dates: curve.dates,
      text: (value) => decimal(value, 0),
      isLog: true,
      rule: 1000,
    },
  );
  return <Figure drawing={drawing} />;
}
