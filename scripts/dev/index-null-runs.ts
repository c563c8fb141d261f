/**
 * Why the index's shopping layer is not quite 50 where nothing can be learnt: some of the 286 runs do better than
 * others in any order of days. Prints how far the ranking of a coin's runs persists from the first to the second
 * period, as it is and with each run's own mean over the other draws taken off. Then the mean Sharpe ratio of each
 * family of templates.
 *
 *   node dist/scripts/dev/index-null-runs.js [options]
 *
 *   --days DAYS  permuted, or drawn: blocks with replacement (default: permuted)
 *   and --snapshots, --month, --draws, --costs, --drift and --block-days, as index-null.js takes them
 *
 * A permutation uses up its days: what one period had, the other lacks. With drawn blocks it may have them again. One
 * thread, about half a second a draw.
 */
import { mean, median, variance } from "../../quant/sample-statistics.ts";
import { sharpeRatio } from "../../quant/engine/statistics.ts";
import { coinRuns } from "../../quant/overfitting/index-coin.ts";
import { INDEX_DAYS, INDEX_IN_SAMPLE_DAYS } from "../../quant/overfitting/index-definition.ts";
import { permutedDays, rebuiltBars } from "../../quant/overfitting/index-panel.ts";
import { randomBelow, seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { rankCorrelation } from "../../quant/overfitting/ranks.ts";
import { CATALOGUE, VARIANTS_PER_TEMPLATE } from "../../quant/strategies/catalogue.ts";
import { NULL_OPTIONS, nullPanel } from "./null-panel.ts";
import { progressLine } from "../support/progress-line.ts";
import { oneOf, scriptOptions } from "../support/script-options.ts";

const options = scriptOptions(import.meta.url, {
  ...NULL_OPTIONS,
  days: { type: "string", default: "permuted" },
});
const kind = oneOf("--days", options.days, ["permuted", "drawn"]);

/** Sharpe ratios of all runs of one coin in one draw; NaN where nothing moved. */
interface Periods {
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
}

const PERIODS = ["inSample", "outOfSample"] as const;

/** Blocks of 1 to `longest` days, from anywhere, until there are enough. */
function drawnDays(days: number, random: () => number, longest: number): Int32Array {
  const drawn = new Int32Array(days);
  for (let row = 0; row < days;) {
    const first = randomBelow(days, random);
    const end = Math.min(first + 1 + randomBelow(longest, random), days, first + days - row);
    for (let day = first; day < end; day++) drawn[row++] = day;
  }
  return drawn;
}

const { month, panel, draws, costs, blockDays, text } = await nullPanel(options);
const order = kind === "drawn" ? drawnDays : permutedDays;
const started = performance.now();
const results: Periods[][] = [];
for (let draw = 0; draw < draws; draw++) {
  const days = order(panel.days, seededRandom(month, draw), blockDays);
  results.push(
    panel.coins.map((coin) => {
      const { returns } = coinRuns(rebuiltBars(coin, days), { costs });
      const end = returns[0]!.length; // there are runs
      const [from, split] = [end - INDEX_DAYS, end - INDEX_DAYS + INDEX_IN_SAMPLE_DAYS];
      return {
        inSample: Float64Array.from(returns, (run) => sharpeRatio(run, from, split)),
        outOfSample: Float64Array.from(returns, (run) => sharpeRatio(run, split, end)),
      };
    }),
  );
  progressLine(`${draw + 1} of ${draws} draws`);
}
progressLine("");
const seconds = ((performance.now() - started) / 1000).toFixed(1);

/** Each coin's runs, less their own mean over the other draws. */
function lessOwnMeans(): Periods[][] {
  const less = results.map((coins) => coins.map((): Partial<Record<string, Float64Array>> => ({})));
  for (const period of PERIODS) {
    for (let coin = 0; coin < panel.coins.length; coin++) {
      const columns = results.map((coins) => coins[coin]![period]); // each draw has every coin
      const runs = columns[0]!.length;
      const sums = new Float64Array(runs);
      const counts = new Float64Array(runs);
      for (const column of columns) {
        column.forEach((sharpe, run) => {
          sums[run]! += Number.isNaN(sharpe) ? 0 : sharpe;
          counts[run]! += Number.isNaN(sharpe) ? 0 : 1;
        });
      }
      columns.forEach((column, draw) => {
        less[draw]![coin]![period] = column.map(
          (sharpe, run) => sharpe - (sums[run]! - sharpe) / (counts[run]! - 1),
        );
      });
    }
  }
  return less as unknown as Periods[][]; // both periods of every coin are there now
}

/** Rank correlation and premium kept for the coins of one draw, as the shopping layer computes them. */
function persistenceOf(coins: readonly Periods[]): { rho: number; kept: number } {
  const sets = coins.map(({ inSample, outOfSample }) => {
    const moved = [...inSample.keys()].filter(
      (run) => !Number.isNaN(inSample[run]! + outOfSample[run]!),
    );
    const a = Float64Array.from(moved, (run) => inSample[run]!);
    const b = Float64Array.from(moved, (run) => outOfSample[run]!);
    const best = a.indexOf(a.reduce((most, value) => Math.max(most, value), -Infinity));
    return {
      rho: rankCorrelation(a, b),
      before: a[best]! - median(a),
      after: b[best]! - median(b),
    };
  });
  return {
    rho: mean(sets.map(({ rho }) => rho)),
    kept: mean(sets.map(({ after }) => after)) / mean(sets.map(({ before }) => before)),
  };
}

function line(name: string, of: readonly (readonly Periods[])[]): string {
  const figures = of.map(persistenceOf);
  const cells = (["rho", "kept"] as const).flatMap((figure) => {
    const values = figures.map((each) => each[figure]);
    const points = values.map((value) => 50 * (1 - value));
    return [mean(values), mean(points), Math.sqrt(variance(points) / points.length)];
  });
  return name.padEnd(30) + cells.map((cell) => cell.toFixed(3).padStart(10)).join("");
}

/** Mean Sharpe ratio of each run, over draws and coins. */
function profileOf(period: keyof Periods): number[] {
  return Array.from({ length: results[0]![0]![period].length }, (_, run) =>
    mean(results.flatMap((coins) => coins.map((coin) => coin[period][run]!))),
  );
}

console.log(`${draws} draws, days ${kind}, ${text}: ${seconds} s\n`);
const heads = ["rho", "C", "error", "kept", "R", "error"].map((head) => head.padStart(10));
console.log("".padEnd(30) + heads.join(""));
console.log(line("286 runs of a coin", results));
console.log(line("less each run's own mean", lessOwnMeans()));

const [before, after] = [profileOf("inSample"), profileOf("outOfSample")];
console.log(`\nrank correlation of the runs' means ${rankCorrelation(before, after).toFixed(3)}`);
console.log(`\n${"mean Sharpe by family".padEnd(30)}${"in".padStart(10)}${"out".padStart(10)}`);
for (const family of new Set(CATALOGUE.map((template) => template.family))) {
  const within = (_: number, run: number) =>
    CATALOGUE[Math.floor(run / VARIANTS_PER_TEMPLATE)]!.family === family;
  const cells = [before, after].map((profile) => mean(profile.filter(within)).toFixed(3));
  console.log(family.padEnd(30) + cells.map((cell) => cell.padStart(10)).join(""));
}
