import type { VNode } from "preact";
import { Table } from "../table.tsx";

/** A figure with its name and, where it matters, where it comes from. */
export type Fact = readonly [name: string, value: string, source?: string];

/** The title above the names of facts, which says nothing that the table's label does not. */
export const FACT_TITLE = "what";

/** Single figures, each with its name. */
export function factTable(label: string, facts: readonly Fact[]): VNode {
  const sources = facts.some(([, , source]) => source !== undefined)
    ? [{ name: "source", isText: true, cell: ([, , source]: Fact) => source ?? "" }]
    : [];
  return (
    <Table
      label={label}
      columns={[
        { name: FACT_TITLE, isText: true, cell: ([name]: Fact) => name },
        { name: "value", cell: ([, value]: Fact) => value },
        ...sources,
      ]}
      rows={facts}
    />
  );
}
