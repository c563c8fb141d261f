import type { Generator } from "./load.ts";
import type { Spread } from "./spread.ts";

/** What every part of the benchmark is given. */
export interface Bench {
  /** For files of this run; removed at its end. */
  readonly folder: string;
  /** Folder of published snapshots, and the one in force. */
  readonly snapshots: string;
  readonly generator: Generator;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Smaller sizes, for a first look. */
  readonly quick: boolean;
  /** Says what is being done, on one line that the next call replaces. */
  progress(text: string): void;
}

export interface PartResult {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How to read the table, and what it cannot say. */
  readonly notes: readonly string[];
  /** The same for programs. */
  readonly figures: object;
}

export type Part = (bench: Bench) => Promise<PartResult>;

/** `1.23 (1.10..1.31)`: never a figure without its spread. */
export function spreadText({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}..${max.toFixed(digits)})`;
}

/** Thousands apart, for figures of which the last digits mean nothing. */
export function countText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
