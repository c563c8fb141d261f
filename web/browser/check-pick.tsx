import { extent } from "d3-array";
import type { VNode } from "preact";
import type { Choice, ColumnPreview } from "../../check/formats/export.ts";
import { round } from "../charts/chart.tsx";

const [WIDTH, HEIGHT] = [96, 44];

interface PickProps {
  readonly choice: Choice;
  readonly column: ColumnPreview | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly id: string;
}

/** One answer as a button: what it is called, what it does and, of a column, what the file has there. */
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
      {column !== undefined && <Shape {...column} />}
    </label>
  );
}

/** From its first to its last value. */
export function Ends({ first, last }: ColumnPreview): VNode {
  return (
    <span class="ends">
      {first} <i aria-hidden="true">→</i>
      <span class="unseen"> to </span> {last}
    </span>
  );
}

/** The shape of a column, without axes. */
function Shape({ line }: ColumnPreview): VNode | null {
  if (line.length < 2) return null;
  const [low, high] = extent(line) as [number, number]; // there are two at least
  const y = (value: number) => HEIGHT - 4 - ((HEIGHT - 8) * (value - low)) / (high - low || 1);
  const x = (at: number) => 2 + ((WIDTH - 8) * at) / (line.length - 1);
  return (
    <svg class="chart shape" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={pathOf(line, x, y)} class="line thin stroke-accent" />
      <circle cx={WIDTH - 6} cy={round(y(line.at(-1)!))} r="3" class="fill-accent" />
    </svg>
  );
}

/** Straight from number to number. */
export function pathOf(
  line: readonly number[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return `M${line.map((value, at) => `${round(x(at))},${round(y(value))}`).join("L")}`;
}

/** A text whose quoted names and values stand as the file has them. */
export function Quoting({ text }: { readonly text: string }): VNode {
  const parts = text.split(/"([^"]+)"/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
