import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { luckOf } from "../charts/luck-chart.tsx";
import { chance, count, decimal, share, signedPercent } from "../format.ts";
import { Tiles } from "../table.tsx";
import { triesTold } from "./luck-figure.tsx";

/** The figures that the sentence rests on. */
export function ReportTiles({
  report,
  error,
}: {
  readonly report: CheckReport;
  /** Spread of the yearly Sharpe ratio without an edge; undefined where there is no series. */
  readonly error: number | undefined;
}): VNode {
  const { series, trials, cscv, verdict, input } = report;
  const { break_even_trials: most, error_rates: rates } = verdict;
  const figures: (readonly [string, string])[] = [];
  if (series !== null) figures.push(["Sharpe ratio, a year", decimal(series.sharpe, 2)]);
  if (error !== undefined) {
    const tries = triesTold(trials.n);
    const bar = luckOf(tries, error).expected;
    figures.push([`what luck shows, best of ${decimal(tries, 0)}`, decimal(bar, 2)]);
  }
  if (verdict.p_value !== null) {
    figures.push(["p: luck alone does this well", chance(verdict.p_value)]);
  }
  if (cscv !== null) figures.push(["probability of overfitting (PBO)", share(cscv.pbo)]);
  else if (most !== null && input.variants === 1)
    figures.push(["tries up to which it passes", count(most)]);
  if (series === null) figures.push(["trials in the file", decimal(trials.n, 0)]);
  else if (rates !== null)
    figures.push(["calls luck skill, at worst", share(rates.false_skill, 1)]);
  else figures.push(["deepest drawdown", signedPercent(series.max_drawdown_pct)]);
  return <Tiles figures={figures} />;
}
