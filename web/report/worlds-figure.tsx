import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { beyondOf, dotChart } from "../charts/dot-chart.tsx";
import { decimal } from "../format.ts";
import { Table } from "../table.tsx";
import { spanWords, triesWords } from "./words.ts";

/** The picture of the verdict: a hundred worlds without skill, and the backtest among them. */
export function worldsFigure(report: CheckReport, isSynthetic: boolean): VNode | null {
  const worlds = report.luck_quantiles ?? [];
  const drawing = worldsDrawing(report, isSynthetic);
  if (drawing === null) return null;
  const table = (
    <Table
      label="Sharpe ratios of a hundred worlds without skill"
      columns={[
        { name: "worlds below", cell: (at) => String(at) },
        { name: "Sharpe ratio, a year", cell: (at) => decimal(worlds[at], 2) },
      ]}
      rows={[0, 10, 25, 50, 75, 90, 95, 99].filter((at) => at < worlds.length)}
    />
  );
  return <Figure drawing={drawing} table={table} />;
}

/** The hundred worlds and the backtest among them, where both are known. */
export function worldsDrawing(report: CheckReport, isSynthetic: boolean): Drawing | null {
  const { luck_quantiles: worlds, series, trials } = report;
  const own = series?.sharpe ?? null;
  if (worlds === null || own === null) return null;
  return dotChart(worlds, own, {
    title: `Luck did as well in ${beyondOf(worlds, own)} of ${worlds.length} worlds`,
    subtitle: `Each dot is a world without skill: ${triesWords(trials.n)} over the same ${spanWords(report.input)}. Further right is better (Sharpe ratio, a year)`,
    isSynthetic,
  });
}
