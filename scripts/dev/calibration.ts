/**
 * How often each method calls skill what has none, and how often it finds a planted edge: the share of made-up panels
 * of each shape, in percent. Cells that the file of results already holds are not run again, so it can be stopped at
 * any time. `make calibration` runs it.
 *
 *   node dist/scripts/dev/calibration.js [options]
 *
 *   --quick        200 panels of the cheap cells, one or two minutes
 *   --panels N     panels of each cell (default: 1,000, or 400 of 200 variants)
 *   --out FILE     file that takes a line for each cell (default: state/calibration.jsonl)
 *
 * Shapes of real coins are not among them yet.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { scriptOptions, whole } from "../support/script-options.ts";
import { cellSeed, runCell, type Cell, type CellCounts } from "./calibration-cell.ts";
import { SHAPES } from "./calibration-shapes.ts";

const values = scriptOptions(import.meta.url, {
  quick: { type: "boolean", default: false },
  out: { type: "string", default: "state/calibration.jsonl" },
  panels: { type: "string" },
});

interface Done {
  readonly cell: Cell;
  readonly counts: CellCounts;
}

const COLUMNS: readonly (readonly [keyof CellCounts, string])[] = [
  ["psr", "PSR"],
  ["publishedDsr", "DSR"],
  ["adjustedDsr", "adjusted DSR"],
  ["stepDown", "step-down"],
  ["hansen", "SPA"],
  ["pbo", "PBO < 0.05"],
  ["verdict", "verdict"],
  ["luck", "luck"],
  ["withheld", "withheld"],
];

const cells = values.quick ? quickCells() : allCells();
const done = readDone(values.out);
mkdirSync(dirname(values.out), { recursive: true });
for (const [place, cell] of cells.entries()) {
  if (done.has(keyOf(cell))) continue;
  const shape = SHAPES.find(({ name }) => name === cell.shape)!; // cells are made from the shapes
  const counts = runCell(cell, shape, cellSeed(keyOf(cell)));
  done.set(keyOf(cell), { cell, counts });
  appendFileSync(values.out, `${JSON.stringify({ cell, counts })}\n`);
  console.error(`${place + 1} of ${cells.length}: ${keyOf(cell)}`);
}
for (const line of table(cells.map((cell) => done.get(keyOf(cell))!))) console.log(line); // all are done now

function keyOf(cell: Cell): string {
  return JSON.stringify(cell);
}

function panelsOf(usual: number): number {
  return values.panels === undefined ? usual : whole("--panels", values.panels);
}

function readDone(file: string): Map<string, Done> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n");
  const records = lines
    .filter((line) => line.endsWith("}}"))
    .map((line) => JSON.parse(line) as Done);
  return new Map(records.map((each) => [keyOf(each.cell), each]));
}

function quickCells(): Cell[] {
  const panels = () => panelsOf(200);
  return cellsOf({ variants: [1, 13], bars: [250], edges: [0, 2], panels });
}

function allCells(): Cell[] {
  return cellsOf({
    variants: [1, 13, 200],
    bars: [250, 750, 1500],
    edges: [0, 1, 2],
    panels: (variants) => panelsOf(variants === 200 ? 400 : 1000),
  });
}

function cellsOf(of: {
  readonly variants: readonly number[];
  readonly bars: readonly number[];
  readonly edges: readonly number[];
  readonly panels: (variants: number) => number;
}): Cell[] {
  return of.edges.flatMap((edge) =>
    of.variants.flatMap((variants) =>
      of.bars.flatMap((bars) =>
        SHAPES.map((shape): Cell => {
          return {
            shape: shape.name,
            variants,
            bars,
            panels: of.panels(variants),
            resamples: 500,
            edge,
          };
        }),
      ),
    ),
  );
}

/** Shares of the panels in percent. */
function table(rows: readonly Done[]): string[] {
  const titles = ["edge", "N", "T", "shape", ...COLUMNS.map(([, title]) => title)];
  const lines = rows.map(({ cell, counts }) => {
    const shares = COLUMNS.map(([name]) => ((100 * counts[name]) / cell.panels).toFixed(1));
    return [cell.edge, cell.variants, cell.bars, cell.shape, ...shares];
  });
  return [titles, titles.map(() => "---"), ...lines].map(
    (cellsOfLine) => `| ${cellsOfLine.join(" | ")} |`,
  );
}
