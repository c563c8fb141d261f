import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport } from "../../api/check-report.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { Figure } from "../charts/chart.tsx";
import { luckCaseChart, luckOf } from "../charts/luck-chart.tsx";
import { decimal } from "../format.ts";
import { Table } from "../table.tsx";

const TRIES = [1, 10, 100, 1000, 10_000];

/** Spread of the yearly Sharpe ratio of a strategy without an edge that trades as this one does. */
export function luckErrorOf({ returns, periodsPerYear }: JudgedSeries): number {
  return inferSharpe(returns).standardErrorNull * Math.sqrt(periodsPerYear);
}

/** The number of tries that sentences name: those counted, or ten where there is one, which has no best. */
export function triesTold(trials: number): number {
  return trials === 1 ? 10 : trials;
}

/** The bar that luck sets against the number of tries, with this backtest's point. */
export function LuckFigure({
  report,
  error,
}: {
  readonly report: CheckReport;
  readonly error: number;
}): VNode {
  const trials = report.trials.n;
  const sharpe = report.series?.sharpe ?? 0;
  const told = triesTold(trials);
  const bar = decimal(luckOf(told, error).expected, 2);
  const title = `The best of ${decimal(told, 0)} tries without skill shows about ${bar}; this one shows ${decimal(sharpe, 2)}`;
  const length = `over ${decimal(report.input.bars, 0)} bars`;
  const rows = [...new Set([...TRIES, trials])].sort((a, b) => a - b).map((n) => luckOf(n, error));
  return (
    <Figure
      drawing={luckCaseChart({ sharpe, trials, error }, { title, length })}
      source="Bailey and López de Prado 2014, with the spread of this record"
      table={
        <Table
          label="Sharpe ratio that luck shows, by number of tries"
          columns={[
            { name: "tries", cell: (row) => decimal(row.trials, 0) },
            { name: "expected", cell: (row) => decimal(row.expected, 2) },
            { name: "5 %", cell: (row) => decimal(row.low, 2) },
            { name: "95 %", cell: (row) => decimal(row.high, 2) },
          ]}
          rows={rows}
        />
      }
    />
  );
}
