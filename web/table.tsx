import type { ComponentChildren, VNode } from "preact";

export interface Column<Row> {
  readonly name: string;
  readonly isText?: boolean;
  /** Left out on a phone. */
  readonly isExtra?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by, if that is not the cell's own number or text. */
  readonly order?: (row: Row) => number;
}

function classOf({
  isText = false,
  isExtra = false,
}: Pick<Column<never>, "isText" | "isExtra">): string | undefined {
  if (isExtra) return isText ? "text extra" : "extra";
  return isText ? "text" : undefined;
}

export interface TableProps<Row> {
  /** Names the table for readers who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The id of a row, which links to the row end with. */
  readonly idOf?: (row: Row) => string;
  /** What the rows are, in the plural, if a reader may sort and filter them. */
  readonly sorts?: string;
}

/** A table that scrolls by itself when it is wider than the page. */
export function Table<Row>({ label, columns, rows, idOf, sorts }: TableProps<Row>): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table data-sorts={sorts}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at} id={idOf?.(row)}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)} data-order={column.order?.(row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** At most five figures, each with its name, and what to compare it with. */
export function Tiles({
  figures,
}: {
  readonly figures: readonly (readonly [name: string, value: string, beside?: string])[];
}): VNode {
  return (
    <dl class="tiles">
      {figures.map(([name, value, beside]) => (
        <div key={name} class="tile">
          <dt>
            {name}
            {beside !== undefined && <span class="detail">{beside}</span>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
