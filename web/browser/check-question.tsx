import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { choicesOf } from "../../check/choices.ts";
import type { Choice, ColumnPreview, Question, TablePreview } from "../../check/formats/export.ts";
import { asSentence } from "../report/words.ts";
import { EntryField, isField, type CheckEntries, type EntriesProps } from "./check-fields.tsx";
import { Jumps } from "./check-jumps.tsx";
import { Ends, Pick, Quoting } from "./check-pick.tsx";

/** More choices than this are a list to choose from. */
const PICKS_MAX = 6;
/** Among columns to leave out, the answer that excludes all others. */
const NONE = "none";

interface QuestionProps extends EntriesProps {
  readonly asked: Question;
  readonly table: TablePreview | undefined;
}

/** The id of a question on the page. The list of open questions leads there. */
export const placeOf = ({ option }: Question) => `asked-${option}`;

/** Whether another answer makes it needless: it is about columns, and none of them was chosen. */
export function isNeedless({ onlyFor = [] }: Question, { column }: CheckEntries): boolean {
  return column !== "" && onlyFor.length > 0 && !onlyFor.includes(column);
}

/** Why the answer can't be sent; undefined if it can. */
export function faultOf(asked: Question, entries: CheckEntries): string | undefined {
  const { option } = asked;
  const entry = entries[option];
  if (isNeedless(asked, entries)) return undefined;
  if (option === "startingCapital")
    return Number(entry) > 0 ? undefined : "Enter an amount above 0.";
  if (entry.length > 0) return undefined;
  if (option === "leaveOut") return "Choose at least one.";
  return choicesOf(asked).length === 2 ? "Choose one of the two." : "Choose one.";
}

interface FieldProps extends QuestionProps {
  /** Undefined for the only question. */
  readonly number: number | undefined;
  /** Why the answer can't be sent. */
  readonly fault: string | undefined;
}

/** One question with its answers. A question that is needless is one grey line. */
export function QuestionField({ number, fault, ...props }: FieldProps): VNode {
  const { asked, entries } = props;
  const id = placeOf(asked);
  const needless = isNeedless(asked, entries);
  const why = needless ? "Not needed with the column that you chose." : asked.why;
  return (
    <fieldset
      id={id}
      class={needless ? "needless" : fault && "faulty"}
      aria-describedby={`${id}-why`}
    >
      <legend>
        {number !== undefined && <span class="no">{number}</span>}
        <Quoting text={asSentence(asked.text)} />
      </legend>
      <div id={`${id}-why`} class="why">
        {fault !== undefined && <p class="fault">{fault}</p>}
        {why !== undefined && (
          <p>
            <Quoting text={why} />
          </p>
        )}
      </div>
      {!needless && <Answers {...props} />}
    </fieldset>
  );
}

function Answers(props: QuestionProps): VNode {
  const { asked, table, entries, onChange } = props;
  const { option, jumps = [], onlyFor = [] } = asked;
  const choices = choicesOf(asked);
  if (isField(option) && (choices.length === 0 || choices.length > PICKS_MAX)) {
    const id = `${placeOf(asked)}-0`;
    return <EntryField name={option} id={id} {...{ entries, onChange, choices }} />;
  }
  if (option === "column") return <ColumnAnswers {...props} choices={choices} />;
  const column = table?.columns.find(({ name }) => name === onlyFor[0]);
  return (
    <>
      {jumps.length > 0 && <Jumps jumps={jumps} rows={table?.rows ?? 1} column={column} />}
      <Picks {...props} choices={choices} />
    </>
  );
}

type PicksProps = QuestionProps & { readonly choices: readonly Choice[] };

/** The answers as buttons. One of them counts; of columns to leave out, any number do. */
function Picks({ asked, table, choices, entries, onChange }: PicksProps): VNode {
  const { option } = asked;
  const [isTyped, setTyped] = useState(false);
  const id = placeOf(asked);
  const isList = option === "leaveOut";
  const answers = isTyped ? [] : [entries[option]].flat();
  const choose = (value: string) => {
    setTyped(false);
    onChange({ [option]: isList ? toggled(answers, value) : value });
  };
  const columnOf = (value: string) => table?.columns.find(({ name }) => name === value);
  return (
    <div class={choices.some(({ value }) => columnOf(value)) ? "picks" : "picks pairs"}>
      {choices.map((choice, at) => (
        <Pick
          key={choice.value}
          choice={choice}
          column={columnOf(choice.value)}
          type={isList ? "checkbox" : "radio"}
          name={id}
          id={`${id}-${at}`}
          isChosen={answers.includes(choice.value)}
          onChoose={() => choose(choice.value)}
        />
      ))}
      {option === "startingCapital" && (
        <EntryField
          name={option}
          id={`${id}-other`}
          label="Another amount"
          entries={isTyped ? entries : { ...entries, startingCapital: "" }}
          onChange={(part) => {
            setTyped(true);
            onChange(part);
          }}
        />
      )}
    </div>
  );
}

function toggled(answers: readonly string[], value: string): readonly string[] {
  if (answers.includes(value)) return answers.filter((each) => each !== value);
  return value === NONE ? [value] : [...answers.filter((each) => each !== NONE), value];
}

/** The candidates, and beside them the columns that were left out. A tap moves one of those up. */
function ColumnAnswers({ choices, ...props }: PicksProps): VNode {
  const { asked, table, entries, onChange } = props;
  const columns = table?.columns ?? [];
  const isOffered = (name: string) => choices.some(({ value }) => value === name);
  const [raised, setRaised] = useState<readonly string[]>(
    entries.column === "" || isOffered(entries.column) ? [] : [entries.column],
  );
  useLayoutEffect(() => {
    const id = `${placeOf(asked)}-${choices.length + raised.length - 1}`;
    if (raised.length > 0) document.getElementById(id)?.focus();
  }, [raised]);
  const left = columns.filter(({ name }) => !isOffered(name) && !raised.includes(name));
  const raise = (name: string) => {
    setRaised([...raised, name]);
    onChange({ column: name });
  };
  const candidates = [...choices, ...raised.map((value) => ({ value, text: "" }))];
  return (
    <div class="columns-asked">
      <Picks {...props} choices={candidates} />
      {left.length > 0 && (
        <div>
          <h3>Recognised, and left out</h3>
          <p class="hint">Is one of these your strategy after all? Tap it, and it moves up.</p>
          <ul class="helpers">
            {left.map((column) => (
              <li key={column.name}>{leftOut(column, raise)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** A column that was left out. Columns of numbers can be chosen. */
function leftOut(column: ColumnPreview, onRaise: (name: string) => void): VNode {
  const words = [
    <code key="name">{column.name}</code>,
    <span key="role">{column.role}</span>,
    <Ends key="ends" {...column} />,
  ];
  if (column.line.length === 0) return <div class="helper">{words}</div>;
  return (
    <button type="button" class="helper" onClick={() => onRaise(column.name)}>
      {words}
    </button>
  );
}
