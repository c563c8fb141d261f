import { readFileSync, writeFileSync } from "node:fs";
import { measuredRates } from "./calibration-rates.ts";
import type { CellResult } from "./calibration-results.ts";
import { cellsCsv, summaryTable } from "./calibration-tables.ts";

const SUMMARY = "docs/calibration.md";
const CELLS = "docs/calibration.csv";
const MODULE = "quant/check/measured-rates.ts";
/** What follows this line of a document is made here. */
const MADE_BELOW = "<!-- tables: written by `make calibration ARGS=--write` -->\n";

/** Writes the summary into its document, all cells into a file of data, and what the check quotes into its module. */
export function writeTables(results: readonly CellResult[]): void {
  writeBelow(SUMMARY, [["In short: false skill / found at 1 / found at 2", summaryTable(results)]]);
  writeFileSync(CELLS, cellsCsv(results));
  writeFileSync(
    MODULE,
    `import type { ErrorRates, VerdictFigures } from "./report.ts";\n\n` +
      `/** Made from ${CELLS} by \`make calibration ARGS=--write\`. */\n` +
      `export const MEASURED_RATES: Readonly<\n` +
      `  Record<Exclude<VerdictFigures["basis"], "statistics_only">, readonly ErrorRates[]>\n` +
      `> = ${JSON.stringify(measuredRates(results), undefined, 2)};\n`,
  );
}

type Section = readonly [title: string, lines: readonly string[]];

export function writeBelow(file: string, sections: readonly Section[]): void {
  const text = readFileSync(file, "utf8");
  const head = text.slice(0, text.indexOf(MADE_BELOW) + MADE_BELOW.length);
  const parts = sections.map(([title, lines]) => `\n## ${title}\n\n${lines.join("\n")}\n`);
  writeFileSync(file, head + parts.join(""));
}
