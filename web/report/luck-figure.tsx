import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import type { CheckReport } from "../../api/check-report.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { Figure } from "../charts/chart.tsx";
import { luckCaseChart, luckOf } from "../charts/luck-chart.tsx";
import { decimal } from "../format.ts";
import { asSentence } from "./words.ts";
import { Table } from "../table.tsx";

const TRIES = [1, 10, 100, 1000, 10_000];

/** Standard deviation of the yearly Sharpe ratio of a strategy without an edge that trades as this one does. */
export function luckErrorOf({ returns, periodsPerYear }: JudgedSeries): number {
  return inferSharpe(returns).standardErrorNull * Math.sqrt(periodsPerYear);
}

const SUPPOSED_TRIES = 10;

/** The tries that a sentence is about: declared or measured ones or, where no file shows how many there were, ten. */
export function triesTold({ trials, input }: CheckReport) {
  const isUnknown = input.variants === 1 && input.n_trials.source === "measured";
  return { count: isUnknown ? SUPPOSED_TRIES : trials.n, isSupposed: isUnknown };
}

/** What luck shows at that number of tries, as the end of a sentence. */
export function luckWords(report: CheckReport, error: number): string {
  const { count, isSupposed } = triesTold(report);
  const bar = decimal(luckOf(count, error).expected, 2);
  if (isSupposed)
    return `if you had tried ${decimal(count, 0)}, the best without skill would show about ${bar}`;
  if (count === 1) return "a single try without skill shows about 0";
  return `the best of ${decimal(count, 0)} tries without skill shows about ${bar}`;
}

/** The bar that luck sets against the number of tries, with this backtest's point. */
export function luckFigure(report: CheckReport, error: number): VNode {
  const trials = report.trials.n;
  const sharpe = report.series?.sharpe ?? 0;
  const sentence = asSentence(`${luckWords(report, error)}; this one shows ${decimal(sharpe, 2)}`);
  const words = {
    title: sentence.slice(0, -1), // a title has no full stop
    length: `over ${decimal(report.input.bars, 0)} bars`,
  };
  const tries = [...new Set([...TRIES, trials])].sort((a, b) => a - b);
  const table = (
    <Table
      label="Sharpe ratio that luck shows, by number of tries"
      columns={[
        { name: "tries", cell: (row) => decimal(row.trials, 0) },
        { name: "expected", cell: (row) => decimal(row.expected, 2) },
        { name: "5 %", cell: (row) => decimal(row.low, 2) },
        { name: "95 %", cell: (row) => decimal(row.high, 2) },
      ]}
      rows={tries.map((tried) => luckOf(tried, error))}
    />
  );
  const source = "Bailey and López de Prado 2014, with the spread of this record";
  const drawing = luckCaseChart({ sharpe, trials, error }, words);
  return <Figure drawing={drawing} source={source} table={table} />;
}
