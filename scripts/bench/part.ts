/** What the parts of the benchmark have in common: what they are given and return, rounds, and their tables. */
import { median } from "../../quant/sample-statistics.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { textTable } from "../../cli/text-table.ts";

export interface Bench {
  /** A folder for this part's files. It is removed when the part ends, and processes that still run are killed. */
  readonly folder: string;
  /** The folder of published snapshots. */
  readonly snapshots: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

export type Part = (bench: Bench) => Promise<PartResult>;

export interface PartResult {
  readonly title: string;
  /** The lines of the table. All have the same columns; the first names the line. */
  readonly rows: readonly Readonly<Record<string, string | number | Spread>>[];
  /** How to read the table, and what it does not show. */
  readonly notes: readonly string[];
  /** What must hold, and whether it does. */
  readonly targets: readonly Target[];
}

/** The median of some measurements, and their range. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly measured: number;
  readonly met: boolean;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * The ratio of two measurements, round by round. Other work on the machine that slows down a whole round slows down
 * both, so it cancels out.
 */
export function ratioSpread(above: readonly number[], below: readonly number[]): Spread {
  return spreadOf(above.map((value, round) => value / below[round]!));
}

/** Measures once in each round. */
export async function inRounds<T>(
  { rounds }: Bench,
  what: string,
  measure: (round: number) => Promise<T>,
): Promise<T[]> {
  const measured: T[] = [];
  for (let round = 1; round <= rounds; round++) {
    progressLine(`round ${round} of ${rounds}: ${what}`);
    measured.push(await measure(round));
  }
  return measured;
}

/** A bound that a median must meet. A figure that was not measured does not meet it. */
export function target(
  what: string,
  bound: { readonly atLeast: number } | { readonly below: number },
  measured = NaN,
): Target {
  const [wanted, met] =
    "below" in bound
      ? [`below ${bound.below}`, measured < bound.below]
      : [`at least ${bound.atLeast}`, Number.isFinite(measured) && measured >= bound.atLeast];
  return { what, wanted, measured, met };
}

/** The text of a result: its table, its notes and its targets. */
export function textOf({ title, rows, notes, targets }: PartResult): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((name) => cellText(row[name]!))); // all have the same
  const table = textTable(columns, cells);
  const verdicts = targets.map(
    ({ what, wanted, measured, met }) =>
      `${met ? "met   " : "MISSED"}  ${what}: ${numberText(measured)}, wanted ${wanted}`,
  );
  return [title, ...[...table, ...notes, ...verdicts].map((line) => `  ${line}`)].join("\n");
}

function cellText(cell: string | number | Spread): string {
  if (typeof cell === "string") return cell;
  return typeof cell === "number" ? numberText(cell) : spreadText(cell);
}

/** `1.23 (1.10..1.31)`. */
export function spreadText({ median, min, max }: Spread): string {
  return `${numberText(median)} (${numberText(min)}..${numberText(max)})`;
}

/** Two decimals, which mean nothing from a hundred on. */
function numberText(value: number): string {
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 100;
  return isWhole ? Math.round(value).toLocaleString("en-US") : value.toFixed(2);
}
