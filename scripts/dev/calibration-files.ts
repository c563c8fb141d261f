import { readFileSync, writeFileSync } from "node:fs";
import type { CellResult } from "./calibration-results.ts";

/** Everything below this line of a document is written by this program. */
const MADE_BELOW = "<!-- tables: written by `make calibration ARGS=--write` -->\n";

/** Writes a table into its document. */
export function writeBelow(file: string, title: string, lines: readonly string[]): void {
  const text = readFileSync(file, "utf8");
  const head = text.slice(0, text.indexOf(MADE_BELOW) + MADE_BELOW.length);
  writeFileSync(file, `${head}\n## ${title}\n\n${lines.join("\n")}\n`);
}

/** Writes rows of numbers into their module. Each row has the members of `type` in their order. */
export function writeRows(file: string, type: string, rows: Readonly<Record<string, object[]>>) {
  const text = readFileSync(file, "utf8");
  const head = text.slice(0, text.indexOf("export const"));
  const lists = Object.entries(rows).map(([name, all]) => {
    const lines = all.map((row) => `[${Object.values(row).join(", ")}],\n`);
    return `export const ${name}: readonly ${type}[] = [\n${lines.join("")}];\n`;
  });
  writeFileSync(file, head + lists.join("\n"));
}

export function markdown(rows: readonly (readonly (string | number)[])[]): string[] {
  const rule = rows[0]!.map(() => "---");
  return [rows[0]!, rule, ...rows.slice(1)].map((cells) => `| ${cells.join(" | ")} |`);
}

/** Every cell: what it is, how many panels or records were made of it, and the counts by the title of their column. */
export function cellsCsv<Name extends string>(
  results: readonly CellResult<Name>[],
  {
    made,
    columns,
  }: { readonly made: string; readonly columns: Readonly<Partial<Record<Name, string>>> },
): string {
  const names = Object.keys(columns) as Name[];
  const titles = Object.values(columns);
  const lines = results.map((result) => {
    const { variants, bars, edge, shape } = result.cell;
    const counts = names.map((name) => result.counts[name]);
    return [variants, bars, edge, `"${shape}"`, result.kind, result.made, ...counts];
  });
  return [["variants", "bars", "true_sharpe", "shape", "kind", made, ...titles], ...lines]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}
