/**
 * How often live days stop a strategy that is as good as its backtest truly was, or show an edge where there is none, and
 * how soon they find what is so: shares of made-up records, in percent, looked at for ten years. Records that the file of
 * results already holds are not made again, so it can be stopped at any time and goes on where it was. Ends with exit code
 * 1 if an exact binomial test at 1 % rejects "at most 7 %" (of decay, 63 %) on a shape but EGARCH. `make calibration` runs
 * it, on one thread.
 *
 *   node dist/scripts/dev/calibration-live.js [options]
 *
 *   --prices DIR   folder of daily price files, one <ticker>.csv a coin: adds the shape of real coins
 *   --quick        200 records of four shapes, a minute
 *   --records N    records of each cell (default: 1,000 of 1 variant, 400 of 13, 200 of 200)
 *   --seed N       other records (default: 2026, those of docs/live-calibration.md)
 *   --out FILE     file that takes a line for each chunk of a cell (default: state/calibration-live.jsonl)
 *   --write        makes nothing; writes the table into docs/live-calibration.md and quant/live/measured-rates.ts
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { scriptOptions, whole } from "../support/script-options.ts";
import { writeBelow } from "./calibration-files.ts";
import {
  runLiveChunk,
  type LiveCell,
  type LiveChunk,
  type LiveCounts,
} from "./calibration-live-cell.ts";
import {
  brokenLiveBounds,
  liveChunkKey,
  liveRates,
  liveResults,
  liveTable,
} from "./calibration-live-results.ts";
import { liveShapesWith } from "./calibration-live-shapes.ts";
import { readResults } from "./calibration-results.ts";

const values = scriptOptions(import.meta.url, {
  quick: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  out: { type: "string", default: "state/calibration-live.jsonl" },
  records: { type: "string" },
  prices: { type: "string" },
  seed: { type: "string", default: "2026" },
  // Of the other half of `make calibration`.
  panels: { type: "string" },
  threads: { type: "string" },
});

const CHUNK = 20;
const QUICK = ["normal", "GARCH(1,1), t(4)", "AR(1) 0.2", "95 % wins"];
const MODULE = "quant/live/measured-rates.ts";

const { prices, quick } = values;
const seed = whole("--seed", values.seed);
const shapes = liveShapesWith(prices);
const cells = cellsOf();
if (!values.write) runAll();
const own = readResults<LiveChunk, LiveCounts>(values.out).filter(
  ({ chunk }) => chunk.seed === seed,
);
const results = liveResults(cells, shapes, own);
if (values.write) {
  writeBelow("docs/live-calibration.md", [["Every cell", liveTable(results)]]);
  writeFileSync(
    MODULE,
    `import type { LiveErrorRates } from "./live-report.ts";\n\n` +
      `/** Made from the table of docs/live-calibration.md by \`make calibration ARGS=--write\`. */\n` +
      `export const MEASURED_LIVE_RATES: readonly LiveErrorRates[] = ${JSON.stringify(liveRates(results), undefined, 2)};\n`,
  );
} else for (const line of liveTable(results)) console.log(line);
const broken = brokenLiveBounds(results);
for (const cell of broken) console.error(`more than the bound: ${cell}`);
if (broken.length > 0) process.exitCode = 1;

function cellsOf(): LiveCell[] {
  const all = (variants: number, bars: number, edge: number) =>
    shapes
      .filter(({ name }) => !quick || QUICK.includes(name))
      .filter(({ goesOn }) => goesOn !== true || variants <= 13)
      .map(({ name }) => ({ shape: name, variants, bars, edge }));
  if (quick) return [...all(1, 750, 1.5), ...all(13, 750, 1.5)];
  return [750, 250, 1500].flatMap((bars) => [
    ...[1, 13, 200].flatMap((variants) => all(variants, bars, 1.5)),
    ...(bars === 750 ? all(13, bars, 3) : []),
  ]);
}

function recordsOf({ variants }: LiveCell): number {
  if (values.records !== undefined) return whole("--records", values.records);
  if (quick) return 200;
  return variants === 1 ? 1000 : variants === 13 ? 400 : 200;
}

/** A cell's records in pieces of a second. */
function chunksOf(cell: LiveCell): LiveChunk[] {
  const records = recordsOf(cell);
  return Array.from({ length: Math.ceil(records / CHUNK) }, (_, place) => ({
    cell,
    from: place * CHUNK,
    to: Math.min(records, (place + 1) * CHUNK),
    seed,
  }));
}

/** All cells grow together, so that the run can be stopped early; those of 750 days twice as fast. */
function runAll(): void {
  const done = new Set(
    readResults<LiveChunk, LiveCounts>(values.out).map(({ chunk }) => liveChunkKey(chunk)),
  );
  const due = ({ cell, from }: LiveChunk) => (from / recordsOf(cell)) * (cell.bars === 750 ? 1 : 2);
  const left = cells
    .flatMap(chunksOf)
    .filter((chunk) => !done.has(liveChunkKey(chunk)))
    .toSorted((a, b) => due(a) - due(b));
  mkdirSync(dirname(values.out), { recursive: true });
  for (const [place, chunk] of left.entries()) {
    const counts = runLiveChunk(chunk, prices);
    appendFileSync(values.out, `${JSON.stringify({ chunk, counts })}\n`);
    console.error(`${place + 1} of ${left.length}: ${liveChunkKey(chunk)}`);
  }
}
