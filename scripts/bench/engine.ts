/**
 * The backtest engine on the dataset's grid: 22 templates x 13 variants x the 40 longest histories, with the Sharpe
 * ratio in and out of sample of each run, and with every figure of each run. Times are CPU time of this process.
 */
import { inSampleDays } from "../../quant/dataset/definition.ts";
import { bySegment, segmentRecord, segmentSlices } from "../../quant/dataset/segment.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { runGrid } from "../../quant/engine/grid.ts";
import { feesPaid } from "../../quant/engine/run-counts.ts";
import { sharpeRatio } from "../../quant/engine/statistics.ts";
import { WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import { readHistory } from "../../snapshots/history.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { inRounds, spreadOf, target, type Bench, type PartResult } from "./part.ts";

const COINS = 40;
const GRID_MAX_MS = 1_000;

export async function engine(bench: Bench): Promise<PartResult> {
  const history = await readHistory(await currentSnapshot(bench.snapshots));
  const coins = [...history.coins.values()]
    .map(({ bars }) => ({
      bars,
      window: { from: WARM_UP_DAYS, to: bars.day.length },
      templates: STUDIED,
    }))
    .sort((a, b) => b.window.to - a.window.to)
    .slice(0, COINS);
  const variants = STUDIED.reduce((sum, template) => sum + template.variants.length, 0);
  const runs = (variants * coins.length).toLocaleString("en-US");
  const bars = variants * coins.reduce((sum, { window }) => sum + window.to - window.from, 0);
  const measured = async (name: string, work: () => void) => {
    const first = cpuMsOf(work);
    const ms = spreadOf(await inRounds(bench, name, async () => cpuMsOf(work)));
    return {
      "": name,
      "all runs": ms,
      "the first time": first,
      "ns/bar": (ms.median * 1e6) / bars,
    };
  };
  let checksum = 0;
  const rows = [
    await measured("both Sharpe ratios", () => {
      for (const coin of coins) {
        runGrid(coin, ({ returns }) => {
          const cut = inSampleDays(returns.length);
          const inSample = sharpeRatio(returns, 0, cut);
          const outOfSample = sharpeRatio(returns, cut, returns.length);
          if (Number.isFinite(inSample + outOfSample)) checksum += inSample + outOfSample;
        });
      }
    }),
    await measured("every figure", () => {
      for (const coin of coins) {
        const days = coin.window.to - coin.window.from;
        const slices = segmentSlices(days, inSampleDays(days));
        runGrid(coin, (run) => {
          const { whole } = bySegment(slices, (slice) => segmentRecord(run, slice));
          checksum += whole.days + feesPaid(run, DEFAULT_COSTS.feeRate);
        });
      }
    }),
  ];
  return {
    title: `Engine: ${runs} runs on ${coins.length} coins, ${bars.toLocaleString("en-US")} bars, CPU milliseconds`,
    rows,
    notes: [`The first time also compiles. Checksum ${checksum.toFixed(6)}.`],
    targets: rows.map((row) =>
      target(`${runs} runs with ${row[""]}, ms`, { below: GRID_MAX_MS }, row["all runs"].median),
    ),
  };
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
