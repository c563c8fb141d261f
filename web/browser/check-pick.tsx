import type { VNode } from "preact";
import type { Choice, ColumnPreview } from "../../check/formats/export.ts";
import { SparkLine } from "../charts/spark-line.tsx";

interface PickProps {
  readonly choice: Choice;
  readonly column: ColumnPreview | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly id: string;
}

/** One answer as a button: its name, what it does and, if it is a column, the column's values. */
export function Pick({ choice, column, isChosen, onChoose, ...input }: PickProps): VNode {
  const { value, label, text } = choice;
  return (
    <label class={column === undefined ? "pick plain" : "pick"}>
      <input {...input} class="unseen" value={value} checked={isChosen} onInput={onChoose} />
      <span class="tick" aria-hidden="true" />
      <span class="what">
        <b>{label ?? <code>{value}</code>}</b>{" "}
        <span>{[column?.role, text].filter(Boolean).join("; ")}</span>
      </span>
      {column !== undefined && <Ends {...column} />}
      {column !== undefined && column.line.length > 1 && (
        <SparkLine values={column.line} height={44} tone="accent" className="shape" />
      )}
    </label>
  );
}

/** The first and the last value of a column. */
export function Ends({ first, last }: ColumnPreview): VNode {
  return (
    <span class="ends">
      {first} <i aria-hidden="true">→</i>
      <span class="unseen"> to </span> {last}
    </span>
  );
}

/** A text whose quoted names and values are set as code. */
export function Quoting({ text }: { readonly text: string }): VNode {
  const parts = text.split(/"([^"]+)"/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
