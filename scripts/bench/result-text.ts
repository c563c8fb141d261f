import type { PartResult } from "./part.ts";

/** A part's table as lines: the first column to the left, figures to the right, notes behind. */
export function textOf({ title, columns, rows, notes }: PartResult): string {
  const widths = columns.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  const table = rows.length === 0 ? [] : [line(columns), ...rows.map(line)];
  return [title, ...table.map((each) => `  ${each}`), ...notes.map((each) => `  ${each}`)].join(
    "\n",
  );
}
