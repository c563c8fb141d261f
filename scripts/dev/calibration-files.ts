import { readFileSync, writeFileSync } from "node:fs";
import { measuredRates } from "./calibration-rates.ts";
import type { CellResult } from "./calibration-results.ts";
import { aloneTable, nullTable, powerTable, summaryTable } from "./calibration-tables.ts";

const DOCUMENT = "docs/calibration.md";
const MODULE = "quant/check/measured-rates.ts";
/** What follows this line of the document is made here. */
const TABLES = "<!-- tables: written by `make calibration ARGS=--write` -->\n";

/** Writes the tables into the document, and what the check quotes of them into its module. */
export function writeTables(results: readonly CellResult[]): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const head = text.slice(0, text.indexOf(TABLES) + TABLES.length);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["In short: false skill / found at 1 / found at 2", summaryTable(results)],
    ["No variant has an edge", nullTable(results)],
    ["The best one sent alone", aloneTable(results)],
    ["One variant has a true Sharpe ratio of 1", powerTable(results, 1)],
    ["One variant has a true Sharpe ratio of 2", powerTable(results, 2)],
  ];
  const parts = sections.map(([title, lines]) => `\n## ${title}\n\n${lines.join("\n")}\n`);
  writeFileSync(DOCUMENT, head + parts.join(""));
  writeFileSync(
    MODULE,
    `import type { ErrorRates, VerdictFigures } from "./report.ts";\n\n` +
      `/** Made from the tables of docs/calibration.md by \`make calibration ARGS=--write\`. */\n` +
      `export const MEASURED_RATES: Readonly<\n` +
      `  Record<Exclude<VerdictFigures["basis"], "statistics_only">, readonly ErrorRates[]>\n` +
      `> = ${JSON.stringify(measuredRates(results), undefined, 2)};\n`,
  );
}
