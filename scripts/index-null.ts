/**
 * The index where nothing can be learnt: the days of a month's panel in random order, the whole way run again, many
 * times over. Prints centre and spread of the index, its layers and their components, with the standard error of each
 * centre, for the market as it is and for variations that tell what moves the centre. `make index-null`.
 *
 *   node dist/scripts/index-null.js [--snapshots DIR] [--month YYYY-MM] [--draws 200]
 *                                   [--costs usual|none|double] [--drift keep|none] [--block-days 5]
 */
import { parseArgs } from "node:util";
import { openComputer } from "../pipeline/computer-threads.ts";
import { mapOn } from "../pipeline/computer.ts";
import type { Month } from "../quant/dataset/month.ts";
import {
  lastCompleteMonth,
  lastDayOfMonth,
  monthOfText,
  monthText,
} from "../quant/dataset/month.ts";
import { DOUBLED_COSTS } from "../quant/dataset/definition.ts";
import { mean, quantile, variance } from "../quant/dataset/quantile.ts";
import { DEFAULT_COSTS, NO_COSTS } from "../quant/engine/costs.ts";
import type { Costs } from "../quant/engine/costs.ts";
import { PANEL_DAYS } from "../quant/overfitting/index-draw.ts";
import { indexCoins } from "../quant/overfitting/index-months.ts";
import type { Panel } from "../quant/overfitting/index-panel.ts";
import { BLOCK_DAYS_MAX, panelOf, withoutDrift } from "../quant/overfitting/index-panel.ts";
import type { IndexValue } from "../quant/overfitting/index-value.ts";
import { findCurrent } from "../snapshots/folder.ts";
import { openSnapshot } from "../snapshots/reader.ts";

const { values: options } = parseArgs({
  options: {
    snapshots: { type: "string", default: process.env["HINDSIGHT_SNAPSHOTS"] ?? "snapshots/data" },
    month: { type: "string" },
    draws: { type: "string", default: "200" },
    costs: { type: "string", default: "usual" },
    drift: { type: "string", default: "keep" },
    "block-days": { type: "string", default: String(BLOCK_DAYS_MAX) },
  },
});

const COSTS: Readonly<Record<string, Costs>> = {
  usual: DEFAULT_COSTS,
  none: NO_COSTS,
  double: DOUBLED_COSTS,
};

/** What is printed of the draws, in the order of the lines. */
const FIGURES: readonly (readonly [name: string, of: (draw: IndexValue) => number])[] = [
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

async function panelOfSnapshot(): Promise<{ month: Month; panel: Panel; snapshot: string }> {
  const dir = await findCurrent(options.snapshots);
  if (dir === undefined) throw new Error(`there is no snapshot in "${options.snapshots}"`);
  const snapshot = await openSnapshot(dir);
  const asked = options.month === undefined ? undefined : monthOfText(options.month);
  const month = asked ?? lastCompleteMonth(snapshot.manifest.asOf);
  const board = snapshot.coins.map(({ ticker }) => ({
    coin: ticker,
    bars: snapshot.bars(ticker)!,
  })); // its own coins
  const coins = indexCoins(board, month).map(({ bars }) => bars);
  if (coins.length < 2) throw new Error(`${monthText(month)} has ${coins.length} coins to permute`);
  const days = { lastDay: lastDayOfMonth(month), days: PANEL_DAYS };
  const kept = panelOf(coins, { ...days, share: true });
  return {
    month,
    panel: options.drift === "none" ? withoutDrift(kept) : kept,
    snapshot: snapshot.id,
  };
}

function line(name: string, values: readonly number[]): string {
  const deviation = Math.sqrt(variance(values));
  const cells = [
    mean(values),
    deviation / Math.sqrt(values.length),
    deviation,
    quantile(values, 0.05),
    quantile(values, 0.95),
  ];
  return `${name.padEnd(20)}${cells.map((value) => value.toFixed(3).padStart(10)).join("")}`;
}

const draws = Number(options.draws);
const costs = COSTS[options.costs];
if (!Number.isInteger(draws) || draws < 2)
  throw new Error("--draws takes a whole number from 2 on");
if (costs === undefined) throw new Error("--costs takes usual, none or double");
if (options.drift !== "keep" && options.drift !== "none")
  throw new Error("--drift takes keep or none");

const blockDays = Number(options["block-days"]);
if (!Number.isInteger(blockDays) || blockDays < 1)
  throw new Error("--block-days takes a whole number from 1 on");

const { month, panel, snapshot } = await panelOfSnapshot();
const computer = openComputer();
const started = performance.now();
const results = await mapOn(
  computer,
  Array.from({ length: draws }, (_, draw) => draw),
  {
    work: (draw) => computer.indexDraw({ panel, seed: month, draw, costs, blockDays }),
    step: async (done) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${draws} draws`);
    },
  },
);
await computer.close();
if (process.stderr.isTTY) process.stderr.write("\r");
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${draws} permutations of ${monthText(month)}, ${panel.coins.length} coins, costs ${options.costs}, drift ${options.drift}, blocks of 1 to ${blockDays} days, snapshot ${snapshot}: ${seconds} s\n`,
);
console.log(
  `${"".padEnd(20)}${["centre", "error", "sd", "5 %", "95 %"].map((name) => name.padStart(10)).join("")}`,
);
for (const [name, of] of FIGURES) console.log(line(name, results.map(of)));
