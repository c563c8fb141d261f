import type { PartResult, Target } from "./part.ts";

/** A part's table as lines: the first column on the left, figures on the right, notes below. */
export function textOf({ title, columns, rows, notes, targets }: PartResult): string {
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
  return [
    title,
    ...table.map((each) => `  ${each}`),
    ...notes.map((each) => `  ${each}`),
    ...targets.map(targetText),
  ].join("\n");
}

/** A target as one line: met or MISSED. */
function targetText({ what, wanted, measured, met }: Target): string {
  const figure = Number.isInteger(measured) ? String(measured) : measured.toFixed(2);
  return `  ${met ? "met   " : "MISSED"}  ${what}: ${figure}, wanted ${wanted}`;
}
