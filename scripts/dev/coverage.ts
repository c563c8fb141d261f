/**
 * How often what came next lay within the 5 to 95 % range that a check states, on coins and years left out.
 *
 *   node dist/scripts/dev/coverage.js [--snapshots DIR]
 */
import type { KnownRun } from "../../quant/check/afterwards.ts";
import { coverageOf, runsByYear } from "../../quant/check/coverage.ts";
import { readHistory } from "../../snapshots/history.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { printTable } from "../../cli/text-table.ts";
import { scriptOptions } from "../support/script-options.ts";

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string", default: "snapshots/data" },
});
const { coins } = await readHistory(await currentSnapshot(values.snapshots));
const percent = (inside: number, runs: number) => `${((100 * inside) / runs).toFixed(1)} %`;
for (const shownDays of [365, 730]) {
  const byYear = new Map<number, KnownRun[]>();
  for (const [coin, { bars }] of coins) {
    for (const [year, runs] of runsByYear(coin, bars, shownDays)) {
      byYear.set(year, [...(byYear.get(year) ?? []), ...runs]);
    }
  }
  console.log(`shown over ${shownDays} days:`);
  const rows = coverageOf(byYear).map(({ year, runs, inside }) => {
    return [String(year), String(runs), percent(inside, runs)] as const;
  });
  printTable(["year", "runs", "within"], rows);
}
