/**
 * How often the verdicts are wrong, on made-up panels whose truth is known (docs/calibration.md) and on live records
 * (docs/live-calibration.md). What the files of results already hold is not made again, so it can be stopped at any time
 * and goes on where it was. Ends with exit code 1 if an exact binomial test at 1 % rejects the promise on a shape that
 * it is made for. `make calibration` runs it.
 *
 *   node dist/scripts/dev/calibration.js [options]
 *
 *   --prices DIR   folder of daily price files, one <ticker>.csv a coin: adds the shapes of real coins, and tests all our
 *                  runs on them for prices that were known too early, of which there are none
 *   --quick        200 panels of the cheap cells and 200 records of four shapes, two minutes
 *   --panels N     panels of each cell (default: 1,000, or 400 of a family of 200 variants)
 *   --records N    live records of each cell (default: 1,000 of 1 variant, 400 of 13, 200 of 200)
 *   --threads N    threads (default: 2); the result does not depend on it
 *   --seed N       other panels and records (default: 2026, those of the documents)
 *   --only NAME    one part: calibration (families), calibration-series or calibration-live
 *   --out DIR      folder of the files that take a line for each chunk of a cell (default: state)
 *   --write        makes nothing; writes the tables into the documents, docs/calibration.csv, and what the check quotes
 */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import PQueue from "p-queue";
import { Piscina } from "piscina";
import { scriptOptions, whole } from "../support/script-options.ts";
import { earlyRuns, readBars } from "./calibration-coins.ts";
import { checkCalibration } from "./calibration-check.ts";
import { liveCalibration } from "./calibration-live.ts";
import {
  cellResults,
  chunkKey,
  readResults,
  type Calibration,
  type CellChunk,
} from "./calibration-results.ts";

const values = scriptOptions(import.meta.url, {
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  out: { type: "string", default: "state" },
  only: { type: "string" },
  panels: { type: "string" },
  records: { type: "string" },
  prices: { type: "string" },
  seed: { type: "string", default: "2026" },
  threads: { type: "string", default: "2" },
});
const { prices, quick } = values;
const seed = whole("--seed", values.seed);
const threads = whole("--threads", values.threads);
const count = (option: string, text?: string) =>
  text === undefined ? undefined : whole(option, text);

if (prices !== undefined && !values.write && values.only === undefined) {
  const all = readBars(prices).map(earlyRuns);
  const [tested, found] = (["tested", "found"] as const).map((name) =>
    all.reduce((sum, tally) => sum + tally[name], 0),
  );
  console.log(`our runs that knew prices too early: ${found} of ${tested} that can be tested`);
  if (found! > 0) process.exitCode = 1;
}
const isAsked = (name: string) => values.only === undefined || values.only === name;
for (const name of ["calibration", "calibration-series"] as const)
  await calibrate(
    checkCalibration(name, { prices, quick, count: count("--panels", values.panels) }),
  );
await calibrate(liveCalibration({ prices, quick, count: count("--records", values.records) }));

async function calibrate<Name extends string>(calibration: Calibration<Name>): Promise<void> {
  if (!isAsked(calibration.name)) return;
  const file = join(values.out, `${calibration.name}.jsonl`);
  if (!values.write) await makeAll(calibration, file);
  const ofSeed = readResults<Name>(file).filter(({ chunk }) => chunk.seed === seed);
  const results = cellResults(calibration.cells, calibration.shapes, ofSeed);
  if (values.write) calibration.write(results);
  else for (const line of calibration.table(results)) console.log(line);
  const broken = calibration.broken(results);
  for (const cell of broken) console.error(`more than the promise: ${cell}`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Makes the missing chunks, as much of each cell for its cost as of any other, so that the run can be stopped early. */
async function makeAll<Name extends string>(
  calibration: Calibration<Name>,
  file: string,
): Promise<void> {
  const done = new Set(readResults<Name>(file).map(({ chunk }) => chunkKey(chunk)));
  const left = calibration.cells
    .flatMap((cell) => chunksOf(cell, calibration.countOf(cell), calibration.chunkOf(cell)))
    .filter((chunk) => !done.has(chunkKey(chunk)))
    .toSorted((a, b) => a.from * a.cell.variants - b.from * b.cell.variants);
  mkdirSync(values.out, { recursive: true });
  const pool = new Piscina({
    filename: calibration.worker,
    minThreads: threads,
    maxThreads: threads,
  });
  let made = 0;
  const work = left.map((chunk) => async () => {
    const counts: unknown = await pool.run({ ...chunk, prices }, { name: "runChunk" });
    appendFileSync(file, `${JSON.stringify({ chunk, counts })}\n`);
    console.error(`${++made} of ${left.length}: ${chunkKey(chunk)}`);
  });
  await new PQueue({ concurrency: threads }).addAll(work); // the pool's own queue does not keep the order
  await pool.close();
}

function chunksOf(cell: CellChunk["cell"], all: number, size: number): CellChunk[] {
  return Array.from({ length: Math.ceil(all / size) }, (_, index) => ({
    cell,
    from: index * size,
    to: Math.min(all, (index + 1) * size),
    seed,
  }));
}
