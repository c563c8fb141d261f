import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { checkCommandOf, flagsOf, ofLiveFile } from "../../check/command-line.ts";
import type { Question } from "../../check/formats/export.ts";
import { decimal } from "../format.ts";
import { asSentence } from "../report/words.ts";
import { NO_ENTRIES, optionsOf, type CheckEntries } from "./check-fields.tsx";
import type { CheckQuestion } from "./check-messages.ts";
import { Quoting } from "./check-pick.tsx";
import { faultOf, isNeedless, placeOf, QuestionField } from "./check-question.tsx";

/** Where a command of a shell goes on. */
const NEXT_LINE = " \\\n  ";
const NUMBERS = "No,One,Two,Three,Four,Five,Six,Seven,Eight,Nine".split(",");

/** "Two questions". */
function counted({ length }: readonly Question[]): string {
  return `${NUMBERS[length] ?? length} ${length === 1 ? "question" : "questions"}`;
}

/** Everything that the file doesn't say, as one form. */
export function Asked({
  question: { questions, table },
  fileName,
  entries,
  onChange,
  onGo,
  backtest,
}: {
  readonly question: CheckQuestion;
  readonly fileName: string;
  readonly entries: CheckEntries;
  readonly onChange: (part: Partial<CheckEntries>) => void;
  /** Goes on, with these entries changed. */
  readonly onGo: (part: Partial<CheckEntries>) => void;
  /** Of a live file's questions: what it is held to. */
  readonly backtest?: { readonly fileName: string; readonly entries: CheckEntries };
}): VNode {
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
      {missed.length > 0 && (
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
      )}
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

/** The options of the command, of a live file after those of what it is held to. */
function flagsFor(
  entries: CheckEntries,
  fileName: string,
  backtest: { readonly entries: CheckEntries } | undefined,
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
  const place = document.getElementById(placeOf(asked));
  place?.scrollIntoView();
  place?.querySelector<HTMLElement>("input,select")?.focus({ preventScroll: true });
}
