/**
 * How often each method calls skill what has none, and how often it finds a planted edge: the share of made-up panels
 * of each shape, in percent. Panels that the file of results already holds are not made again, so it can be stopped at
 * any time and goes on where it was. Ends with exit code 1 if the verdict calls skill more than 7 % of the panels of a
 * shape without an edge (exact binomial test at 1 %). `make calibration` runs it.
 *
 *   node dist/scripts/dev/calibration.js [options]
 *
 *   --prices DIR   folder of daily price files, one <ticker>.csv a coin: adds the shapes of real coins
 *   --quick        200 panels of the cheap cells, some twenty seconds
 *   --panels N     panels of each cell (default: 1,000, or 400 of 200 variants)
 *   --threads N    threads (default: 2); the result does not depend on it
 *   --seed N       other panels (default: 2026, those of docs/calibration.md)
 *   --out FILE     file that takes a line for each chunk of a cell (default: state/calibration.jsonl)
 *   --write        makes nothing; writes the tables into docs/calibration.md, docs/calibration.csv and
 *                  quant/check/measured-rates.ts
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import PQueue from "p-queue";
import { Piscina } from "piscina";
import { scriptOptions, whole } from "../support/script-options.ts";
import { shapesWith, type Cell, type CellChunk, type CellCounts } from "./calibration-cell.ts";
import { brokenBounds, cellResults, chunkKey, readResults } from "./calibration-results.ts";
import { writeTables } from "./calibration-files.ts";
import { nullTable } from "./calibration-tables.ts";

const values = scriptOptions(import.meta.url, {
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  out: { type: "string", default: "state/calibration.jsonl" },
  panels: { type: "string" },
  records: { type: "string" }, // of the other half of `make calibration`
  prices: { type: "string" },
  seed: { type: "string", default: "2026" },
  threads: { type: "string", default: "2" },
});

/** Variants up to which cells are cheap. */
const CHEAP_MAX = 13;

const { prices } = values;
const seed = whole("--seed", values.seed);
const shapes = shapesWith(prices);
const cells = cellsOf(
  values.quick
    ? { variants: [1, 13], bars: [250], edges: [0, 2] }
    : { variants: [1, 13, 200], bars: [250, 750, 1500], edges: [0, 1, 2] },
);
if (!values.write) await runAll();
const ofSeed = readResults(values.out).filter(({ chunk }) => chunk.seed === seed);
const results = cellResults(cells, shapes, ofSeed);
if (values.write) writeTables(results);
else for (const line of nullTable(results)) console.log(line);
const broken = brokenBounds(results);
for (const cell of broken) console.error(`more than 7 % called skill: ${cell}`);
if (broken.length > 0) process.exitCode = 1;

function cellsOf(of: {
  readonly variants: readonly number[];
  readonly bars: readonly number[];
  readonly edges: readonly number[];
}): Cell[] {
  return of.edges.flatMap((edge) =>
    of.variants.flatMap((variants) =>
      of.bars.flatMap((bars) =>
        shapes
          .filter(({ kind }) => edge === 0 || kind !== "not controlled")
          .filter(({ variantsMin = 1 }) => variants >= variantsMin)
          .map(({ name, variantsMax }) => {
            return {
              shape: name,
              variants: variants > CHEAP_MAX ? variantsMax : variants,
              bars,
              edge,
            };
          }),
      ),
    ),
  );
}

/** A cell's panels in pieces of some seconds. */
function chunksOf(cell: Cell): CellChunk[] {
  const cheap = cell.variants <= CHEAP_MAX;
  const usual = values.quick ? 200 : cheap ? 1000 : 400;
  const panels = values.panels === undefined ? usual : whole("--panels", values.panels);
  const size = cheap ? 100 : 50;
  return Array.from({ length: Math.ceil(panels / size) }, (_, place) => ({
    cell,
    from: place * size,
    to: Math.min(panels, (place + 1) * size),
    seed,
  }));
}

/** All cells grow together, those that matter most for their cost fastest, so that the run can be stopped early. */
function inOrder(chunks: readonly CellChunk[]): CellChunk[] {
  const due = ({ cell, from }: CellChunk) => {
    if (cell.variants <= CHEAP_MAX) return from / (cell.edge === 0 ? 1000 : 500);
    return from / (cell.edge === 0 ? 400 : 100);
  };
  return chunks.toSorted((a, b) => due(a) - due(b));
}

async function runAll(): Promise<void> {
  const done = new Set(readResults(values.out).map(({ chunk }) => chunkKey(chunk)));
  const left = inOrder(cells.flatMap(chunksOf)).filter((chunk) => !done.has(chunkKey(chunk)));
  mkdirSync(dirname(values.out), { recursive: true });
  const threads = whole("--threads", values.threads);
  const filename = fileURLToPath(new URL("./calibration-cell.js", import.meta.url));
  const pool = new Piscina({ filename, minThreads: threads, maxThreads: threads });
  let count = 0;
  const work = left.map((chunk) => async () => {
    const counts = (await pool.run({ ...chunk, prices }, { name: "runChunk" })) as CellCounts;
    appendFileSync(values.out, `${JSON.stringify({ chunk, counts })}\n`);
    console.error(`${++count} of ${left.length}: ${chunkKey(chunk)}`);
  });
  await new PQueue({ concurrency: threads }).addAll(work); // the pool's own queue does not keep the order
  await pool.close();
}
