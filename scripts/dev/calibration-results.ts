import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { COUNTED, type Cell, type CellChunk, type CellCounts } from "./calibration-cell.ts";
import type { Shape } from "./calibration-shapes.ts";

/** A line of a file of results. */
interface ChunkResult<Chunk = CellChunk, Counts = CellCounts> {
  readonly chunk: Chunk;
  readonly counts: Counts;
}

/** All panels of a cell so far. */
export interface CellResult {
  readonly cell: Cell;
  readonly kind: Shape["kind"];
  readonly panels: number;
  readonly counts: CellCounts;
}

/** What the verdict may call skill where nothing has an edge; it aims at 5 %. */
const BOUND = 0.07;
const REJECTED_AT = 0.01;

/** The whole lines of a file of results. One that was cut off while it was written is ended, and left out. */
export function readResults<Chunk = CellChunk, Counts = CellCounts>(
  file: string,
): ChunkResult<Chunk, Counts>[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const lines = text.split("\n");
  return lines
    .filter((line) => line.endsWith("}}"))
    .map((line) => JSON.parse(line) as ChunkResult<Chunk, Counts>);
}

function cellKey({ shape, variants, bars, edge }: Cell): string {
  return JSON.stringify([shape, variants, bars, edge]);
}

export function chunkKey({ cell, from, to, seed }: CellChunk): string {
  return `${cellKey(cell)} ${from} to ${to}, seed ${seed}`;
}

/** The chunks added up, for each of the cells that has any. */
export function cellResults(
  cells: readonly Cell[],
  shapes: readonly Shape[],
  results: readonly ChunkResult[],
): CellResult[] {
  return cells.flatMap((cell) => {
    const chunks = results.filter(({ chunk }) => cellKey(chunk.cell) === cellKey(cell));
    if (chunks.length === 0) return [];
    const total = (name: keyof CellCounts) =>
      chunks.reduce((sum, { counts }) => sum + counts[name], 0);
    const counts = Object.fromEntries(COUNTED.map((name) => [name, total(name)]));
    const panels = chunks.reduce((sum, { chunk }) => sum + chunk.to - chunk.from, 0);
    const { kind } = shapes.find(({ name }) => name === cell.shape)!; // cells are made from the shapes
    return [{ cell, kind, panels, counts: counts as unknown as CellCounts }];
  });
}

/** P(at least `count` of `panels`) where each happens with the probability `share`. */
export function binomialTail(count: number, panels: number, share: number): number {
  let term = (1 - share) ** panels;
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= ((panels - k) / (k + 1)) * (share / (1 - share));
  }
  return 1 - below;
}

/** Whether an exact binomial test at 1 % rejects that at most 7 % are called skill. */
export function breaksBound(count: number, panels: number, bound = BOUND): boolean {
  return binomialTail(count, panels, bound) < REJECTED_AT;
}

/** The cells without an edge in which the verdict breaks its bound, in words. */
export function brokenBounds(results: readonly CellResult[]): string[] {
  return results
    .filter(({ cell, kind }) => cell.edge === 0 && kind !== "not controlled")
    .filter(({ counts, panels }) =>
      [counts.verdict, counts.aloneDeclared].some((count) => breaksBound(count, panels)),
    )
    .map(({ cell, counts, panels }) => {
      const { shape, variants, bars } = cell;
      return `${shape}, N ${variants}, T ${bars}: ${counts.verdict}, alone ${counts.aloneDeclared} of ${panels}`;
    });
}
