import { readFileSync, writeFileSync } from "node:fs";
import { measuredRates } from "./calibration-rates.ts";
import type { CellResult } from "./calibration-results.ts";
import { aloneTable, nullTable, powerTable, summaryTable } from "./calibration-tables.ts";

const SUMMARY = "docs/calibration.md";
const TABLES = "docs/calibration-tables.md";
const MODULE = "quant/check/measured-rates.ts";
/** What follows this line of a document is made here. */
const MADE_BELOW = "<!-- tables: written by `make calibration ARGS=--write` -->\n";

/** Writes the tables into the documents, and what the check quotes of them into its module. */
export function writeTables(results: readonly CellResult[]): void {
  writeBelow(SUMMARY, [["In short: false skill / found at 1 / found at 2", summaryTable(results)]]);
  writeBelow(TABLES, [
    ["No variant has an edge", nullTable(results)],
    ["The best one sent alone", aloneTable(results)],
    ["One variant has a true Sharpe ratio of 1", powerTable(results, 1)],
    ["One variant has a true Sharpe ratio of 2", powerTable(results, 2)],
  ]);
  writeFileSync(
    MODULE,
    `import type { ErrorRates, VerdictFigures } from "./report.ts";\n\n` +
      `/** Made from the tables of docs/calibration-tables.md by \`make calibration ARGS=--write\`. */\n` +
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
