import type { VNode } from "preact";
import type { CheckPeers, CheckReport } from "../../api/check-report.ts";
import { Figure } from "../charts/chart.tsx";
import { rowChart, type ChartRow } from "../charts/row-chart.tsx";
import { decimal, share, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";
import { factTable } from "./fact-table.tsx";
import { asSentence } from "./words.ts";

/** The backtest among our own runs on the same coin and days, and what became of runs like it. */
export function peersSection(report: CheckReport, isSynthetic: boolean): VNode | null {
  const { peers, peers_reason: reason, series } = report;
  if (series === null) return null;
  if (peers === null) {
    return (
      <section>
        <h2>Others on the same days</h2>
        <p>{asSentence(reason)}</p>
      </section>
    );
  }
  const { hold } = peers.same_days;
  return (
    <section class="two">
      <div>
        <h2>What became of backtests like this one</h2>
        <p>{rankSentence(peers)}</p>
        <p>{laterSentence(peers)}</p>
        {factTable(`Holding ${peers.coin} over the same days`, [
          ["Sharpe ratio of holding the coin", decimal(hold.sharpe, 2)],
          ["its return", signedPercent(hold.return_pct)],
          ["its deepest drawdown", signedPercent(hold.max_drawdown_pct)],
        ])}
      </div>
      {peersFigure(peers, series.sharpe, isSynthetic)}
    </section>
  );
}

function rankSentence({ coin, same_days: { runs, rank, hold } }: CheckPeers): string {
  return (
    `On ${coin}, over the same days, it ranks ${decimal(rank, 0)} of ${decimal(runs + 1, 0)} among the settings of our rules. ` +
    `Holding the coin had a Sharpe ratio of ${decimal(hold.sharpe, 2)}.`
  );
}

function laterSentence({ afterwards, afterwards_note: note }: CheckPeers): string {
  if (afterwards === null) return `What came next isn’t shown: ${note}.`;
  const { runs, median, low, high, share_below_zero: below } = afterwards;
  return (
    `Our ${decimal(runs, 0)} runs with a Sharpe ratio nearest to this one had ${decimal(median, 2)} afterwards ` +
    `(${decimal(low, 2)} to ${decimal(high, 2)} for nine in ten); ${share(below)} were below zero. ${asSentence(note)}`
  );
}

function peersFigure(
  { coin, same_days: { luck_bar: bar, hold } }: CheckPeers,
  sharpe: number | null,
  isSynthetic: boolean,
): VNode {
  const luck = [
    { name: "luck, 1 run", ...bar.n_1 },
    { name: "luck, best of 13", ...bar.n_13 },
    { name: "luck, best of 286", ...bar.n_286 },
  ];
  const rows: readonly ChartRow[] = [
    { name: "this backtest", before: null, after: sharpe, tone: "accent" },
    { name: `holding ${coin}`, before: null, after: hold.sharpe },
    ...luck.map(({ name, median, p95 }): ChartRow => {
      return { name, before: null, after: median, range: [median, p95], tone: "luck" };
    }),
  ];
  const drawing = rowChart(rows, {
    title: `Luck alone gives the best of 286 settings about ${decimal(bar.n_286.median, 2)} on ${coin}`,
    subtitle:
      "Yearly Sharpe ratio; luck: our rules on the same days in shuffled order, from the median to 95 %",
    isSynthetic,
    before: undefined,
    after: "Sharpe ratio",
    rangeName: "median to 95 %",
    digits: 2,
  });
  const table = (
    <Table
      label="What luck reaches with our rules on shuffled days"
      columns={[
        { name: "", isText: true, cell: ({ name }) => name },
        { name: "median", cell: ({ median }) => decimal(median, 2) },
        { name: "95 %", cell: ({ p95 }) => decimal(p95, 2) },
      ]}
      rows={luck}
    />
  );
  return <Figure drawing={drawing} table={table} />;
}
