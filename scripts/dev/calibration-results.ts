import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { binomialTail } from "../../quant/check/binomial-tail.ts";
import type { Shape } from "./calibration-shapes.ts";

/** One cell of a table. */
export interface Cell {
  readonly shape: string;
  readonly variants: number;
  /** Of the panel, or of the backtest. */
  readonly bars: number;
  /** The true Sharpe ratio a year, of one variant of a panel or of all variants behind a live record; 0 for no edge. */
  readonly edge: number;
  /** Whether the best variant of a panel is sent alone, with the number of all as its tries. */
  readonly alone?: boolean;
}

/** Some panels or records of a cell, from `from` inclusive to `to` exclusive. */
export interface CellChunk {
  readonly cell: Cell;
  readonly from: number;
  readonly to: number;
  /** The published tables have one seed. Others serve to try a rule before it is settled. */
  readonly seed: number;
}

export interface ChunkJob extends CellChunk {
  /** Folder of price files, for the shapes of real coins. */
  readonly prices?: string | undefined;
}

/** How many of the panels or records showed each thing that is counted. */
export type Counts<Name extends string> = Readonly<Record<Name, number>>;

/** Counts what each of a chunk's panels or records shows. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  { from, to }: CellChunk,
  shownBy: (index: number) => readonly Name[],
): Counts<Name> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (let index = from; index < to; index++) for (const name of shownBy(index)) counts[name]++;
  return counts;
}

/** All that was made of a cell so far. */
export interface CellResult<Name extends string = string> {
  readonly cell: Cell;
  readonly kind: Shape["kind"];
  /** Panels or records. */
  readonly made: number;
  readonly counts: Counts<Name>;
}

/** How much of it to make. */
export interface Extent {
  readonly prices: string | undefined;
  readonly quick: boolean;
  /** Panels or records of each cell, if a number was given. */
  readonly count: number | undefined;
}

/** A set of cells that `calibration.ts` measures, and what it does with the results. */
export interface Calibration<Name extends string> {
  readonly name: string;
  /** The file whose `runChunk` makes a chunk. */
  readonly worker: string;
  readonly shapes: readonly Shape[];
  readonly cells: readonly Cell[];
  /** Panels or records of a cell, and how many of them make a chunk of some seconds. */
  readonly countOf: (cell: Cell) => number;
  readonly chunkOf: (cell: Cell) => number;
  readonly table: (results: readonly CellResult<Name>[]) => readonly string[];
  readonly write: (results: readonly CellResult<Name>[]) => void;
  /** A line for each cell that breaks a promise. */
  readonly broken: (results: readonly CellResult<Name>[]) => readonly string[];
}

/** A line of a file of results. */
interface ChunkResult<Name extends string> {
  readonly chunk: CellChunk;
  readonly counts: Counts<Name>;
}

/** The highest share of false verdicts that is promised. The aim is 5 %. */
const BOUND = 0.07;
const REJECTED_AT = 0.01;

/**
 * The complete lines of a file of results. A last line that was cut off is left out, and ended so that others can
 * follow.
 */
export function readResults<Name extends string>(file: string): ChunkResult<Name>[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const lines = text.split("\n");
  return lines
    .filter((line) => line.endsWith("}}"))
    .map((line) => JSON.parse(line) as ChunkResult<Name>);
}

function cellKey({ shape, variants, bars, edge }: Cell): string {
  return JSON.stringify([shape, variants, bars, edge]);
}

export function chunkKey({ cell, from, to, seed }: CellChunk): string {
  return `${cellKey(cell)} ${from} to ${to}, seed ${seed}`;
}

/** The sums of the chunks, for each cell that has any. */
export function cellResults<Name extends string>(
  cells: readonly Cell[],
  shapes: readonly Shape[],
  results: readonly ChunkResult<Name>[],
): CellResult<Name>[] {
  return cells.flatMap((cell) => {
    const chunks = results.filter(({ chunk }) => cellKey(chunk.cell) === cellKey(cell));
    const [first] = chunks;
    if (first === undefined) return [];
    const names = Object.keys(first.counts) as Name[];
    const total = (name: Name) => chunks.reduce((sum, { counts }) => sum + counts[name], 0);
    const counts = Object.fromEntries(names.map((name) => [name, total(name)])) as Counts<Name>;
    const made = chunks.reduce((sum, { chunk }) => sum + chunk.to - chunk.from, 0);
    const { kind } = shapes.find(({ name }) => name === cell.shape)!; // cells are made from the shapes
    return [{ cell, kind, made, counts }];
  });
}

/** The results on shapes for which a promise is made. */
export function held<Name extends string>(results: readonly CellResult<Name>[]) {
  return results.filter(({ kind }) => kind !== "not controlled");
}

/** The results on those shapes by their number of variants, and within by their bars: those of the cell, or of another rule. */
export function bySize<Name extends string>(
  results: readonly CellResult<Name>[],
  barsOf = ({ bars }: Cell) => bars,
) {
  const sizes = new Map<number, { variants: number; bars: number; own: CellResult<Name>[] }>();
  for (const result of held(results)) {
    const [variants, bars] = [sizeOf(result.cell.variants), barsOf(result.cell)];
    const key = variants * 1e6 + bars;
    if (!sizes.has(key)) sizes.set(key, { variants, bars, own: [] });
    sizes.get(key)!.own.push(result);
  }
  return [...sizes].toSorted(([a], [b]) => a - b).map(([, size]) => size);
}

/** The row of a table that a number of variants belongs to. Shapes of real coins have up to 286. */
function sizeOf(variants: number): number {
  return variants > 20 ? 200 : variants;
}

/** A share with three decimals, like the percentages in the tables. */
export function shareOf<Name extends string>({ counts, made }: CellResult<Name>, name: Name) {
  return Math.round((1000 * counts[name]) / made) / 1000;
}

/** Whether an exact binomial test at 1 % rejects that at most 7 % are false. */
export function breaksBound(count: number, made: number, bound = BOUND): boolean {
  return binomialTail(count, made, bound) < REJECTED_AT;
}
