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
import { checkCsv, measuredRates, summaryTable } from "./calibration-tables.ts";

/** Cells with at most this many variants are cheap. */
const CHEAP_MAX = 13;

const isCheap = ({ variants }: Cell) => variants <= CHEAP_MAX;

/**
 * Measures how often the check's verdict, and each method beside it, calls skill where there is none, and finds a
 * planted edge.
 */
export function checkCalibration({ prices, quick, count }: Extent): Calibration<Counted> {
  const shapes = shapesWith(prices);
  const [sizes, lengths, edges] = quick
    ? [[13], [250], [0, 2]]
    : [
        [13, 200],
        [250, 750, 1500],
        [0, 1, 2],
      ];
  const cells = edges!.flatMap((edge) =>
    sizes!.flatMap((variants) =>
      lengths!.flatMap((bars) =>
        shapes
          .filter(({ kind }) => edge === 0 || kind !== "not controlled")
          .filter(({ variantsMin = 1 }) => variants >= variantsMin)
          .map(({ name, variantsMax }) => {
            const most = variants > CHEAP_MAX ? variantsMax : variants;
            return { shape: name, variants: most, bars, edge };
          }),
      ),
    ),
  );
  return {
    name: "calibration",
    worker: fileURLToPath(new URL("./calibration-cell.js", import.meta.url)),
    shapes,
    cells,
    countOf: (cell) => count ?? (quick ? 200 : isCheap(cell) ? 1000 : 400),
    chunkOf: (cell) => (isCheap(cell) ? 100 : 50),
    dueOf: ({ cell, from }) => {
      const [noEdge, edge] = isCheap(cell) ? [1000, 500] : [400, 100];
      return from / (cell.edge === 0 ? noEdge! : edge!);
    },
    table: summaryTable,
    write,
    broken: brokenBounds,
  };
}

/**
 * Writes the summary into its document, all cells into a CSV file, and the rates that the check quotes into their
 * module.
 */
function write(results: readonly CellResult<Counted>[]): void {
  const title = "In short: false skill / found at 1 / found at 2";
  writeBelow("docs/calibration.md", title, summaryTable(results));
  writeFileSync("docs/calibration.csv", checkCsv(results));
  writeRows("quant/check/measured-rates.ts", "RatesRow", { FAMILY_ROWS: measuredRates(results) });
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
