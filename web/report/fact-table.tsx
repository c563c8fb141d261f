import type { VNode } from "preact";
import { Table } from "../table.tsx";

/** A figure with its name and, where it matters, where it comes from. */
export type Fact = readonly [name: string, value: string, source?: string];

/** Single figures, each with its name. */
export function factTable(label: string, facts: readonly Fact[]): VNode {
  const sources = facts.some(([, , source]) => source !== undefined)
    ? [{ name: "source", isText: true, cell: ([, , source]: Fact) => source ?? "" }]
    : [];
  return (
    <Table
      label={label}
      columns={[
        { name: "what", isText: true, cell: ([name]: Fact) => name },
        { name: "value", cell: ([, value]: Fact) => value },
        ...sources,
      ]}
      rows={facts}
    />
  );
}
