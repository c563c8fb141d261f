import type { RefObject, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { checkCommandOf, flagsOf } from "../../check/command-line.ts";
import { ofLiveFile } from "../../check/options.ts";
import type { Question } from "../../check/formats/export.ts";
import { decimal } from "../format.ts";
import { asSentence } from "../report/words.ts";
import { NO_ENTRIES, optionsOf, type CheckEntries, type EntriesProps } from "./check-fields.tsx";
import type { CheckQuestion } from "./check-messages.ts";
import { Quoting } from "./check-pick.tsx";
import { faultOf, isNeedless, placeOf, QuestionField } from "./check-question.tsx";

/** Breaks a line of a shell command. */
const NEXT_LINE = " \\\n  ";
const NUMBERS = "No,One,Two,Three,Four,Five,Six,Seven,Eight,Nine".split(",");

/** Such as "Two questions". */
function counted({ length }: readonly Question[]): string {
  return `${NUMBERS[length] ?? length} ${length === 1 ? "question" : "questions"}`;
}

/** A backtest, as a live file's questions name it. */
export interface AskedBacktest {
  readonly fileName: string;
  readonly entries: CheckEntries;
}

interface AskedProps extends EntriesProps {
  readonly question: CheckQuestion;
  readonly fileName: string;
  /** Goes on, with these entries changed. */
  readonly onGo: (part: Partial<CheckEntries>) => void;
  /** Where the questions are about a live file: the backtest that it is held to. */
  readonly backtest?: AskedBacktest;
}

/** Everything that the file doesn't say, as one form. */
export function Asked(props: AskedProps): VNode {
  const { fileName, entries, onChange, onGo, backtest } = props;
  const { questions, table } = props.question;
  const [missed, setMissed] = useState<readonly Question[]>([]);
  const title = useRef<HTMLHeadingElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => title.current?.focus(), [questions]);
  useLayoutEffect(() => summary.current?.focus(), [missed]);
  const needless = questions.filter((each) => isNeedless(each, entries));
  const unsaid = Object.fromEntries(needless.map(({ option }) => [option, NO_ENTRIES[option]]));
  const flags = flagsFor({ ...entries, ...unsaid }, fileName, backtest);
  const numbers = needless.map((each) => questions.indexOf(each) + 1).join(", ");
  const send = (event: Event) => {
    event.preventDefault();
    const open = questions.filter((each) => faultOf(each, entries) !== undefined);
    setMissed(open);
    if (open.length === 0) onGo(unsaid);
  };
  return (
    <form class="asked" aria-labelledby="check-question" noValidate onSubmit={send}>
      {missed.length > 0 && missedList(missed, summary)}
      <h2 id="check-question" tabIndex={-1} ref={title}>
        {counted(questions)}
        {backtest !== undefined && " about the live file"}, then the answer
      </h2>
      <p class="lead">
        {table === undefined ? "We" : `We read ${decimal(table.rows, 0)} rows and`} guessed nothing:
        what the file doesn’t say is asked here{questions.length > 1 && ", all at once"}.
      </p>
      {questions.map((asked, at) => (
        <QuestionField
          key={asked.option}
          number={questions.length === 1 ? undefined : at + 1}
          fault={missed.includes(asked) ? faultOf(asked, entries) : undefined}
          {...{ asked, table, entries, onChange }}
        />
      ))}
      <div class="send">
        <button type="submit">Check it</button>
        <p class="hint">
          What you answer is forgotten with the next file, and nothing leaves your browser.
        </p>
      </div>
      <p class="unseen" aria-live="polite">
        {numbers === "" ? "" : `Not needed now: ${numbers}.`}
      </p>
      <details>
        <summary>The same as a command, for a script that asks no questions</summary>
        <pre>
          <code>{checkCommandOf(backtest?.fileName ?? fileName, flags, NEXT_LINE)}</code>
        </pre>
      </details>
    </form>
  );
}

/** The questions that are still open, with a link to each. */
function missedList(missed: readonly Question[], summary: RefObject<HTMLDivElement>): VNode {
  return (
    <div class="faults" role="alert" tabIndex={-1} ref={summary}>
      <h3>{`${counted(missed)} ${missed.length === 1 ? "is" : "are"} still open`}</h3>
      <ul>
        {missed.map((asked) => (
          <li key={asked.option}>
            <a href={`#${placeOf(asked)}`} onClick={(event) => leadTo(event, asked)}>
              <Quoting text={asSentence(asked.text)} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The options of the command. Those of a live file follow those of the backtest that it is held to. */
function flagsFor(
  entries: CheckEntries,
  fileName: string,
  backtest: AskedBacktest | undefined,
): readonly string[] {
  const said = optionsOf(entries);
  if (backtest === undefined) return flagsOf(said);
  const ofLive = Object.entries(said).map(([name, value]) => [ofLiveFile(name), value]);
  return [
    ...flagsOf({ ...optionsOf(backtest.entries), live: fileName }),
    ...flagsOf(Object.fromEntries(ofLive)),
  ];
}

/** Leads to a question, without changing the address. */
function leadTo(event: Event, asked: Question): void {
  event.preventDefault();
  const field = document.getElementById(placeOf(asked));
  field?.scrollIntoView();
  field?.querySelector<HTMLElement>("input,select")?.focus({ preventScroll: true });
}
