import type { Spread } from "./spread.ts";

/** What every part of the benchmark is given. */
export interface Bench {
  /** For this run's files; removed at the end. */
  readonly folder: string;
  /** The folder of published snapshots, and the one in force. */
  readonly snapshots: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Shows what is being done, on one line that the next call replaces. */
  progress(text: string): void;
}

export interface PartResult {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How to read the table, and what it does not show. */
  readonly notes: readonly string[];
  /** What must be true, and whether it is. */
  readonly targets: readonly Target[];
  /** The same for programs to read. */
  readonly figures: object;
}

export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly measured: number;
  readonly met: boolean;
}

/** A bound that a median must meet. What was not measured, or against nothing, does not meet it. */
export function target(
  what: string,
  bound: { readonly atLeast: number } | { readonly below: number },
  measured = NaN,
): Target {
  const upper = "below" in bound;
  return {
    what,
    wanted: upper ? `below ${bound.below}` : `at least ${bound.atLeast}`,
    measured,
    met: Number.isFinite(measured) && (upper ? measured < bound.below : measured >= bound.atLeast),
  };
}

export type Part = (bench: Bench) => Promise<PartResult>;

/** `1.23 (1.10..1.31)`: never a figure without its spread. */
export function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`;
}

/** With separators between thousands, for figures whose last digits mean nothing. */
export function countText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
