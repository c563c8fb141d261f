import type { VNode } from "preact";
import { Table } from "../table.tsx";

/** What it is, its figure and, where it matters, where that comes from. */
export type Fact = readonly [name: string, value: string, source?: string];

/** Single figures, each with its name. */
export function FactTable({
  label,
  facts,
}: {
  readonly label: string;
  readonly facts: readonly Fact[];
}): VNode {
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
