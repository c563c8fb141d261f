/**
 * The backtest engine on the dataset's grid: 22 templates x 13 variants x the 40 longest histories, with the Sharpe
 * ratio in and out of sample of each run, and with every figure of each run.
 *
 *   node dist/scripts/bench/engine.js [options]
 *
 *   --source SOURCE  demo or csv:DIR (default: demo)
 *   --passes N       passes, of which the first is shown apart; at least 2 (default: 7)
 *
 * Ends with its targets. Times are CPU time of this process, which other work on the machine disturbs least, unless they say otherwise.
 */
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts"; // a type import would drop the comment above
import type { Bars } from "../../quant/bars.ts";
import { runGrid } from "../../quant/engine/grid.ts";
import { sharpeRatio } from "../../quant/engine/statistics.ts";
import { CATALOGUE, WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { inSampleDays } from "../../quant/dataset/definition.ts";
import { segmentRecords, segmentSlices } from "../../quant/dataset/segment.ts";
import { feesPaid } from "../../quant/engine/run-counts.ts";
import { longestHistories } from "./longest-histories.ts";
import { countText, target } from "./part.ts";
import { targetText } from "./result-text.ts";
import { spreadOf, type Spread } from "./spread.ts";
import { scriptOptions, whole } from "../support/script-options.ts";

const COINS = 40;
const GRID_MAX_MS = 1_000;

const values = scriptOptions(import.meta.url, {
  source: { type: "string", default: "demo" },
  passes: { type: "string", default: "7" },
});
const coins = await longestHistories(values.source, COINS);
const passes = Math.max(2, whole("--passes", values.passes));

const windowOf = (bars: Bars) => ({ from: WARM_UP_DAYS, to: bars.day.length });
const variants = CATALOGUE.reduce((sum, template) => sum + template.variants.length, 0);
const runs = variants * coins.length;
const bars = variants * coins.reduce((sum, { day }) => sum + day.length - WARM_UP_DAYS, 0);

/** CPU milliseconds of each pass. The first pass is kept apart because it also compiles. */
function measure(work: () => void): { first: number; rest: Spread } {
  const times = Array.from({ length: passes }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return { first: times[0]!, rest: spreadOf(times.slice(1)) };
}

function report(name: string, work: () => void): number {
  const { first, rest } = measure(work);
  const { median, min, max } = rest;
  const spread = `${min.toFixed(0)}..${max.toFixed(0)}`;
  const perBar = ((median * 1e6) / bars).toFixed(1);
  const perSecond = countText((runs / median) * 1000);
  console.log(
    `${name.padEnd(34)} ${median.toFixed(0).padStart(6)} ms (${spread}, first ${first.toFixed(0)})` +
      `  ${perBar.padStart(8)} ns/bar  ${perSecond.padStart(9)} runs/s`,
  );
  return median;
}

console.log(`${coins.length} coins, ${countText(runs)} runs, ${countText(bars)} bars`);

let checksum = 0;
const addSharpes = (returns: Float64Array) => {
  const cut = inSampleDays(returns.length);
  const inSample = sharpeRatio(returns, 0, cut);
  const outOfSample = sharpeRatio(returns, cut, returns.length);
  if (Number.isFinite(inSample + outOfSample)) checksum += inSample + outOfSample;
};

const sharpesMs = report("grid with both Sharpe ratios", () => {
  for (const coin of coins) {
    runGrid({ bars: coin, window: windowOf(coin) }, (run) => addSharpes(run.returns));
  }
});

const figuresMs = report("grid with every figure of each run", () => {
  for (const coin of coins) {
    const window = windowOf(coin);
    const days = window.to - window.from;
    const slices = segmentSlices(days, inSampleDays(days));
    runGrid({ bars: coin, window }, (run) => {
      checksum += segmentRecords(run, slices).whole.days + feesPaid(run, DEFAULT_COSTS.feeRate);
    });
  }
});
console.log(`checksum ${checksum.toFixed(6)}`);

for (const [name, ms] of [
  ["runs on one thread", sharpesMs],
  ["runs with every figure", figuresMs],
] as const) {
  const what = `${countText(runs)} ${name}, ms`;
  console.log(targetText(target(what, { below: GRID_MAX_MS }, ms)));
}
