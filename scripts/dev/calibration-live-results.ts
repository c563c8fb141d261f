import {
  LIVE_COUNTED,
  type LiveCell,
  type LiveChunk,
  type LiveCounts,
} from "./calibration-live-cell.ts";
import type { LiveShape } from "./calibration-live-shapes.ts";
import { breaksBound } from "./calibration-results.ts";
import { markdown } from "./calibration-tables.ts";
import type { LiveErrorRates } from "../../quant/live/live-report.ts";

/** All records of a cell so far. */
export interface LiveResult {
  readonly cell: LiveCell;
  readonly kind: LiveShape["kind"];
  readonly records: number;
  readonly counts: LiveCounts;
}

/** False alarms that the verdict may have; it aims at 5 %. */
const BOUND = 0.07;
/** A mean time of ten years to a false alarm leaves this share without one that long at the least. */
const DECAY_BOUND = 1 - Math.exp(-1);

const cellKey = ({ shape, variants, bars, edge }: LiveCell) =>
  JSON.stringify([shape, variants, bars, edge]);

export const liveChunkKey = ({ cell, from, to, seed }: LiveChunk) =>
  `${cellKey(cell)} ${from} to ${to}, seed ${seed}`;

/** The chunks added up, for each of the cells that has any. */
export function liveResults(
  cells: readonly LiveCell[],
  shapes: readonly LiveShape[],
  done: readonly { readonly chunk: LiveChunk; readonly counts: LiveCounts }[],
): LiveResult[] {
  return cells.flatMap((cell) => {
    const own = done.filter(({ chunk }) => cellKey(chunk.cell) === cellKey(cell));
    if (own.length === 0) return [];
    const total = (name: keyof LiveCounts) =>
      own.reduce((sum, { counts }) => sum + counts[name], 0);
    const counts = Object.fromEntries(LIVE_COUNTED.map((name) => [name, total(name)]));
    const records = own.reduce((sum, { chunk }) => sum + chunk.to - chunk.from, 0);
    const { kind } = shapes.find(({ name }) => name === cell.shape)!; // cells are made from the shapes
    return [{ cell, kind, records, counts: counts as unknown as LiveCounts }];
  });
}

/** The cells in which an exact binomial test at 1 % rejects a bound, in words. */
export function brokenLiveBounds(results: readonly LiveResult[]): string[] {
  return results.flatMap(({ cell, kind, records, counts }) => {
    if (kind === "not controlled") return [];
    const { falseStop10y, falseHolds10y, decay10y } = counts;
    const bounds = [
      ["stopped", falseStop10y, BOUND],
      ["held", falseHolds10y, BOUND],
      ["decayed", decay10y, DECAY_BOUND],
    ] as const;
    return bounds
      .filter(([, count, bound]) => breaksBound(count, records, bound))
      .map(([word, count]) => {
        const { shape, variants, bars, edge } = cell;
        return `${shape}, N ${variants}, T ${bars}, SR ${edge}: falsely ${word} ${count} of ${records}`;
      });
  });
}

const percent = (count: number, records: number) => ((100 * count) / records).toFixed(1);

/** Every cell: false alarms within 3 and 10 years, and what is found within 1 and 3. */
export function liveTable(results: readonly LiveResult[]): string[] {
  const lines = results.map(({ cell, kind, records, counts }) => {
    const both = (a: keyof LiveCounts, b: keyof LiveCounts) =>
      `${percent(counts[a], records)} / ${percent(counts[b], records)}`;
    return [
      cell.variants,
      cell.bars,
      cell.edge,
      kind === "not controlled" ? `${cell.shape} (not controlled)` : cell.shape,
      records,
      both("falseStop3y", "falseStop10y"),
      both("falseHolds3y", "falseHolds10y"),
      percent(counts.decay10y, records),
      both("stopped1y", "stopped3y"),
      both("holds1y", "holds3y"),
    ];
  });
  const titles = ["N", "T", "SR", "shape", "records", "false stop", "false holds", "decay"];
  return markdown([[...titles, "stop found", "holds found"], ...lines]);
}

/** The worst false alarms at each size and length over all shapes but those marked as not controlled. */
export function liveRates(results: readonly LiveResult[]): LiveErrorRates[] {
  const held = results.filter(({ kind }) => kind !== "not controlled");
  const sizes = [...new Set(held.map(({ cell }) => `${sizeOf(cell.variants)} ${cell.bars}`))];
  return sizes.map((size) => {
    const own = held.filter(({ cell }) => `${sizeOf(cell.variants)} ${cell.bars}` === size);
    const worst = (name: keyof LiveCounts) =>
      Math.max(
        ...own.map(({ counts, records }) => Math.round((1000 * counts[name]) / records) / 1000),
      );
    return {
      variants: sizeOf(own[0]!.cell.variants),
      bars: own[0]!.cell.bars,
      falseStop3y: worst("falseStop3y"),
      falseStop10y: worst("falseStop10y"),
      falseHolds10y: worst("falseHolds10y"),
    };
  });
}

/** Real coins have as many variants as there are runs. */
const sizeOf = (variants: number) => (variants > 13 ? 200 : variants);
