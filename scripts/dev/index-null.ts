/**
 * The overfitting index where nothing can be learnt: the days of a month are put in random order, and the index is
 * computed again, many times over. Prints where the index, its layers and their parts lie, how far they spread, and
 * how exactly that is known; for the market as it is, or changed by an option, to see what moves them.
 * `make index-null` runs it.
 *
 *   node dist/scripts/dev/index-null.js [options]
 *
 *   --snapshots DIR    folder of published snapshots (default: snapshots/data, env: HINDSIGHT_SNAPSHOTS)
 *   --month YYYY-MM    the month (default: the last complete one)
 *   --draws N          random orders of its days, at least 2 (default: 200)
 *   --costs COSTS      usual, none or double (default: usual)
 *   --drift DRIFT      keep, or none: each coin's mean return is taken off (default: keep)
 *   --block-days N     days that stay together, at most (default: 5)
 */
import { openComputePool } from "../../pipeline/compute-threads.ts";
import { mapOn } from "../../pipeline/map-on.ts";
import { DOUBLED_COSTS } from "../../quant/dataset/definition.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../../quant/engine/costs.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, monthText } from "../../quant/month.ts";
import { indexCoins, PANEL_DAYS } from "../../quant/overfitting/index-months.ts";
import { BLOCK_DAYS_MAX, panelOf, withoutDrift } from "../../quant/overfitting/index-panel.ts";
import type { IndexValue } from "../../quant/overfitting/index-value.ts";
import { mean, quantile, variance } from "../../quant/sample-statistics.ts";
import { openPrices, type SnapshotPrices } from "../../snapshots/price-reader.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { DEFAULT_SNAPSHOTS } from "../../cli/shared-options.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { printTable } from "../../cli/text-table.ts";
import { oneOf, refuse, scriptOptions, whole } from "../support/script-options.ts";

const COSTS = { usual: DEFAULT_COSTS, none: NO_COSTS, double: DOUBLED_COSTS };

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? DEFAULT_SNAPSHOTS },
  month: { type: "string" },
  draws: { type: "string", default: "200" },
  costs: { type: "string", default: "usual" },
  drift: { type: "string", default: "keep" },
  "block-days": { type: "string", default: String(BLOCK_DAYS_MAX) },
});
const draws = whole("--draws", values.draws, 2);
const costs = COSTS[oneOf("--costs", values.costs, ["usual", "none", "double"])];
const drift = oneOf("--drift", values.drift, ["keep", "none"]);
const blockDays = whole("--block-days", values["block-days"]);

/** The figures of a draw, in the order of the printed lines. */
const FIGURES: readonly (readonly [name: string, valueOf: (draw: IndexValue) => number])[] = [
  ["index", (draw) => draw.value],
  ["tuning", (draw) => draw.tuning.score],
  ["  100 x PBO", (draw) => 100 * draw.tuning.pbo],
  ["  premium kept", (draw) => draw.tuning.premiumKept],
  ["  rank correlation", (draw) => draw.tuning.rankCorrelation],
  ["shopping", (draw) => draw.shopping.score],
  ["  100 x PBO", (draw) => 100 * draw.shopping.pbo],
  ["  premium kept", (draw) => draw.shopping.premiumKept],
  ["  rank correlation", (draw) => draw.shopping.rankCorrelation],
  ["median Sharpe in", (draw) => draw.companions.medianSharpeInSample],
  ["median Sharpe out", (draw) => draw.companions.medianSharpeOutOfSample],
  ["flat runs", (draw) => draw.flatRuns],
];

function row(name: string, values: readonly number[]): readonly string[] {
  const deviation = Math.sqrt(variance(values));
  const error = deviation / Math.sqrt(values.length);
  const edges = [0.05, 0.95].map((share) => quantile(values, share));
  return [name, ...[mean(values), error, deviation, ...edges].map((value) => value.toFixed(3))];
}

async function currentPrices(): Promise<SnapshotPrices> {
  try {
    return await openPrices(await currentSnapshot(values.snapshots));
  } catch (error) {
    if (error instanceof SnapshotError) refuse(error.message);
    throw error;
  }
}

const asked = values.month === undefined ? undefined : monthOfText(values.month);
if (values.month !== undefined && asked === undefined)
  refuse(`--month takes YYYY-MM, got "${values.month}"`);
const snapshot = await currentPrices();
const month = asked ?? lastCompleteMonth(snapshot.manifest.asOf);
const board = snapshot.coins.map(({ ticker: coin }) => ({ coin, bars: snapshot.bars(coin)! })); // its own
const coins = indexCoins(board, month).map(({ bars }) => bars);
if (coins.length < 2) refuse(`${monthText(month)} has ${coins.length} coins to permute`);
const kept = panelOf(coins, { lastDay: lastDayOfMonth(month), days: PANEL_DAYS, share: true });
const panel = drift === "none" ? withoutDrift(kept) : kept;
const pool = openComputePool();
const started = performance.now();
const results = await mapOn(
  pool,
  Array.from({ length: draws }, (_, draw) => draw),
  {
    work: (draw) => pool.indexDraw({ panel, seed: month, draw, costs, blockDays }),
    step: async (done) => {
      progressLine(`${done} of ${draws} draws`);
    },
  },
);
await pool.close();
progressLine("");
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${draws} permutations of ${monthText(month)}, ${coins.length} coins, costs ${values.costs}, drift ${drift}, ` +
    `blocks of 1 to ${blockDays} days, snapshot ${snapshot.id}` +
    `${snapshot.manifest.synthetic ? " (made-up prices)" : ""}: ${seconds} s\n`,
);
printTable(
  ["", "centre", "error", "sd", "5 %", "95 %"],
  FIGURES.map(([name, valueOf]) => row(name, results.map(valueOf))),
);
