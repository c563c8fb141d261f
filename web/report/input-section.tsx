import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { decimal, significant } from "../format.ts";
import { Table } from "../table.tsx";
import { factTable, type Fact } from "./fact-table.tsx";
import { asSentence } from "./words.ts";

/** What was read from the file, what was assumed, and what was done to it. */
export function inputSection({ input }: CheckReport): VNode {
  return (
    <section>
      {factTable("What was read and assumed", inputFacts(input))}
      {input.warnings.length > 0 && (
        <ul>
          {input.warnings.map(({ message }) => (
            <li key={message}>{asSentence(message)}</li>
          ))}
        </ul>
      )}
      {input.columns.length > 0 && columnsRead(input.columns)}
      {input.sha256 !== null && <p class="source">SHA-256 of the panel: {input.sha256}</p>}
    </section>
  );
}

/** A file may have a variant in each of thousands of columns. */
const COLUMNS_SHOWN = 100;

function columnsRead(columns: CheckReport["input"]["columns"]): VNode {
  const label = "Which column is what";
  const more = columns.length - COLUMNS_SHOWN;
  return (
    <details>
      <summary>{label}</summary>
      <Table
        label={label}
        columns={[
          { name: "column", isText: true, cell: ({ name }) => name || "(no name)" },
          { name: "read as", isText: true, cell: ({ role }) => role },
          { name: "used as", isText: true, cell: ({ use }) => use.replace("_", " ") },
        ]}
        rows={columns.slice(0, COLUMNS_SHOWN)}
      />
      {more > 0 && <p>and {decimal(more, 0)} more</p>}
    </details>
  );
}

function inputFacts(input: CheckReport["input"]): Fact[] {
  const { n_trials: trials, periods_per_year_reason: reason } = input;
  const left = [
    ...(input.dropped_variants > 0 ? [`${input.dropped_variants} that never move left out`] : []),
    ...(input.duplicate_variants > 0 ? [`${input.duplicate_variants} repeated ones left out`] : []),
  ];
  const facts: Fact[] = [
    ["file", `${input.tool}, ${input.kind}`, `recognised as "${input.format}"`],
    ["variants", decimal(input.variants, 0), ["measured", ...left].join("; ")],
    input.variants === 1 && trials.source === "measured"
      ? ["tries", "not known", "no file shows it"]
      : ["tries", decimal(trials.value, 0), trials.source],
  ];
  if (input.first !== null) {
    facts.push(
      ["bars", decimal(input.bars, 0), "measured"],
      ["first", input.first, "measured"],
      ["last", input.last ?? input.first, "measured"],
      ["bars filled", decimal(input.filled_bars, 0), "measured"],
      [
        "bars a year",
        decimal(input.periods_per_year, 0),
        reason === "given" ? "declared" : `assumed: ${reason}`,
      ],
      ["open positions at daily closes", input.marked_to_market ? "yes" : "no", "measured"],
    );
  }
  for (const [name, value] of Object.entries(input.options)) {
    const words = `${name.replaceAll("_", " ")}, as you said`;
    facts.push([words, [value].flat().join(", "), "declared"]);
  }
  for (const [name, value] of Object.entries(input.stated ?? {})) {
    const why = input.stated_reason ?? "defined in another way";
    facts.push([`${name} that the file states`, significant(value), `not used: ${why}`]);
  }
  return facts;
}
