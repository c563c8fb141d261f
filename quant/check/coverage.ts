import type { Bars } from "../bars.ts";
import { rowOfDay } from "../bars.ts";
import { dayOfCivil } from "../calendar.ts";
import { runGrid } from "../engine/grid.ts";
import { sharpeRatio } from "../engine/statistics.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { afterwardsOf, type KnownRun } from "./afterwards.ts";

const newYear = (year: number) => dayOfCivil({ year, month: 1, dayOfMonth: 1 });

/** For each year, what a coin's 286 runs had shown over that many days before it, and what they showed in it. */
export function runsByYear(
  coin: string,
  bars: Bars,
  shownDays: number,
): ReadonlyMap<number, readonly KnownRun[]> {
  const byYear = new Map<number, KnownRun[]>();
  const window = { from: WARM_UP_DAYS, to: bars.day.length };
  if (window.to <= window.from) return byYear;
  runGrid({ bars, window, templates: STUDIED }, ({ returns }) => {
    for (let year = 2011; year < 2100; year++) {
      const split = rowOfDay(bars, newYear(year)) - WARM_UP_DAYS;
      const last = rowOfDay(bars, newYear(year + 1) - 1) - WARM_UP_DAYS;
      if (split < shownDays || last < 0) continue;
      const runs = byYear.get(year) ?? [];
      byYear.set(year, runs);
      runs.push({
        coin,
        inSampleSharpe: sharpeRatio(returns, split - shownDays, split),
        inSampleDays: shownDays,
        laterSharpe: sharpeRatio(returns, split, last + 1),
      });
    }
  });
  return byYear;
}

/**
 * How often, by calendar year, what came next lay inside the range that `afterwardsOf` states, on coins and windows that
 * it has not seen: the range for a run comes from the year before it and from other coins. `runs` are those for which a
 * range could be stated.
 */
export function coverageOf(byYear: ReadonlyMap<number, readonly KnownRun[]>) {
  return [...byYear.keys()]
    .toSorted((a, b) => a - b)
    .map((year) => yearCoverage(year, byYear.get(year) ?? [], byYear.get(year - 1) ?? []))
    .filter(({ runs }) => runs > 0);
}

function yearCoverage(year: number, targets: readonly KnownRun[], before: readonly KnownRun[]) {
  let [runs, inside] = [0, 0];
  for (const coin of new Set(targets.map((run) => run.coin))) {
    const others = before.filter((run) => run.coin !== coin);
    for (const run of targets) {
      if (run.coin !== coin || Number.isNaN(run.laterSharpe)) continue;
      const range = afterwardsOf(others, { sharpe: run.inSampleSharpe, days: run.inSampleDays });
      if (range === undefined) continue;
      runs++;
      if (run.laterSharpe >= range.low && run.laterSharpe <= range.high) inside++;
    }
  }
  return { year, runs, inside };
}
