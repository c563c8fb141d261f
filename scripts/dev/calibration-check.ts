import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { shapesWith, type Counted } from "./calibration-cell.ts";
import { writeBelow, writeRows } from "./calibration-files.ts";
import {
  breaksBound,
  held,
  type Calibration,
  type Cell,
  type CellResult,
  type Extent,
} from "./calibration-results.ts";
import { ALONE_SHAPES } from "./calibration-shapes.ts";
import { checkCsv, measuredRates, summaryTable } from "./calibration-tables.ts";

/** Cells with at most this many variants are cheap. */
const CHEAP_MAX = 13;
/** Bars of the shapes that trade on a given number of them. */
const SPARSE_BARS = 750;

const isCheap = ({ variants, alone = false }: Cell) => alone || variants <= CHEAP_MAX;

/** What is measured on made-up panels: families, and the best of many that is sent alone. */
const PARTS = {
  calibration: {
    alone: false,
    sizes: [13, 200],
    quickSizes: [13],
    module: ["quant/check/measured-rates.ts", "FAMILY_ROWS"],
  },
  "calibration-series": {
    alone: true,
    sizes: [1, 20, 200],
    quickSizes: [1, 20],
    module: ["quant/check/series-rates.ts", "SERIES_ROWS"],
  },
} as const;

/**
 * Measures how often the check's verdict, and each method beside it, calls skill where there is none, and finds a
 * planted edge.
 */
export function checkCalibration(name: keyof typeof PARTS, extent: Extent): Calibration<Counted> {
  const { prices, quick, count } = extent;
  const part = PARTS[name];
  const { alone } = part;
  const shapes = shapesWith(prices);
  const cells = (quick ? [0, 2] : [0, 1, 2]).flatMap((edge) =>
    (quick ? part.quickSizes : part.sizes).flatMap((size) =>
      (quick ? [alone ? SPARSE_BARS : 250] : [250, 750, 1500]).flatMap((bars) =>
        shapes
          .filter(({ kind }) => edge === 0 || kind !== "not controlled")
          .filter((shape) => alone || !ALONE_SHAPES.includes(shape))
          .filter(({ name: shape }) => bars === SPARSE_BARS || !/^\d+ days/.test(shape))
          .filter(({ variantsMin = 1 }) => (alone ? 1 : size) >= variantsMin)
          .filter(({ variantsMax }) => size !== 20 || variantsMax === 200) // coins have 1, 13 or 286
          .map(({ name: shape, variantsMax }): Cell => {
            const variants = size === 200 ? variantsMax : size;
            return { shape, variants, bars, edge, ...(alone && { alone }) };
          }),
      ),
    ),
  );
  return {
    name,
    worker: fileURLToPath(new URL("./calibration-cell.js", import.meta.url)),
    shapes,
    cells,
    countOf: (cell) => count ?? (quick ? 200 : isCheap(cell) ? 1000 : 400),
    chunkOf: ({ variants }) => (variants > 20 ? 50 : alone ? 250 : 100),
    table: summaryTable,
    write: (results) => {
      const title = "In short: false skill / found at 1 / found at 2";
      writeBelow(`docs/${name}.md`, title, summaryTable(results));
      writeFileSync(`docs/${name}.csv`, checkCsv(results));
      const [file, rows] = part.module;
      writeRows(file, "RatesRow", { [rows]: measuredRates(results) });
    },
    broken: brokenBounds,
  };
}

/** A line for each cell without an edge in which the verdict breaks its bound. */
export function brokenBounds(results: readonly CellResult<Counted>[]): string[] {
  return held(results)
    .filter(({ cell, counts, made }) => cell.edge === 0 && breaksBound(counts.verdict, made))
    .map(({ cell, counts, made }) => {
      const { shape, variants, bars } = cell;
      return `${shape}, N ${variants}, T ${bars}: ${counts.verdict} of ${made}`;
    });
}
